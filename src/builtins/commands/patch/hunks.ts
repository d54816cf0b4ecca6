import { ContextHunks } from "./context.ts";
import type { FilePatch, PatchStyle } from "./heading.ts";
import { type Hunk, type HunkLine, inOrder } from "./hunk.ts";
import { HunkLines } from "./hunk_lines.ts";
import type { PatchLines, Wrapping } from "./lines.ts";
import { checkRange, NumberScan } from "./number_scan.ts";
import { PatchError } from "./talk.ts";
import { shownLine, untilNul } from "./text.ts";

/** Reads the hunks of one patch. */
export class HunkReader {
  readonly #lines: PatchLines;
  readonly #style: PatchStyle;
  readonly #wrapping: Wrapping;
  readonly #contexts: ContextHunks | undefined;

  /** Reads from where `lines` stands; `ignoreSpace` says how blank lines may be spelled (`-l`). */
  constructor(lines: PatchLines, patch: FilePatch, ignoreSpace: boolean) {
    const { style, wrapping, contextBefore } = patch;
    this.#lines = lines;
    this.#style = style;
    this.#wrapping = wrapping;
    if (style === "context" || style === "new-context") {
      this.#contexts = new ContextHunks(lines, style, wrapping, ignoreSpace);
      this.#contexts.before = contextBefore;
    }
  }

  /** The style of the hunk that was read last. */
  get style(): PatchStyle {
    return this.#contexts?.style ?? this.#style;
  }

  /**
   * Reads the next hunk; `undefined` if what follows is none.
   *
   * @throws {PatchError} If it is malformed.
   */
  async next(): Promise<Hunk | undefined> {
    if (this.#contexts !== undefined) return await this.#contexts.next();
    const lines = this.#lines;
    const { at } = lines;
    const heading = await this.#take();
    const begins = this.#style === "unified" ? /^@@ -/ : /^\d/;
    if (heading === undefined || !begins.test(heading)) {
      // Comments before it will be counted again, as GNU's does.
      lines.seek(at, heading === undefined ? lines.number : lines.number - 1);
      return undefined;
    }
    return this.#style === "unified" ? await this.#unified(heading) : await this.#normal(heading);
  }

  async #take(): Promise<string | undefined> {
    return await this.#lines.next(this.#wrapping);
  }

  #malformed(line: string): PatchError {
    return new PatchError(`malformed patch at line ${this.#lines.number}: ${shownLine(line)}`);
  }

  async #unified(heading: string): Promise<Hunk> {
    const scan = new NumberScan(heading, 4, this.#lines.number);
    const first = scan.number();
    let old = scan.takes(",") ? scan.number() : 1;
    this.#check(first, old, heading);
    scan.takes(" ");
    if (!scan.takes("+")) throw this.#malformed(heading);
    const newFirst = scan.number();
    let fresh = scan.takes(",") ? scan.number() : 1;
    this.#check(newFirst, fresh, heading);
    scan.takes(" ");
    if (!scan.takes("@")) throw this.#malformed(heading);
    const named = scan.takes("@") && scan.rest.startsWith(" ");
    const [oldSize, newSize] = [old, fresh];
    const lines = new HunkLines<HunkLine>();
    let last = `--- ${newFirst + 1},${newFirst} ----\n`;
    while (old > 0 || fresh > 0) {
      const line = await this.#take();
      // Blank lines at the end may have been lost on the way.
      if (line === undefined && fresh > 3) throw new PatchError("unexpected end of file in patch");
      const text = last = line ?? " \n";
      const blank = text === "\n" || text.startsWith("\t");
      const kind = blank || text.startsWith("=") ? " " : text[0];
      const plain = blank ? text : text.slice(1);
      if (kind === "-" && old > 0) {
        old--;
      } else if (kind === "+" && fresh > 0) {
        fresh--;
      } else if (kind === " " && old > 0 && fresh > 0) {
        old--;
        fresh--;
      } else {
        throw this.#malformed(text);
      }
      // Only the last line of a side can be said to lack its newline.
      const ends = kind === "-" ? old === 0 : kind === "+" ? fresh === 0 : old === 0 || fresh === 0;
      const lacks = ends && await this.#lines.takesNote();
      lines.add({ kind, text: lacks ? plain.slice(0, -1) : plain });
    }
    // A hunk that changes nothing is none.
    if (lines.all.every(({ kind }) => kind === " ")) throw this.#malformed(last);
    return {
      first: first + (oldSize === 0 ? 1 : 0),
      newFirst: newFirst + (newSize === 0 ? 1 : 0),
      lines: inOrder(lines.all),
      heading: named ? untilNul(scan.rest.slice(0, -1)) : "",
    };
  }

  /** Refuses line numbers that are too great for GNU's. */
  #check(first: number, size: number, heading: string): void {
    checkRange(first, size, () => this.#malformed(heading));
  }

  async #normal(heading: string): Promise<Hunk> {
    const scan = new NumberScan(heading, 0, this.#lines.number);
    const from = scan.number();
    const to = scan.takes(",") ? scan.number() : undefined;
    const command = scan.take();
    const newFrom = scan.number();
    const newTo = scan.takes(",") ? scan.number() : newFrom;
    const old = to === undefined ? (command === "a" ? 0 : 1) : to - from + 1;
    if (newFrom > newTo || old < 0) throw this.#malformed(heading);
    const fresh = newTo - newFrom + (command === "d" ? 0 : 1);
    this.#check(from, old, heading);
    this.#check(newFrom, fresh, heading);
    const lines = new HunkLines<HunkLine>();
    const read = async (mark: "<" | ">", kind: "-" | "+", count: number): Promise<void> => {
      for (let left = count; left > 0; left--) {
        const line = await this.#inside();
        if (line[0] !== mark || (line[1] !== " " && line[1] !== "\t")) {
          throw new PatchError(
            `'${mark}' followed by space or tab expected at line ${this.#lines.number} of patch`,
          );
        }
        const lacks = left === 1 && await this.#lines.takesNote();
        lines.add({ kind, text: lacks ? line.slice(2, -1) : line.slice(2) });
      }
    };
    await read("<", "-", old);
    if (command === "c" && !(await this.#inside()).startsWith("-")) {
      throw new PatchError(`'---' expected at line ${this.#lines.number} of patch`);
    }
    await read(">", "+", fresh);
    return {
      first: from + (command === "a" ? 1 : 0),
      newFirst: newFrom + (command === "d" ? 1 : 0),
      lines: lines.all,
      heading: "",
    };
  }

  /** The next line of a normal diff's hunk. */
  async #inside(): Promise<string> {
    const line = await this.#take();
    if (line !== undefined) return line;
    throw new PatchError(`unexpected end of file in patch at line ${this.#lines.number}`);
  }
}
