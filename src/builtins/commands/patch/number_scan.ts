import { PatchError } from "./talk.ts";
import { shownLine } from "./text.ts";

/** The greatest line number that GNU's takes. */
const MAX_LINE_NUMBER = 2n ** 63n - 1n;

/** Reads the numbers of a hunk's heading. */
export class NumberScan {
  readonly #text: string;
  readonly #line: number;
  #at: number;

  /** Reads a text from `at` on; `line` is its number in the patch. */
  constructor(text: string, at: number, line: number) {
    this.#text = text;
    this.#at = at;
    this.#line = line;
  }

  /** What was not read. */
  get rest(): string {
    return this.#text.slice(this.#at);
  }

  /** The next character, which may be none. */
  take(): string {
    return this.#text[this.#at++] ?? "";
  }

  /** Takes a character if it is that one, and says whether it was. */
  takes(character: string): boolean {
    if (this.#text[this.#at] !== character) return false;
    this.#at++;
    return true;
  }

  /** Goes to the next digit, or to the end. */
  skipToNumber(): void {
    const next = this.rest.search(/\d|\0/);
    this.#at = next < 0 ? this.#text.length : this.#at + next;
  }

  /**
   * Reads a number.
   *
   * @throws {PatchError} If there is none, or it is too large.
   */
  number(): number {
    const [digits = ""] = /^\d*/.exec(this.rest) ?? [];
    if (digits === "") {
      throw new PatchError(`missing line number at line ${this.#line}: ${shownLine(this.#text)}`);
    }
    if (BigInt(digits) > MAX_LINE_NUMBER) {
      throw new PatchError(
        `line number ${digits} is too large at line ${this.#line}: ${shownLine(this.#text)}`,
      );
    }
    this.#at += digits.length;
    return Number(digits);
  }
}

/**
 * Refuses a range that ends beyond what can be counted.
 *
 * @throws {PatchError} `malformed` makes it.
 */
export function checkRange(first: number, size: number, malformed: () => PatchError): void {
  if (first >= Number(MAX_LINE_NUMBER) - size) throw malformed();
}
