import type { ByteSource, Chunk } from "../streams/mod.ts";
import { findByte, KeptLine } from "./_line_cursor.ts";
import { LineOutput } from "./_line_output.ts";
import { LineReader } from "./_lines.ts";

/** What {@linkcode uniqueLines} compares and prints. */
export interface UniqueSettings {
  readonly skipFields: number;
  readonly skipChars: number;
  readonly checkChars: number;
  readonly ignoreCase: boolean;
  readonly separator: number;
  /** Whether the number of lines stands before each. */
  readonly count: boolean;
  /** Whether lines that stand alone are printed. */
  readonly singles: boolean;
  /** Whether lines that are repeated are printed. */
  readonly repeated: boolean;
  /** Whether all lines of a group are printed, not only the first. */
  readonly all: boolean;
  /** Whether lines that stand alone are groups too. */
  readonly allGroups: boolean;
  /** Where empty lines stand: before each group, between two, after the last. */
  readonly before: boolean;
  readonly between: boolean;
  readonly after: boolean;
}

/** Drops or keeps lines that repeat the line before them. */
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
    if (filter.out.length > 0) yield filter.out.take();
    filter.keep();
  }
  filter.end();
  if (filter.out.length > 0) yield filter.out.take();
}

/** What byte a letter is compared as with `-i`: its capital. */
const FOLDED: Uint8Array = Uint8Array.from(
  { length: 256 },
  (_, byte) => byte >= 97 && byte <= 122 ? byte - 32 : byte,
);

/** How much of a block is looked through before what it gives is passed on, in bytes. */
const STRETCH = 64 * 1024;

class Filter {
  readonly out = new LineOutput();
  readonly #settings: UniqueSettings;
  /** Whether whole lines are compared as they are. */
  readonly #plain: boolean;
  /** Whether the first line of each group is printed, at once. */
  readonly #firsts: boolean;
  readonly #kept = new KeptLine();
  /** The first line of the current group, its stretch that is compared, how many lines it has. */
  #first: Uint8Array = new Uint8Array(0);
  #start = 0;
  #end = 0;
  #keyStart = 0;
  #keyEnd = 0;
  #lines = 0;
  #groups = 0;

  constructor(settings: UniqueSettings) {
    this.#settings = settings;
    this.#plain = settings.skipFields === 0 && settings.skipChars === 0 &&
      settings.checkChars === Infinity && !settings.ignoreCase;
    this.#firsts = settings.singles && settings.repeated && !settings.count && !settings.all;
  }

  /** Takes whole lines from `at` on, until the output is full; gives where to go on. */
  take(block: Chunk, at: number): number {
    if (!this.#firsts) return this.#takeGroups(block, at);
    return this.#plain ? this.#takePlain(block, at) : this.#takeFirsts(block, at);
  }

  #takeGroups(block: Chunk, from: number): number {
    const { out } = this;
    const { separator } = this.#settings;
    let at = from;
    while (at < block.length && !out.full) {
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
    return at;
  }

  /** The same as {@linkcode #takeFirsts} for whole lines, where most time is spent. */
  #takePlain(block: Chunk, from: number): number {
    const { separator } = this.#settings;
    const { out } = this;
    const limit = Math.min(block.length, from + STRETCH);
    let first = this.#first;
    let start = this.#start;
    /** Length of the first line of the group; -1 before there is one. */
    let size = this.#lines === 0 ? -1 : this.#end - start;
    let pending = from;
    let at = from;
    while (at < limit) {
      let end = at;
      const near = Math.min(block.length, at + 32);
      while (end < near && block[end] !== separator) end++;
      if (end === near && end < block.length) {
        end = block.indexOf(separator, near);
        if (end < 0) end = block.length;
      }
      let left = end - at === size ? size : -1;
      if (left >= 0) {
        while (left > 0 && block[at + left - 1] === first[start + left - 1]) left--;
      }
      if (left === 0) {
        if (pending < at) out.put(block, pending, at);
        pending = end + 1;
      } else {
        first = block;
        start = at;
        size = end - at;
      }
      at = end + 1;
    }
    if (pending < at) {
      out.put(block, pending, Math.min(at, block.length));
      if (at > block.length) out.putByte(separator);
    }
    this.#first = first;
    this.#start = start;
    this.#end = start + size;
    this.#lines = 1;
    return at;
  }

  /** Puts out stretches of lines that begin groups in one piece. */
  #takeFirsts(block: Chunk, from: number): number {
    const { separator } = this.#settings;
    const { out } = this;
    const limit = Math.min(block.length, from + STRETCH);
    let pending = from;
    let at = from;
    while (at < limit) {
      const found = findByte(block, separator, at);
      const end = found < 0 ? block.length : found;
      if (this.#repeats(block, at, end)) {
        if (pending < at) out.put(block, pending, at);
        pending = end + 1;
      } else {
        this.#first = block;
        this.#start = at;
        this.#end = end;
        this.#lines = 1;
      }
      at = end + 1;
    }
    if (pending < at) out.put(block, pending, Math.min(at, block.length));
    if (at > block.length && pending < at) out.putByte(separator);
    return at;
  }

  /** Copies the line that is remembered, before its block goes. */
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
    if (this.#settings.after && this.#groups > 0) this.out.putByte(this.#settings.separator);
  }

  /** Whether the line is like the first one of its group; if not, it is a new group's key. */
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
    const keyStart = this.#skip(block, start, end);
    const keyEnd = Math.min(end, keyStart + this.#settings.checkChars);
    const size = keyEnd - keyStart;
    let same = this.#lines > 0 && size === this.#keyEnd - this.#keyStart;
    const from = this.#keyStart;
    for (let i = 0; same && i < size; i++) {
      const a = block[keyStart + i] as number;
      const b = first[from + i] as number;
      same = a === b || (ignoreCase && FOLDED[a] === FOLDED[b]);
    }
    if (!same) {
      this.#keyStart = keyStart;
      this.#keyEnd = keyEnd;
    }
    return same;
  }

  /** Where the comparison begins. */
  #skip(block: Uint8Array, start: number, end: number): number {
    const { skipFields, skipChars } = this.#settings;
    let at = start;
    for (let field = 0; field < skipFields && at < end; field++) {
      while (at < end && isBlank(block[at])) at++;
      while (at < end && !isBlank(block[at])) at++;
    }
    return Math.min(end, at + skipChars);
  }

  /** A new group begins. */
  #begin(block: Chunk, start: number, end: number): void {
    this.#finish();
    this.#first = block;
    this.#start = start;
    this.#end = end;
    if (!this.#settings.allGroups) return;
    this.#open();
    this.#line(block, start, end);
  }

  /** A line of the group, but the first. */
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
    // GNU's `-uD`: all lines of the group but the last.
    this.#line(this.#first, this.#start, this.#end);
    this.#first = block;
    this.#start = start;
    this.#end = end;
    this.#keyStart = this.#skip(block, start, end);
    this.#keyEnd = Math.min(end, this.#keyStart + checkChars);
  }

  /** The empty line before a group. */
  #open(): void {
    const { before, between } = this.#settings;
    if (before || (between && this.#groups > 0)) this.out.putByte(this.#settings.separator);
    this.#groups++;
  }

  /** The group is complete: prints its first line if all depends on the number of lines. */
  #finish(): void {
    const { all, count, singles, repeated } = this.#settings;
    if (this.#lines === 0 || all || this.#firsts) return;
    if (this.#lines === 1 ? !singles : !repeated) return;
    if (count) {
      this.out.putNumber(this.#lines, 7);
      this.out.putByte(32);
    }
    this.#line(this.#first, this.#start, this.#end);
  }

  #line(bytes: Uint8Array, start: number, end: number): void {
    this.out.put(bytes, start, end);
    this.out.putByte(this.#settings.separator);
  }
}

/** Space, tab, and the newline that `-z` allows within a line. */
function isBlank(byte: number | undefined): boolean {
  return byte === 32 || byte === 9 || byte === 10;
}
