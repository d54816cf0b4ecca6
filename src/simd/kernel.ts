/**
 * The typed interface of `kernel.wat`.
 *
 * @module
 */

import { KERNEL } from "./_kernel_wasm.ts";

/** Addresses in the kernel's memory; see `kernel.wat`. */
const AT = { numbers: 0, needles: 0x100, block: 0x1000, hits: 0x22000, end: 0x60000 } as const;
/** Bytes of a needle's entry. */
const ENTRY = 256;
const MOST_NEEDLES = 4;
const LONGEST_NEEDLE = 64;

/** Most bytes that a kernel takes at once. */
export const blockSize = 0x20000;

/**
 * Numbers in {@linkcode TextKernel.hits} for each line: its start, its end, the needle's position.
 */
export const LINE_HIT = 3;

/** A byte string to look for. Both arrays have the same length, from 1 to 64. */
export interface Needle {
  /** The bytes. Each has the bits of its mask set. */
  readonly bytes: Uint8Array;
  /** A byte `b` of the text matches at `i` if `(b | masks[i]) === bytes[i]`: 0x20 ignores case. */
  readonly masks: Uint8Array;
}

/** One to four needles; a search finds any of them. */
export class Needles {
  /** The needles in the layout of the kernel's memory. */
  readonly table: Uint8Array = new Uint8Array(MOST_NEEDLES * ENTRY);
  /** True if there is more than one needle. */
  readonly many: boolean;

  /**
   * Makes a set.
   *
   * @param needles One to four byte strings.
   * @param rank Rarity of a byte in the texts to come; the two bytes of a needle with the highest
   * rank are searched first.
   * @throws {RangeError} If there are no needles or more than four, or one is empty or longer than
   * 64 bytes.
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

/** The exports of `kernel.wat`. */
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

/** Flags for {@linkcode TextKernel.groups}, to be added up. */
export const GROUPS = {
  /** Put the number of lines before each line, as `uniq -c` prints it. */
  counted: 1,
  /** Put out groups of one line. */
  single: 2,
  /** Put out groups of several lines, one line of each. */
  repeated: 4,
} as const;

/** A group of equal lines. */
export interface Group {
  /** Offset of the group's first line in the block. */
  start: number;
  /** Offset of that line's separator. */
  end: number;
  /** Number of lines so far, less than 2^31. */
  count: number;
}

let shared: TextKernel | null | undefined;

interface Decoder {
  readonly fromBase64?: (text: string) => Uint8Array<ArrayBuffer>;
}

/** Decodes the module. `Uint8Array.fromBase64` takes a fiftieth of the time, where it exists. */
function kernelBytes(): Uint8Array<ArrayBuffer> {
  const { fromBase64 }: Decoder = Uint8Array as object;
  return fromBase64?.(KERNEL) ?? Uint8Array.from(atob(KERNEL), (char) => char.charCodeAt(0));
}

/**
 * Searches one block at a time in memory of its own.
 *
 * All users share one kernel: read its results before the next `await`, after which they may be
 * overwritten.
 */
export class TextKernel {
  /** Lines that {@linkcode select} found; the offsets count from the block's start. */
  readonly hits: Int32Array;
  /** Bytes that {@linkcode reverse} or {@linkcode groups} put out. */
  readonly output: Uint8Array<ArrayBuffer>;
  /** Offset in the block at which {@linkcode select}, `reverse` or `groups` stopped. */
  resume = 0;
  readonly #exports: Exports;
  readonly #block: Uint8Array<ArrayBuffer>;
  readonly #needles: Uint8Array;
  readonly #numbers: Int32Array;
  #loaded: Needles | undefined;

  private constructor(exports: Exports) {
    this.#exports = exports;
    // Unshared memory has an `ArrayBuffer`, which is replaced only when the memory grows.
    const buffer = exports.memory.buffer as ArrayBuffer;
    this.#numbers = new Int32Array(buffer, AT.numbers, 8);
    this.#needles = new Uint8Array(buffer, AT.needles, MOST_NEEDLES * ENTRY);
    this.#block = new Uint8Array(buffer, AT.block, blockSize);
    this.hits = new Int32Array(buffer, AT.hits, (AT.end - AT.hits) >> 2);
    this.output = new Uint8Array(buffer, AT.hits, AT.end - AT.hits);
  }

  /** The kernel, made at the first call; `undefined` if the runtime cannot run it. */
  static get shared(): TextKernel | undefined {
    if (shared === undefined) {
      try {
        const module = new WebAssembly.Module(kernelBytes());
        // TypeScript cannot see a module's exports: `Exports` repeats those of kernel.wat.
        shared = new TextKernel(new WebAssembly.Instance(module).exports as unknown as Exports);
      } catch {
        shared = null;
      }
    }
    return shared ?? undefined;
  }

  /**
   * Copies `bytes[start..end)`, at most {@linkcode blockSize} bytes, into the block at offset `at`.
   */
  load(bytes: Uint8Array, start: number, end: number, at = 0): void {
    this.#block.set(bytes.subarray(start, end), at);
  }

  /**
   * Finds the lines between `from`, the start of a line, and `end` that contain one of the needles.
   * Lines end with `separator`, which no needle may contain.
   *
   * Returns the number of lines in {@linkcode hits}. If that list is full, `resume` is less than
   * `end`: call again from there.
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
   * True if the block's first `end` bytes are complete characters in UTF-8, up to U+10FFFF.
   * Overwrites the bytes behind them in the block.
   */
  isUtf8(end: number): boolean {
    return this.#exports.is_utf8(AT.block, AT.block + end) === 1;
  }

  /** Number of words that {@linkcode countWords} counted since the last {@linkcode begin}. */
  get words(): number {
    return this.#numbers[1] as number;
  }

  /** Number of newlines counted likewise. */
  get lines(): number {
    return this.#numbers[2] as number;
  }

  /** True if counting stopped inside a word. */
  get inWord(): boolean {
    return this.#numbers[3] === 1;
  }

  /** Number of continuation bytes of UTF-8 counted, which begin no character. */
  get inner(): number {
    return this.#numbers[4] as number;
  }

  /** Sets the counts to 0. */
  begin(): void {
    this.#numbers.fill(0, 1, 5);
  }

  /**
   * Counts words and newlines of the block from `from` on.
   *
   * Stops at `end`, or before the first byte that is neither printable ASCII nor white space nor
   * part of a letter that the kernel knows. Returns the offset where it stopped.
   */
  countWords(from: number, end: number, inWord: boolean): number {
    this.#numbers[3] = inWord ? 1 : 0;
    return this.#exports.words_until(AT.block + from, AT.block + end) - AT.block;
  }

  /**
   * Puts out the lines that begin after a `separator` in the block's first `end` bytes, the last
   * line first. A separator at the very end ends the last line.
   *
   * Returns the number of bytes in {@linkcode output}. Sets `resume` to the offset at which the
   * first of these lines begins, or to `end` if there is none.
   */
  reverse(end: number, separator: number): number {
    const stop = this.#exports.reverse(AT.block, AT.block + end, separator, AT.hits);
    this.resume = (this.#numbers[0] as number) - AT.block;
    return stop - AT.hits;
  }

  /**
   * Reads the lines of the block from `from` to `end`, both bounds of lines, and puts out each
   * group of equal lines once the next group begins.
   *
   * `group` is the current group, before and after the call; its line and separator must be in the
   * block, too. `how` adds up flags of {@linkcode GROUPS}. Returns the number of bytes in
   * {@linkcode output}. If that is full, `resume` is less than `end`: call again from there.
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
