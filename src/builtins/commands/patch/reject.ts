import { HeldBytes, type HeldInput, type Storage } from "../../hold/mod.ts";
import type { FilePatch, Side } from "./heading.ts";
import { type Hunk, sidesOf } from "./hunk.ts";
import { textBytes } from "./text.ts";

/** Hunks that could not be applied, as a unified diff for any style of patch. */
export class Rejects {
  /** Number of hunks. */
  count = 0;
  readonly #text: HeldBytes;
  readonly #patch: FilePatch;

  /** Starts empty. */
  constructor(patch: FilePatch, storage: Storage) {
    this.#patch = patch;
    this.#text = new HeldBytes(storage);
  }

  /** Adds a hunk; `offset` is the shift of the result at its position. */
  async add(hunk: Hunk, offset: number, reversed: boolean): Promise<void> {
    const { old, new: fresh } = this.#patch;
    const shown = ({ name, time }: Side): string => (name?.text ?? "/dev/null") + time;
    const [from, to] = (reversed ? [fresh, old] : [old, fresh]).map(shown);
    const heading = this.count++ === 0 ? `--- ${from}\n+++ ${to}\n` : "";
    const range = (start: number, size: number): string =>
      size === 0 ? `${start - 1},0` : size === 1 ? String(start) : `${start},${size}`;
    const [oldSize, newSize] = sidesOf(hunk);
    const ranges = `-${range(hunk.first + offset, oldSize)} ` +
      `+${range(hunk.newFirst + offset, newSize)}`;
    const lines = hunk.lines.map(({ kind, text }) =>
      kind + (text.endsWith("\n") ? text : `${text}\n\\ No newline at end of file\n`)
    );
    await this.#text.add(textBytes(`${heading}@@ ${ranges} @@${hunk.heading}\n${lines.join("")}`));
  }

  /** Returns the text for reading. */
  async finish(): Promise<HeldInput> {
    return await this.#text.finish();
  }
}
