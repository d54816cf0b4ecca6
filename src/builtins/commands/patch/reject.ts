import type { RandomAccess } from "../../../streams/mod.ts";
import { HeldBytes, type HeldInput, type Storage } from "../../hold/mod.ts";
import type { FilePatch, PatchStyle, Side } from "./heading.ts";
import { type Hunk, type HunkLine, hunkOfSides, type SideLine, sidesOf } from "./hunk.ts";
import { textBytes } from "./text.ts";

/**
 * The text of hunks that could not be applied: in the patch's own style, that of a context diff for
 * a normal one.
 */
export class Rejects {
  /** How many hunks there are. */
  count = 0;
  readonly #text: HeldBytes;
  readonly #patch: FilePatch;
  readonly #format: "context" | "unified" | undefined;

  /** Has none yet; `format` is the style, if it is not the patch's own. */
  constructor(patch: FilePatch, format: "context" | "unified" | undefined, storage: Storage) {
    this.#patch = patch;
    this.#format = format;
    this.#text = new HeldBytes(storage);
  }

  /** Adds a hunk of a style; `offset` is how far the result had shifted there. */
  async add(hunk: Hunk, style: PatchStyle, offset: number, reversed: boolean): Promise<void> {
    const format = this.#format ?? (style === "unified" ? "unified" : "context");
    const heading = this.count++ === 0 ? this.#heading(format, reversed) : "";
    const text = format === "unified"
      ? unifiedHunk(hunk, offset)
      : contextHunk(hunk, offset, style === "context" || style === "normal");
    await this.#text.add(textBytes(heading + text));
  }

  #heading(format: "context" | "unified", reversed: boolean): string {
    const { old, new: fresh, index } = this.#patch;
    const shown = ({ name, time }: Side): string => (name?.text ?? "/dev/null") + time;
    const [first, second] = reversed ? [shown(fresh), shown(old)] : [shown(old), shown(fresh)];
    return (index === undefined ? "" : `Index: ${index.text}\n`) +
      (format === "unified" ? `--- ${first}\n+++ ${second}\n` : `*** ${first}\n--- ${second}\n`);
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
  const lines = unmarked(hunk).map(({ kind, text }) => kind + complete(text));
  const ranges = `-${range(hunk.first + offset, old)} +${range(hunk.newFirst + offset, fresh)}`;
  return `@@ ${ranges} @@${hunk.heading}\n${lines.join("")}`;
}

/** The lines of a hunk as a unified diff has them: what is changed is removed and put in. */
function unmarked(hunk: Hunk): readonly HunkLine[] {
  const { sides } = hunk;
  if (sides === undefined) return hunk.lines;
  const plain = (lines: readonly SideLine[], kind: "-" | "+"): SideLine[] =>
    lines.map(({ mark, text }) => ({ mark: mark === "!" ? kind : mark, text }));
  const { lines } = hunkOfSides(hunk, {
    ...sides,
    old: plain(sides.old, "-"),
    new: plain(sides.new, "+"),
  });
  return lines;
}

/** A hunk of a context diff; `bare` is the old style, which has fewer stars. */
function contextHunk(hunk: Hunk, offset: number, bare: boolean): string {
  const [old, fresh] = sidesOf(hunk);
  const range = (first: number, size: number): string => {
    const start = first + offset;
    return size === 0 ? "0" : size === 1 ? String(start) : `${start},${start + size - 1}`;
  };
  const sides = hunk.sides ?? markedSides(hunk, !bare);
  const part = (lines: readonly SideLine[]): string =>
    lines.map(({ mark, text }) => `${mark} ${complete(text)}`).join("");
  const gap = hunk.sides?.gap === true ? "\n" : "";
  return `***************${hunk.heading}\n*** ${range(hunk.first, old)}${bare ? "" : " ****"}\n` +
    `${part(sides.old)}${gap}--- ${range(hunk.newFirst, fresh)} ${bare ? "-----" : "----"}\n` +
    part(sides.new);
}

/** The sides of a hunk that was none of a context diff; `changes` marks what takes another's place. */
function markedSides(
  { lines }: Hunk,
  changes: boolean,
): { readonly old: readonly SideLine[]; readonly new: readonly SideLine[] } {
  const old: SideLine[] = [];
  const fresh: SideLine[] = [];
  for (let at = 0; at < lines.length;) {
    let until = at;
    while (lines[until]?.kind === "-") until++;
    let end = until;
    while (lines[end]?.kind === "+") end++;
    const both = changes && until > at && end > until;
    for (const { text } of lines.slice(at, until)) old.push({ mark: both ? "!" : "-", text });
    for (const { text } of lines.slice(until, end)) fresh.push({ mark: both ? "!" : "+", text });
    for (at = end; lines[at]?.kind === " "; at++) {
      const line: SideLine = { mark: " ", text: lines[at]?.text ?? "" };
      old.push(line);
      fresh.push(line);
    }
  }
  return { old, new: fresh };
}
