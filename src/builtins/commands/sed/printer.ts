import type { Chunk } from "../../../streams/mod.ts";
import { appendListing } from "./list.ts";
import type { SedOutput } from "./output.ts";
import type { Space } from "../../text/mod.ts";

/** Output of `a`, `r` and `R` at the end of the cycle: text, or the index of a file. */
export type Appended = Chunk | number;

/** Prints the output of a script, and detects full buffers. */
export class SedPrinter {
  /** Standard output, or the file that is edited in place. */
  main: SedOutput;
  readonly #pattern: Space;
  readonly #separator: number;
  #full = false;

  /** Creates a printer of a pattern space. */
  constructor(pattern: Space, options: { readonly separator: number }, main: SedOutput) {
    this.#pattern = pattern;
    this.#separator = options.separator;
    this.main = main;
  }

  /** True once after output that should be passed on. */
  takeFull(): boolean {
    const full = this.#full;
    this.#full = false;
    return full;
  }

  /** Prints the pattern space, or the part before `end` as a line. */
  pattern(end?: number): void {
    this.patternTo(this.main, end);
  }

  /** The same, to a file of `w`. */
  patternTo(output: SedOutput, end?: number): void {
    const { bytes, start, complete } = this.#pattern;
    if (end === undefined) output.line(bytes, start, this.#pattern.end, complete);
    else output.line(bytes, start, end, true);
    this.#full ||= output.full;
  }

  /** Prints lines of the input unchanged. */
  lines(block: Chunk, start: number, end: number): void {
    this.main.lines(block, start, end);
    this.#full ||= this.main.full;
  }

  /** Prints text, whose last byte is a newline, with the line separator instead of that. */
  text(text: Chunk): void {
    if (text.length === 0) return;
    this.main.line(text, 0, text.length - 1, true);
    this.#full ||= this.main.full;
  }

  /** Prints a number as a line. */
  number(value: number): void {
    const buffer = this.main.begin();
    buffer.appendNumber(value);
    buffer.appendByte(this.#separator);
    this.#full ||= this.main.full;
  }

  /** Prints the pattern space as `l` shows it. */
  listing(width: number): void {
    appendListing(this.main.begin(), this.#pattern, width, this.#separator);
    this.#full ||= this.main.full;
  }

  /** Prints texts unchanged; false, without printing, if there is a file among them. */
  append(queue: readonly Appended[]): boolean {
    if (queue.some((item) => typeof item === "number")) return false;
    for (const item of queue) {
      const buffer = this.main.begin();
      if (typeof item !== "number") buffer.append(item);
    }
    this.#full ||= this.main.full;
    return true;
  }
}
