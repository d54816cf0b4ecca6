import { LimitError } from "../streams/mod.ts";
import type { PatchStyle } from "./_patch_heading.ts";
import { type Hunk, type HunkLine, inOrder } from "./_patch_hunk.ts";
import type { PatchLines, Wrapping } from "./_patch_lines.ts";
import { PatchError } from "./_patch_talk.ts";
import { toUnicode } from "./_patch_text.ts";

/** The greatest line number that GNU's takes. */
const MAX_LINE_NUMBER = 2n ** 63n - 1n;

/** Reads the hunks of one patch. */
export class HunkReader {
  readonly #lines: PatchLines;
  readonly #style: PatchStyle;
  readonly #wrapping: Wrapping;

  /** Reads from where `lines` stands. */
  constructor(lines: PatchLines, style: PatchStyle, wrapping: Wrapping) {
    this.#lines = lines;
    this.#style = style;
    this.#wrapping = wrapping;
  }

  /**
   * Reads the next hunk; `undefined` if what follows is none.
   *
   * @throws {PatchError} If it is malformed.
   */
  async next(): Promise<Hunk | undefined> {
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
    return new PatchError(`malformed patch at line ${this.#lines.number}: ${shown(line)}`);
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
    const lines = new HunkLines();
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
      lines.add(kind, lacks ? plain.slice(0, -1) : plain);
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
    if (first >= Number(MAX_LINE_NUMBER) - size) throw this.#malformed(heading);
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
    const lines = new HunkLines();
    const read = async (mark: "<" | ">", kind: "-" | "+", count: number): Promise<void> => {
      for (let left = count; left > 0; left--) {
        const line = await this.#inside();
        if (line[0] !== mark || (line[1] !== " " && line[1] !== "\t")) {
          throw new PatchError(
            `'${mark}' followed by space or tab expected at line ${this.#lines.number} of patch`,
          );
        }
        const lacks = left === 1 && await this.#lines.takesNote();
        lines.add(kind, lacks ? line.slice(2, -1) : line.slice(2));
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

/** A line of the patch in a message. */
function shown(line: string): string {
  return toUnicode(untilNul(line));
}

/** A text as C prints it, which ends at a NUL. */
function untilNul(text: string): string {
  const end = text.indexOf("\0");
  return end < 0 ? text : text.slice(0, end);
}

/** Reads the numbers of a hunk's heading. */
class NumberScan {
  readonly #text: string;
  readonly #line: number;
  #at: number;

  constructor(text: string, at: number, line: number) {
    this.#text = text;
    this.#at = at;
    this.#line = line;
  }

  get rest(): string {
    return this.#text.slice(this.#at);
  }

  take(): string {
    return this.#text[this.#at++] ?? "";
  }

  takes(character: string): boolean {
    if (this.#text[this.#at] !== character) return false;
    this.#at++;
    return true;
  }

  number(): number {
    const [digits = ""] = /^\d*/.exec(this.rest) ?? [];
    if (digits === "") {
      throw new PatchError(`missing line number at line ${this.#line}: ${shown(this.#text)}`);
    }
    if (BigInt(digits) > MAX_LINE_NUMBER) {
      throw new PatchError(
        `line number ${digits} is too large at line ${this.#line}: ${shown(this.#text)}`,
      );
    }
    this.#at += digits.length;
    return Number(digits);
  }
}

/** What the lines of one hunk may take, in bytes; each counts for its overhead too. */
const MAX_HUNK = 48 * 1024 * 1024;
const LINE_OVERHEAD = 64;

/** The lines of one hunk, which is held in memory. */
class HunkLines {
  readonly all: HunkLine[] = [];
  #size = 0;

  add(kind: HunkLine["kind"], text: string): void {
    this.all.push({ kind, text });
    this.#size += text.length + LINE_OVERHEAD;
    if (this.#size <= MAX_HUNK) return;
    throw new LimitError(
      { name: "hunk size", max: MAX_HUNK },
      `A hunk of the patch takes more than ${MAX_HUNK} bytes; make the patch with fewer lines of context ` +
        "or in several steps",
    );
  }
}
