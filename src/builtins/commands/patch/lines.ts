import type { RandomAccess } from "../../../streams/mod.ts";
import { LineFile, LineView } from "../../hold/mod.ts";
import { PatchError, type Talk } from "./talk.ts";
import { byteText, toUnicode } from "./text.ts";

/**
 * Reads the lines of a patch file, each character a byte, with their newlines. Comments, which
 * begin with `#`, are passed over.
 */
export class PatchLines {
  /** Index of the next line, which is also the number of the line that was read last. */
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

  /** Whether nothing is left. */
  async isAtEnd(): Promise<boolean> {
    return await this.#line(this.at) === undefined;
  }

  /**
   * The next line; `undefined` at the end, and for a last line without newline, which is reported.
   * `stripCr` takes a carriage return before the newline off.
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

  /** Passes over a note that the line before lacks its newline, and says whether it was there. */
  async takesNote(): Promise<boolean> {
    if ((await this.#line(this.at))?.startsWith("\\") !== true) return false;
    this.at++;
    return true;
  }

  /** The lines from one index to before another. */
  async *between(from: number, to: number): AsyncGenerator<string, void, void> {
    for (let i = from; i < to; i++) yield await this.#line(i) ?? "";
  }

  /** The error of a line that cannot be where it is: the one that was read last. */
  malformed(line: string): PatchError {
    return new PatchError(`malformed patch at line ${this.at}: ${toUnicode(line)}`);
  }

  /** The line numbers in a line. Refuses those that cannot be counted. */
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
