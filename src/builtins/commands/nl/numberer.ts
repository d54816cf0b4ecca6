import type { Regex } from "../../../regex/mod.ts";
import type { Chunk } from "../../../streams/mod.ts";
import { INTMAX } from "../../core/mod.ts";
import { LineCounter, LineOutput, lineTooLong, Space, utf8 } from "../../text/mod.ts";

/** The sections of a logical page. */
export type NlSection = "header" | "body" | "footer";

/** Lines of a section to number: all, those with text, none, or those that match. */
export type NlStyle = "a" | "t" | "n" | Regex;

/** Settings of `nl`. */
export interface NlSettings {
  readonly files: readonly string[];
  readonly styles: Readonly<Record<NlSection, NlStyle>>;
  /** The delimiter of sections; empty if there are none. */
  readonly delimiter: Chunk;
  readonly increment: bigint;
  readonly join: number;
  readonly format: string;
  readonly renumber: boolean;
  readonly separator: string;
  readonly start: bigint;
  readonly width: number;
}

/** Largest width for which {@linkcode LineCounter} is used. */
const WIDE = 256;

/** Numbers lines. Its state continues across files. */
export class Numberer {
  readonly out = new LineOutput();
  readonly #settings: NlSettings;
  readonly #separator: Chunk;
  readonly #delimiters: readonly (readonly [NlSection, Chunk])[];
  #style: NlStyle;
  #next = 0n;
  /** Fast counter, if only the number changes from line to line. */
  #counter: LineCounter | undefined;
  #blanks = 0;
  /** The start of a line, held until it is known how to print it. */
  readonly #held = new Space();
  /** True if the start of the current line has been output. */
  #begun = false;
  /** Length of the longest delimiter. */
  readonly #longest: number;
  /** The first byte of a delimiter. */
  readonly #delimiter: number | undefined;
  readonly #maxLine: number;

  constructor(settings: NlSettings, maxLine: number) {
    this.#settings = settings;
    this.#maxLine = maxLine;
    this.#separator = utf8(settings.separator);
    this.#style = settings.styles.body;
    const { delimiter } = settings;
    this.#delimiters = delimiter.length === 0 ? [] : [
      ["header", Uint8Array.of(...delimiter, ...delimiter, ...delimiter)],
      ["body", Uint8Array.of(...delimiter, ...delimiter)],
      ["footer", delimiter],
    ];
    this.#delimiter = delimiter[0];
    this.#longest = Math.max(1, 3 * delimiter.length);
    this.#restart();
  }

  /**
   * Writes a piece of a line; `ends` marks the last piece. Returns false if the line's number would
   * be too large.
   *
   * @throws {LimitError} If a line to be matched by a pattern is too long.
   */
  add(bytes: Chunk, start: number, end: number, ends: boolean): boolean {
    if (this.#begun) this.out.put(bytes, start, end);
    else if (!this.#enough(end - start, ends)) {
      this.#held.append(bytes, start, end);
      return true;
    } else if (this.#held.length === 0) {
      if (!this.#begin(bytes, start, end)) return false;
    } else {
      const held = this.#held;
      held.append(bytes, start, end);
      if (!this.#begin(held.bytes, held.start, held.end)) return false;
      held.clear();
    }
    this.#begun = !ends;
    if (ends) this.out.putByte(10);
    return true;
  }

  /** True if the held start of a line and `more` bytes are enough to know how to print it. */
  #enough(more: number, ends: boolean): boolean {
    const size = this.#held.length + more;
    const found = typeof this.#style === "string";
    if (!found && size > this.#maxLine) throw lineTooLong(this.#maxLine);
    return ends || (found && size > this.#longest);
  }

  /** Writes the text before a line, and the part of the line read so far. */
  #begin(bytes: Uint8Array, start: number, end: number): boolean {
    const section = this.#section(bytes, start, end);
    if (section !== undefined) {
      this.#style = this.#settings.styles[section];
      if (this.#settings.renumber) this.#restart();
      return true;
    }
    if (this.#numbered(bytes, start, end)) {
      if (this.#next > INTMAX || this.#next < -INTMAX - 1n) return false;
      this.#number();
    } else {
      this.out.repeat(32, this.#settings.width + this.#separator.length);
    }
    this.out.put(bytes, start, end);
    return true;
  }

  #section(bytes: Uint8Array, start: number, end: number): NlSection | undefined {
    if (end - start > this.#longest || bytes[start] !== this.#delimiter) return undefined;
    for (const [section, delimiter] of this.#delimiters) {
      if (delimiter.length !== end - start) continue;
      if (delimiter.every((byte, i) => bytes[start + i] === byte)) return section;
    }
    return undefined;
  }

  #numbered(bytes: Uint8Array, start: number, end: number): boolean {
    const style = this.#style;
    if (style === "n") return false;
    if (style === "t") return end > start;
    if (style !== "a") return style.test(bytes, start, end);
    const { join } = this.#settings;
    if (join > 1 && end === start && ++this.#blanks < join) return false;
    this.#blanks = 0;
    return true;
  }

  #number(): void {
    const { out } = this;
    if (this.#counter !== undefined) return out.put(this.#counter.next());
    const { format, width, increment } = this.#settings;
    const value = this.#next;
    this.#next += increment;
    const digits = utf8(String(value < 0n ? -value : value));
    const room = width - digits.length - (value < 0n ? 1 : 0);
    if (format === "rn") out.repeat(32, room);
    if (value < 0n) out.putByte(45);
    if (format === "rz") out.repeat(48, room);
    out.put(digits);
    if (format === "ln") out.repeat(32, room);
    out.put(this.#separator);
  }

  /** Starts counting again. */
  #restart(): void {
    const { start, increment, format, width } = this.#settings;
    this.#next = start;
    const plain = increment === 1n && start >= 0n && start < 2n ** 53n;
    this.#counter = plain && format !== "ln" && width <= WIDE
      ? new LineCounter({
        first: start,
        width,
        padding: format === "rz" ? 48 : 32,
        suffix: this.#separator,
      })
      : undefined;
  }
}
