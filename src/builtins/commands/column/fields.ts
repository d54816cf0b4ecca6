import { textWidth } from "./text_width.ts";

const OTHER = 0;
const SEPARATOR = 1;
/** A byte that is not a printable ASCII character. */
const WIDE = 2;

const encoder = new TextEncoder();

/** Splits lines into fields and measures them. */
export class FieldSplitter {
  /** Start, end and width of each field in the last line. */
  readonly starts: number[] = [];
  readonly ends: number[] = [];
  readonly widths: number[] = [];
  /**
   * True if adjacent separators count as one, and do not create empty fields at the ends of a line.
   */
  readonly #blanks: boolean;
  readonly #limit: number;
  readonly #kinds = new Uint8Array(256).fill(WIDE);
  /** Separators that are not ASCII. */
  readonly #long: readonly Uint8Array[];

  /** Fields end at each character of `separators`; without it, blanks separate them. */
  constructor(separators: string | undefined, limit: number) {
    this.#blanks = separators === undefined;
    this.#limit = limit;
    this.#kinds.fill(OTHER, 32, 127);
    const long: Uint8Array[] = [];
    for (const character of separators ?? "\t ") {
      const bytes = encoder.encode(character);
      if (bytes.length > 1) long.push(bytes);
      else this.#kinds[bytes[0] as number] = SEPARATOR;
    }
    this.#long = long;
  }

  /** Splits a line; returns the number of fields. */
  split(bytes: Uint8Array, start: number, end: number): number {
    if (start === end) return 0;
    const kinds = this.#kinds;
    const blanks = this.#blanks;
    let count = 0;
    let at = start;
    for (;;) {
      if (blanks && this.#limit > 1) {
        while (at < end && kinds[bytes[at] as number] === SEPARATOR) at++;
        if (at >= end) return count;
      }
      const from = at;
      let wide = false;
      let length = 0;
      const isLast = count + 1 >= this.#limit;
      for (; at < end; at++) {
        const kind = kinds[bytes[at] as number];
        if (kind === OTHER) continue;
        if (kind === SEPARATOR) {
          if (!isLast) {
            length = 1;
            break;
          }
          wide = true;
        } else {
          length = isLast ? 0 : this.#separatorAt(bytes, at, end);
          if (length > 0) break;
          wide = true;
        }
      }
      this.starts[count] = from;
      this.ends[count] = at;
      this.widths[count++] = wide ? textWidth(bytes, from, at) : at - from;
      if (length === 0) return count;
      at += length;
    }
  }

  /** Length of a non-ASCII separator at this offset, or 0. */
  #separatorAt(bytes: Uint8Array, at: number, end: number): number {
    for (const separator of this.#long) {
      let i = 0;
      while (i < separator.length && at + i < end && bytes[at + i] === separator[i]) i++;
      if (i === separator.length) return i;
    }
    return 0;
  }
}
