import type { RandomAccess } from "../streams/mod.ts";
import { HeldBytes, type HeldInput, type Storage } from "./_held_bytes.ts";
import type { FilePatch, Side } from "./_patch_heading.ts";
import { type Hunk, sidesOf } from "./_patch_hunk.ts";
import { textBytes } from "./_patch_text.ts";

/**
 * The text of hunks that could not be applied: in the patch's own style, that of a context diff for
 * a normal one.
 */
export class Rejects {
  /** How many hunks there are. */
  count = 0;
  readonly #text: HeldBytes;
  readonly #patch: FilePatch;

  /** Has none yet. */
  constructor(patch: FilePatch, storage: Storage) {
    this.#patch = patch;
    this.#text = new HeldBytes(storage);
  }

  /** Adds a hunk; `offset` is how far the result had shifted there. */
  async add(hunk: Hunk, offset: number, reversed: boolean): Promise<void> {
    const heading = this.count++ === 0 ? this.#heading(reversed) : "";
    const text = this.#patch.style === "unified"
      ? unifiedHunk(hunk, offset)
      : contextHunk(hunk, offset);
    await this.#text.add(textBytes(heading + text));
  }

  #heading(reversed: boolean): string {
    const { style, old, new: fresh, index } = this.#patch;
    const shown = ({ name, time }: Side): string => (name?.text ?? "/dev/null") + time;
    const [first, second] = reversed ? [shown(fresh), shown(old)] : [shown(old), shown(fresh)];
    return (index === undefined ? "" : `Index: ${index.text}\n`) +
      (style === "unified" ? `--- ${first}\n+++ ${second}\n` : `*** ${first}\n--- ${second}\n`);
  }

  /** Ends the text, to be read. */
  async finish(): Promise<RandomAccess & HeldInput> {
    return await this.#text.finish();
  }
}

function complete(text: string): string {
  return text.endsWith("\n") ? text : `${text}\n\\ No newline at end of file\n`;
}

function unifiedHunk(hunk: Hunk, offset: number): string {
  const [old, fresh] = sidesOf(hunk);
  const range = (start: number, size: number): string =>
    size === 0 ? `${start - 1},0` : size === 1 ? String(start) : `${start},${size}`;
  const lines = hunk.lines.map(({ kind, text }) => kind + complete(text));
  const ranges = `-${range(hunk.first + offset, old)} +${range(hunk.newFirst + offset, fresh)}`;
  return `@@ ${ranges} @@${hunk.heading}\n${lines.join("")}`;
}

function contextHunk(hunk: Hunk, offset: number): string {
  const [old, fresh] = sidesOf(hunk);
  const range = (first: number, size: number): string => {
    const start = first + offset;
    return size === 0 ? "0" : size === 1 ? String(start) : `${start},${start + size - 1}`;
  };
  const part = (kind: "-" | "+"): string =>
    hunk.lines.filter((line) => line.kind === kind)
      .map(({ text }) => `${kind} ${complete(text)}`).join("");
  return `***************\n*** ${range(hunk.first, old)}\n${part("-")}` +
    `--- ${range(hunk.newFirst, fresh)} -----\n${part("+")}`;
}
