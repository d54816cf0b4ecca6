import type { RandomAccess } from "../../../streams/mod.ts";
import { LineFile, LineView } from "../../hold/mod.ts";
import { PatchError, type Talk } from "./talk.ts";
import { byteText, toUnicode } from "./text.ts";

/**
 * Reads the lines of a patch file, with one character for each byte and with their newlines. Skips
 * comments, which begin with `#`.
 */
export class PatchLines {
  /** Index of the next line, and so the number of the last line read. */
  at = 0;
  readonly #view: LineView;
  readonly #talk: Talk;

  private constructor(file: LineFile, talk: Talk) {
    this.#view = new LineView(file);
    this.#talk = talk;
  }

  /** Reads from the start of a patch file. */
  static async of(bytes: RandomAccess, talk: Talk): Promise<PatchLines> {
    return new PatchLines(await LineFile.of(bytes), talk);
  }

  /** True at the end. */
  async isAtEnd(): Promise<boolean> {
    return await this.#line(this.at) === undefined;
  }

  /**
   * The next line; `undefined` at the end, and for a last line without newline, which is reported.
   * `stripCr` removes a carriage return before the newline.
   */
  async next(stripCr = false): Promise<string | undefined> {
    for (;;) {
      const line = await this.#line(this.at);
      if (line === undefined) return undefined;
      this.at++;
      if (!line.endsWith("\n")) {
        this.#talk.say("patch unexpectedly ends in middle of line\n");
        return undefined;
      }
      if (line.startsWith("#")) continue;
      return stripCr && line.endsWith("\r\n") ? `${line.slice(0, -2)}\n` : line;
    }
  }

  /** Skips a note that the previous line lacks its newline; false if there is none. */
  async takesNote(): Promise<boolean> {
    if ((await this.#line(this.at))?.startsWith("\\") !== true) return false;
    this.at++;
    return true;
  }

  /** The lines from index `from` to `to`, exclusive. */
  async *between(from: number, to: number): AsyncGenerator<string, void, void> {
    for (let i = from; i < to; i++) yield await this.#line(i) ?? "";
  }

  /** The error for an unexpected line, the last one read. */
  malformed(line: string): PatchError {
    return new PatchError(`malformed patch at line ${this.at}: ${toUnicode(line)}`);
  }

  /** The line numbers in a line. Refuses numbers that are too large. */
  numbers(line: string, words: readonly (string | undefined)[]): (number | undefined)[] {
    const numbers = words.map((word) => word === undefined ? undefined : Number(word));
    if (numbers.every((each = 0) => each < Number.MAX_SAFE_INTEGER / 2)) return numbers;
    throw this.malformed(line);
  }

  async #line(line: number): Promise<string | undefined> {
    const view = this.#view;
    if (!view.has(line) && !await view.load(line)) return undefined;
    const { file, offset } = view;
    if (file.wantsMark(offset)) file.mark(line, offset);
    return byteText(view.bytes, view.start, view.end + (view.incomplete ? 0 : 1));
  }
}
