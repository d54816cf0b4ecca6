/**
 * The door to `kernel.wat`.
 *
 * @module
 */

import { KERNEL } from "./_kernel_wasm.ts";

/** Where the kernel's memory holds what; see `kernel.wat`. */
const AT = { numbers: 0, needles: 0x100, block: 0x1000, hits: 0x22000, end: 0x60000 } as const;
/** Bytes of a needle's entry, and the needles there are at most. */
const ENTRY = 256;
const MOST_NEEDLES = 4;
const LONGEST_NEEDLE = 64;

/** Bytes that a kernel takes at once. */
export const blockSize = 0x20000;

/** Numbers that {@linkcode TextKernel.hits} has for a line: its start, its end, the literal's place. */
export const LINE_HIT = 3;

/** A byte string to look for. Both arrays have the same length, from 1 to 64. */
export interface Needle {
  /** The bytes; those with a mask have its bits set. */
  readonly bytes: Uint8Array;
  /** A byte `b` of the text fits at `i` if `(b | masks[i]) === bytes[i]`: 0x20 ignores case. */
  readonly masks: Uint8Array;
}

/** One to four needles, any of which is looked for. */
export class Needles {
  /** As the kernel's memory has them. */
  readonly table: Uint8Array = new Uint8Array(MOST_NEEDLES * ENTRY);
  /** Whether there is more than one. */
  readonly many: boolean;

  /**
   * Makes a set. `rank` says how rare a byte is in the texts to come: the rarest two bytes of each
   * needle are looked for first.
   *
   * @throws {RangeError} When there are none or more than four, or one is empty or longer than 64.
   */
  constructor(needles: readonly Needle[], rank: (byte: number) => number) {
    const first = needles[0];
    if (first === undefined || needles.length > MOST_NEEDLES) {
      throw new RangeError(
        `A kernel looks for 1 to ${MOST_NEEDLES} needles, not ${needles.length}`,
      );
    }
    this.many = needles.length > 1;
    for (let i = 0; i < MOST_NEEDLES; i++) {
      this.table.set(entryOf(needles[i] ?? first, rank), i * ENTRY);
    }
  }
}

function entryOf({ bytes, masks }: Needle, rank: (byte: number) => number): Uint8Array {
  const { length } = bytes;
  if (length < 1 || length > LONGEST_NEEDLE || masks.length !== length) {
    throw new RangeError(`A needle has 1 to ${LONGEST_NEEDLE} bytes, not ${length}`);
  }
  const places = Array.from(bytes, (byte, place) => ({ place, rank: rank(byte) }))
    .sort((a, b) => b.rank - a.rank);
  const rarest = places[0]?.place ?? 0;
  const second = places[1]?.place ?? rarest;
  const entry = new Uint8Array(ENTRY);
  entry.fill(bytes[rarest] as number, 0, 16).fill(masks[rarest] as number, 16, 32);
  entry.fill(bytes[second] as number, 32, 48).fill(masks[second] as number, 48, 64);
  entry.set(bytes, 64);
  entry.set(masks, 128);
  const numbers = new DataView(entry.buffer);
  numbers.setInt32(192, rarest, true);
  numbers.setInt32(196, second, true);
  numbers.setInt32(200, length, true);
  return entry;
}

/** What `kernel.wat` exports. */
interface Exports {
  readonly memory: WebAssembly.Memory;
  select(
    at: number,
    end: number,
    separator: number,
    many: number,
    out: number,
    outEnd: number,
  ): number;
  is_utf8(at: number, end: number): number;
  words_until(at: number, end: number): number;
  reverse(start: number, end: number, separator: number, out: number): number;
  groups(
    at: number,
    end: number,
    separator: number,
    how: number,
    out: number,
    outEnd: number,
  ): number;
}

/** Groups of equal lines, as {@linkcode TextKernel.groups} puts them out; flags to be added up. */
export const GROUPS = {
  /** The number of lines stands before each line, as `uniq -c` prints it. */
  counted: 1,
  /** Groups of one line are put out. */
  single: 2,
  /** Groups of several lines are put out, one line of each. */
  repeated: 4,
} as const;

/** A group of equal lines: its first line, without the separator, and how many there are. */
export interface Group {
  /** Offset of the first line in the block. */
  start: number;
  /** Offset of its separator. */
  end: number;
  /** Number of lines so far, less than 2^31. */
  count: number;
}

let shared: TextKernel | null | undefined;

interface Decoder {
  readonly fromBase64?: (text: string) => Uint8Array<ArrayBuffer>;
}

/** The module's bytes. Where the runtime decodes them, that takes a fiftieth of the time. */
function kernelBytes(): Uint8Array<ArrayBuffer> {
  const { fromBase64 }: Decoder = Uint8Array as object;
  return fromBase64?.(KERNEL) ?? Uint8Array.from(atob(KERNEL), (char) => char.charCodeAt(0));
}

/**
 * Searches one block at a time in memory of its own. All users share one: what it found must be
 * taken before anybody else may use it, so not after an `await`.
 */
export class TextKernel {
  /** What {@linkcode select} found; the offsets count from the block's start. */
  readonly hits: Int32Array;
  /** What {@linkcode reverse} and {@linkcode groups} put out. */
  readonly output: Uint8Array<ArrayBuffer>;
  /** Where {@linkcode select}, `reverse` or `groups` stopped, as an offset in the block. */
  resume = 0;
  readonly #exports: Exports;
  readonly #block: Uint8Array<ArrayBuffer>;
  readonly #needles: Uint8Array;
  readonly #numbers: Int32Array;
  #loaded: Needles | undefined;

  private constructor(exports: Exports) {
    this.#exports = exports;
    // A memory that is not shared has a plain buffer, which moves only when the memory grows.
    const buffer = exports.memory.buffer as ArrayBuffer;
    this.#numbers = new Int32Array(buffer, AT.numbers, 8);
    this.#needles = new Uint8Array(buffer, AT.needles, MOST_NEEDLES * ENTRY);
    this.#block = new Uint8Array(buffer, AT.block, blockSize);
    this.hits = new Int32Array(buffer, AT.hits, (AT.end - AT.hits) >> 2);
    this.output = new Uint8Array(buffer, AT.hits, AT.end - AT.hits);
  }

  /** The kernel, made at the first call; `undefined` where the runtime cannot run it. */
  static get shared(): TextKernel | undefined {
    if (shared === undefined) {
      try {
        const module = new WebAssembly.Module(kernelBytes());
        // What a module exports is known to its text alone, which a test holds to this one.
        shared = new TextKernel(new WebAssembly.Instance(module).exports as unknown as Exports);
      } catch {
        shared = null;
      }
    }
    return shared ?? undefined;
  }

  /**
   * Copies `bytes[start..end)` into the block, from `at` on: up to {@linkcode blockSize} bytes.
   */
  load(bytes: Uint8Array, start: number, end: number, at = 0): void {
    this.#block.set(bytes.subarray(start, end), at);
  }

  /**
   * Finds the lines of the block, from the line that starts at `from` to `end`, that hold one of
   * the needles; lines end with `separator`, which is in no needle. Returns how many {@linkcode
   * hits} there are. Where they fill the list, `resume` is less than `end`: call again from there.
   */
  select(needles: Needles, from: number, end: number, separator: number): number {
    if (this.#loaded !== needles) {
      this.#needles.set(needles.table);
      this.#loaded = needles;
    }
    const { hits } = this;
    const stop = this.#exports.select(
      AT.block + from,
      AT.block + end,
      separator,
      needles.many ? 1 : 0,
      AT.hits,
      AT.hits + hits.byteLength - 12,
    );
    this.resume = (this.#numbers[0] as number) - AT.block;
    const length = (stop - AT.hits) >> 2;
    for (let i = 0; i < length; i++) hits[i] = (hits[i] as number) - AT.block;
    return length / LINE_HIT;
  }

  /**
   * Whether the block's first `end` bytes are characters in UTF-8, up to U+10FFFF, none of them cut.
   * What follows them in the block is lost.
   */
  isUtf8(end: number): boolean {
    return this.#exports.is_utf8(AT.block, AT.block + end) === 1;
  }

  /** Words and newlines that {@linkcode countWords} counted since the last {@linkcode begin}. */
  get words(): number {
    return this.#numbers[1] as number;
  }

  /** See {@linkcode words}. */
  get lines(): number {
    return this.#numbers[2] as number;
  }

  /** Whether a word goes on where counting stopped. */
  get inWord(): boolean {
    return this.#numbers[3] === 1;
  }

  /** How many of the bytes counted begin no character: the rest of letters of several bytes. */
  get inner(): number {
    return this.#numbers[4] as number;
  }

  /** Sets the counts to 0. */
  begin(): void {
    this.#numbers.fill(0, 1, 5);
  }

  /**
   * Counts words and newlines of the block from `from` on, and stops at `end` or at the first byte
   * that is neither printable ASCII nor white space nor part of a letter that the kernel knows;
   * returns where.
   */
  countWords(from: number, end: number, inWord: boolean): number {
    this.#numbers[3] = inWord ? 1 : 0;
    return this.#exports.words_until(AT.block + from, AT.block + end) - AT.block;
  }

  /**
   * Puts out the lines of the block's first `end` bytes that begin after a `separator`, the last
   * one first; a separator at the very end ends the last line. Returns how many bytes of {@linkcode
   * output} they fill. Sets `resume` to where the first of them begins, which is `end` if none does.
   */
  reverse(end: number, separator: number): number {
    const stop = this.#exports.reverse(AT.block, AT.block + end, separator, AT.hits);
    this.resume = (this.#numbers[0] as number) - AT.block;
    return stop - AT.hits;
  }

  /**
   * Goes on in the block from `from` to `end`, which are bounds of lines, and puts out groups of
   * equal lines as soon as the next one begins, as the flags of {@linkcode GROUPS} in `how` say.
   * `group` is the current one, whose line and separator must be in the block too, before and
   * after. Returns how many bytes of {@linkcode output} are filled. Where they fill it, `resume`
   * is less than `end`: call again from there.
   */
  groups(group: Group, from: number, end: number, separator: number, how: number): number {
    const numbers = this.#numbers;
    numbers[5] = AT.block + group.start;
    numbers[6] = AT.block + group.end;
    numbers[7] = group.count;
    const stop = this.#exports.groups(
      AT.block + from,
      AT.block + end,
      separator,
      how,
      AT.hits,
      AT.end,
    );
    this.resume = (numbers[0] as number) - AT.block;
    group.start = (numbers[5] as number) - AT.block;
    group.end = (numbers[6] as number) - AT.block;
    group.count = numbers[7] as number;
    return stop - AT.hits;
  }
}
