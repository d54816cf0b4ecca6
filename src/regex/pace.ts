/**
 * How long a search may go on before somebody else gets a turn.
 *
 * @module
 */

/**
 * A search that was told to do so (see `RegexOptions.slice`) has stopped in the middle. Call it
 * again with the same arguments, on the same bytes, and it goes on from there.
 */
export class RegexPause extends Error {
  /** The class's name, for logs. */
  override readonly name: string = "RegexPause";
}

/** One for all: a pause has nothing to tell, and to make an error takes long. */
const pause = new RegexPause("The search is not finished yet: call it again to go on");

/** For `RegexOptions.slice` where others wait for the event loop: ten to twenty milliseconds. */
export const TURN_SLICE = 10_000_000;

/** Counts the work of one pattern's searches. */
export class Pace {
  /** What may be done before a pause; below 0 one is due. */
  left: number;
  readonly #slice: number;

  /** `slice` is the work between two pauses: a byte that a table tells, about a nanosecond. */
  constructor(slice = Infinity) {
    this.#slice = slice;
    this.left = slice;
  }

  /** Begins the next slice: for who stops a search in another way. */
  rest(): void {
    this.left = this.#slice;
  }

  /** Stops the search, whose place must have been kept. */
  pause(): never {
    this.rest();
    throw pause;
  }
}

/** Bytes that a search reads before it looks whether a pause is due. */
export const STRIDE: number = 1 << 18;

/** Where a scan of a text by an automaton has stopped. */
export class Kept {
  #buffer: ArrayBufferLike | undefined;
  #start = 0;
  #end = 0;
  #epoch = 0;
  #at = 0;
  /** The automaton's state there. */
  row = 0;

  /** Keeps the place `at` of a scan of `bytes[start..end)`, and the automaton's state. */
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

  /** Where to go on with this text, or -1; the place is forgotten, whatever the text. */
  take(bytes: Uint8Array, start: number, end: number, epoch: number): number {
    if (this.#buffer === undefined) return -1;
    const found = this.holds(bytes, start, end) && this.#epoch === epoch;
    this.#buffer = undefined;
    return found ? this.#at - bytes.byteOffset : -1;
  }

  /** Whether a place in this text is kept. */
  holds(bytes: Uint8Array, start: number, end: number): boolean {
    return this.#buffer !== undefined && this.#buffer === bytes.buffer &&
      this.#start === bytes.byteOffset + start && this.#end === bytes.byteOffset + end;
  }
}
