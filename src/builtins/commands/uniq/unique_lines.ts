import { blockSize, type Group, GROUPS, TextKernel } from "../../../simd/mod.ts";
import type { ByteSource, Chunk } from "../../../streams/mod.ts";
import { findByte, KeptLine, LineOutput, LineReader } from "../../text/mod.ts";
import { keyStartOf, sameBytes, type UniqueSettings } from "./unique_keys.ts";

/** Prints lines by groups of equal neighbours, as the settings say. */
export async function* uniqueLines(
  source: ByteSource,
  settings: UniqueSettings,
): AsyncGenerator<Chunk, void, void> {
  const filter = new Filter(settings);
  const reader = new LineReader(source, settings.separator);
  for (let block = await reader.next(); block !== undefined; block = await reader.next()) {
    for (let at = 0; at < block.length;) {
      at = filter.take(block, at);
      if (filter.out.full) yield filter.out.take();
    }
    filter.pause();
    if (filter.out.length > 0) yield filter.out.take();
    filter.keep();
  }
  filter.end();
  if (filter.out.length > 0) yield filter.out.take();
}

/** Bytes of a block searched before the output is passed on. */
const STRETCH = 64 * 1024;
/** Fewer bytes are not worth a call of the kernel. */
const SMALL = 1024;
/** Largest group, in lines, that the kernel may continue to count. */
const MOST_LINES = 2 ** 30;
/** Every byte, to load a line's separator from. */
const SEPARATORS: Uint8Array = Uint8Array.from({ length: 256 }, (_, byte) => byte);

class Filter {
  readonly out = new LineOutput();
  readonly #settings: UniqueSettings;
  /** True if whole lines are compared as they are. */
  readonly #plain: boolean;
  /** Flags of {@linkcode GROUPS} if the kernel may do the work. */
  readonly #how: number | undefined;
  /** True if the first line of each group is printed, whatever follows. */
  readonly #firsts: boolean;
  readonly #kept = new KeptLine();
  /**
   * The first line of the current group, the part of it that is compared, and the number of lines.
   */
  #first: Uint8Array = new Uint8Array(0);
  #start = 0;
  #end = 0;
  #keyStart = 0;
  #keyEnd = 0;
  #lines = 0;
  /** True if the first line has been printed before its group ended. */
  #printed = false;
  /** Lines to print that are side by side in a block. */
  #piece: Uint8Array = new Uint8Array(0);
  #pieceStart = 0;
  #pieceEnd = 0;
  #groups = 0;

  constructor(settings: UniqueSettings) {
    this.#settings = settings;
    this.#plain = settings.skipFields === 0 && settings.skipChars === 0 &&
      settings.checkChars === Infinity && !settings.ignoreCase;
    this.#firsts = settings.singles && settings.repeated && !settings.count && !settings.all;
    if (this.#plain && !settings.all) {
      this.#how = (settings.count ? GROUPS.counted : 0) +
        (settings.singles ? GROUPS.single : 0) + (settings.repeated ? GROUPS.repeated : 0);
    }
  }

  /**
   * Takes whole lines from `at` on until the output is full; returns the offset to continue from.
   */
  take(block: Chunk, at: number): number {
    const next = this.#takeByKernel(block, at);
    if (next > at) return next;
    const most = this.#how === undefined ? STRETCH : SMALL;
    return this.#takeGroups(block, at, Math.min(block.length, at + most));
  }

  /**
   * Lets the kernel take lines from `from` on; returns the offset to continue from, `from` if it
   * cannot.
   */
  #takeByKernel(block: Chunk, from: number): number {
    const prefix = this.#end + 1 - this.#start;
    const most = Math.min(STRETCH, blockSize - prefix);
    if (this.#how === undefined || this.#lines === 0 || this.#lines > MOST_LINES) return from;
    if (block.length - from < SMALL || most < SMALL) return from;
    const kernel = TextKernel.shared;
    if (kernel === undefined) return from;
    const { separator } = this.#settings;
    const end = block.subarray(from, from + most).lastIndexOf(separator) + 1;
    if (end === 0) return from;
    // The first line of the group is put before the new ones.
    kernel.load(this.#first, this.#start, this.#end);
    kernel.load(SEPARATORS, separator, separator + 1, prefix - 1);
    kernel.load(block, from, from + end, prefix);
    const group: Group = { start: 0, end: prefix - 1, count: this.#lines };
    const length = kernel.groups(group, prefix, prefix + end, separator, this.#how);
    const ended = group.start >= prefix;
    this.out.put(kernel.output, ended && this.#printed ? prefix : 0, length);
    this.#lines = group.count;
    if (ended) {
      this.#printed = false;
      this.#first = block;
      this.#start = from + group.start - prefix;
      this.#end = from + group.end - prefix;
    }
    return from + kernel.resume - prefix;
  }

  #takeGroups(block: Chunk, from: number, limit: number): number {
    const { out } = this;
    const { separator } = this.#settings;
    let at = from;
    while (at < limit && !out.full) {
      const found = findByte(block, separator, at);
      const end = found < 0 ? block.length : found;
      if (this.#repeats(block, at, end)) {
        this.#more(block, at, end);
        this.#lines++;
      } else {
        this.#begin(block, at, end);
        this.#lines = 1;
      }
      at = end + 1;
    }
    this.#flush();
    return at;
  }

  /** Prints all that does not depend on the following lines, before waiting for them. */
  pause(): void {
    if (!this.#firsts || this.#printed || this.#lines === 0) return;
    this.#line(this.#first, this.#start, this.#end);
    this.#flush();
    this.#printed = true;
  }

  /** Copies the remembered line before its block becomes invalid. */
  keep(): void {
    if (this.#first === this.#kept.bytes) return;
    this.#kept.keep(this.#first, this.#start, this.#end);
    this.#first = this.#kept.bytes;
    this.#keyStart -= this.#start;
    this.#keyEnd -= this.#start;
    this.#start = 0;
    this.#end = this.#kept.length;
  }

  /** Ends the input. */
  end(): void {
    this.#finish();
    this.#flush();
    if (this.#settings.after && this.#groups > 0) this.out.putByte(this.#settings.separator);
  }

  /**
   * True if the line equals the first one of its group. Otherwise it becomes the key of a new
   * group.
   */
  #repeats(block: Uint8Array, start: number, end: number): boolean {
    const first = this.#first;
    if (this.#plain) {
      const size = end - start;
      const from = this.#start;
      if (size !== this.#end - from || this.#lines === 0) return false;
      for (let i = size - 1; i >= 0; i--) {
        if (block[start + i] !== first[from + i]) return false;
      }
      return true;
    }
    const { ignoreCase } = this.#settings;
    const keyStart = keyStartOf(block, start, end, this.#settings);
    const keyEnd = Math.min(end, keyStart + this.#settings.checkChars);
    const size = keyEnd - keyStart;
    let same = this.#lines > 0 && size === this.#keyEnd - this.#keyStart;
    if (same) same = sameBytes(block, keyStart, first, this.#keyStart, size, ignoreCase);
    if (!same) {
      this.#keyStart = keyStart;
      this.#keyEnd = keyEnd;
    }
    return same;
  }

  /** Begins a new group. */
  #begin(block: Chunk, start: number, end: number): void {
    this.#finish();
    this.#first = block;
    this.#start = start;
    this.#end = end;
    if (!this.#settings.allGroups) return;
    this.#open();
    this.#line(block, start, end);
  }

  /** Adds a further line to the group. */
  #more(block: Chunk, start: number, end: number): void {
    const { all, allGroups, repeated, checkChars } = this.#settings;
    if (!all) return;
    if (this.#lines === 1 && !allGroups) {
      this.#open();
      if (repeated) this.#line(this.#first, this.#start, this.#end);
    }
    if (repeated) {
      this.#line(block, start, end);
      return;
    }
    // As in GNU uniq, -uD prints all lines of the group but the last.
    this.#line(this.#first, this.#start, this.#end);
    this.#first = block;
    this.#start = start;
    this.#end = end;
    this.#keyStart = keyStartOf(block, start, end, this.#settings);
    this.#keyEnd = Math.min(end, this.#keyStart + checkChars);
  }

  /** Prints the empty line before a group. */
  #open(): void {
    const { before, between } = this.#settings;
    if (before || (between && this.#groups > 0)) {
      this.#flush();
      this.out.putByte(this.#settings.separator);
    }
    this.#groups++;
  }

  /** Ends the group: prints its first line if that depends on the number of lines. */
  #finish(): void {
    const isDone = this.#printed || this.#lines === 0;
    this.#printed = false;
    if (isDone || this.#settings.all) return;
    if (!this.#firsts) {
      const { count, singles, repeated } = this.#settings;
      if (this.#lines === 1 ? !singles : !repeated) return;
      if (count) {
        this.#flush();
        this.out.putNumber(this.#lines, 7);
        this.out.putByte(32);
      }
    }
    this.#line(this.#first, this.#start, this.#end);
  }

  #line(bytes: Uint8Array, start: number, end: number): void {
    const { separator } = this.#settings;
    const isWhole = end < bytes.length && bytes[end] === separator;
    if (isWhole && bytes === this.#piece && start === this.#pieceEnd) {
      this.#pieceEnd = end + 1;
      return;
    }
    this.#flush();
    if (isWhole) {
      this.#piece = bytes;
      this.#pieceStart = start;
      this.#pieceEnd = end + 1;
    } else {
      this.out.put(bytes, start, end);
      this.out.putByte(separator);
    }
  }

  #flush(): void {
    if (this.#pieceStart < this.#pieceEnd) {
      this.out.put(this.#piece, this.#pieceStart, this.#pieceEnd);
    }
    this.#pieceStart = this.#pieceEnd = 0;
  }
}
