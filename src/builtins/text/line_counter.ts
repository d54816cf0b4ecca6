import type { Chunk } from "../../streams/mod.ts";

/** Format of the numbers of a {@linkcode LineCounter}. */
export interface LineCounterShape {
  /** The first number, at least 0. */
  readonly first: bigint;
  /** Least number of columns, and the byte that fills them: a space or `0`. */
  readonly width: number;
  readonly padding: number;
  /** The text after each number. */
  readonly suffix: Uint8Array;
}

/**
 * Line numbers as text. The digits are incremented in place, which is faster than formatting
 * numbers.
 */
export class LineCounter {
  #text: Chunk;
  /** Index of the last digit. */
  #last: number;
  #begun = false;

  /** Creates a counter. */
  constructor({ first, width, padding, suffix }: LineCounterShape) {
    const digits = String(first);
    const size = Math.max(width, digits.length);
    this.#text = new Uint8Array(size + suffix.length).fill(padding);
    for (let i = 0; i < digits.length; i++) {
      this.#text[size - digits.length + i] = digits.charCodeAt(i);
    }
    this.#text.set(suffix, size);
    this.#last = size - 1;
  }

  /** Returns the next number and its suffix, valid until the next call. */
  next(): Chunk {
    const text = this.#text;
    if (!this.#begun) {
      this.#begun = true;
      return text;
    }
    for (let i = this.#last; i >= 0; i--) {
      const digit = text[i] as number;
      if (digit === 57) {
        text[i] = 48;
        continue;
      }
      text[i] = digit === 32 ? 49 : digit + 1;
      return text;
    }
    this.#text = new Uint8Array(text.length + 1);
    this.#text[0] = 49;
    this.#text.set(text, 1);
    this.#last++;
    return this.#text;
  }
}
