import { LimitError } from "../../../streams/mod.ts";

/** What the lines of one hunk may take, in bytes; each counts for its overhead too. */
const MAX_HUNK = 48 * 1024 * 1024;
const LINE_OVERHEAD = 64;

/** The lines of one hunk, which is held in memory. */
export class HunkLines<Line extends { readonly text: string }> {
  /** The lines. */
  readonly all: Line[] = [];
  #size = 0;

  /**
   * Adds a line.
   *
   * @throws {LimitError} If the hunk becomes too large.
   */
  add(line: Line): void {
    this.all.push(line);
    this.#size += line.text.length + LINE_OVERHEAD;
    if (this.#size <= MAX_HUNK) return;
    throw new LimitError(
      { name: "hunk size", max: MAX_HUNK },
      `A hunk of the patch takes more than ${MAX_HUNK} bytes; make the patch with fewer lines of context ` +
        "or in several steps",
    );
  }
}
