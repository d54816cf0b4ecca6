/**
 * Limits how long a search blocks the event loop.
 *
 * @module
 */

/**
 * A search with `RegexOptions.slice` has stopped early. Call it again with the same arguments, on
 * the same bytes, and it continues.
 */
export class RegexPause extends Error {
  /** The class's name, for logs. */
  override readonly name: string = "RegexPause";
}

/** Shared by all pauses: it carries no data, and creating an error is slow. */
const pause = new RegexPause("The search is not finished yet: call it again to go on");

/**
 * Value of `RegexOptions.slice` for programs that use the event loop: ten to twenty milliseconds.
 */
export const TURN_SLICE = 10_000_000;

/** Counts the work of one pattern's searches. */
export class Pace {
  /** Work left before a pause; negative when a pause is due. */
  left: number;
  readonly #slice: number;

  /**
   * `slice` is the work between two pauses. One unit is a table look-up of a byte, about a
   * nanosecond.
   */
  constructor(slice = Infinity) {
    this.#slice = slice;
    this.left = slice;
  }

  /** Starts the next slice, for searches that stop in another way. */
  rest(): void {
    this.left = this.#slice;
  }

  /** Stops the search, which must have saved its position. */
  pause(): never {
    this.rest();
    throw pause;
  }
}

/** Bytes that a search reads between two checks for a pause. */
export const STRIDE: number = 1 << 18;

/** The position at which an automaton's scan of a text has stopped. */
export class Kept {
  #buffer: ArrayBufferLike | undefined;
  #start = 0;
  #end = 0;
  #epoch = 0;
  #at = 0;
  /** The automaton's state there. */
  row = 0;

  /** Saves the position `at` of a scan of `bytes[start..end)` and the automaton's state. */
  keep(
    bytes: Uint8Array,
    start: number,
    end: number,
    at: number,
    row: number,
    epoch: number,
  ): void {
    this.#buffer = bytes.buffer;
    this.#start = bytes.byteOffset + start;
    this.#end = bytes.byteOffset + end;
    this.#at = bytes.byteOffset + at;
    this.row = row;
    this.#epoch = epoch;
  }

  /** The position to continue from, or -1 if it belongs to another text. Clears it in any case. */
  take(bytes: Uint8Array, start: number, end: number, epoch: number): number {
    if (this.#buffer === undefined) return -1;
    const found = this.holds(bytes, start, end) && this.#epoch === epoch;
    this.#buffer = undefined;
    return found ? this.#at - bytes.byteOffset : -1;
  }

  /** True if a position in this text is saved. */
  holds(bytes: Uint8Array, start: number, end: number): boolean {
    return this.#buffer !== undefined && this.#buffer === bytes.buffer &&
      this.#start === bytes.byteOffset + start && this.#end === bytes.byteOffset + end;
  }
}
