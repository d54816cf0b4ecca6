const ESC = 0x1b;
const NEWLINE = 0x0a;
/** Most bytes of a line to drop, so that the rest begins with a whole line. */
const LONGEST_CUT = 64 * 1024;
/** Bytes of the smallest buffer. */
const SMALLEST = 16 * 1024;

/**
 * Unread bytes of output, of limited size: when there are too many, the oldest are dropped up to
 * the end of a line. One ring buffer holds them and grows as needed, so a flood leaves no garbage
 * to collect.
 */
export class WaitingBytes {
  readonly #capacity: number;
  #buffer = new Uint8Array();
  #from = 0;
  #length = 0;

  /** `capacity`: most bytes that are kept. */
  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  /** Number of unread bytes. */
  get length(): number {
    return this.#length;
  }

  /** Adds a copy of bytes at the end; returns the number of bytes dropped for it. */
  push(bytes: Uint8Array): number {
    const added = bytes.length > this.#capacity ? bytes.subarray(-this.#capacity) : bytes;
    const over = this.#length + added.length - this.#capacity;
    const before = this.#length;
    if (over > 0) this.#dropLines(over);
    this.#grow(this.#length + added.length);
    const dropped = before - this.#length + bytes.length - added.length;
    const to = (this.#from + this.#length) % this.#buffer.length;
    const first = added.subarray(0, this.#buffer.length - to);
    this.#buffer.set(first, to);
    this.#buffer.set(added.subarray(first.length), 0);
    this.#length += added.length;
    return dropped;
  }

  /** Takes bytes from the beginning, at most `most`; they are valid until the next call. */
  take(most: number): Uint8Array {
    const size = Math.min(most, this.#length, this.#buffer.length - this.#from);
    const taken = this.#buffer.subarray(this.#from, this.#from + size);
    this.#drop(size);
    return taken;
  }

  /** A copy of the last bytes, at most `most`, without taking them. */
  last(most: number): Uint8Array {
    const size = Math.min(most, this.#length);
    const copy = new Uint8Array(size);
    const from = (this.#from + this.#length - size) % (this.#buffer.length || 1);
    const first = this.#buffer.subarray(from, from + size);
    copy.set(first);
    copy.set(this.#buffer.subarray(0, size - first.length), first.length);
    return copy;
  }

  #drop(count: number): void {
    this.#length -= count;
    this.#from = this.#length === 0 ? 0 : (this.#from + count) % this.#buffer.length;
    if (this.#length === 0 && this.#buffer.length > LONGEST_CUT) this.#buffer = new Uint8Array();
  }

  /** Drops `count` bytes, and the rest of their last line or of their last character. */
  #dropLines(count: number): void {
    let end = Math.min(count, this.#length);
    if (this.#at(end - 1) !== NEWLINE) {
      const most = Math.min(this.#length, end + LONGEST_CUT);
      let line = end;
      while (line < most && this.#at(line) !== NEWLINE) line++;
      if (line < most) end = line + 1;
      // A byte 10xxxxxx continues a character.
      else while (end < this.#length && (this.#at(end) & 0xc0) === 0x80) end++;
    }
    this.#drop(end);
  }

  #at(index: number): number {
    return this.#buffer[(this.#from + index) % this.#buffer.length] ?? 0;
  }

  #grow(size: number): void {
    if (size <= this.#buffer.length) return;
    let larger = Math.max(SMALLEST, this.#buffer.length);
    while (larger < size) larger *= 4;
    const buffer = new Uint8Array(Math.min(larger, this.#capacity));
    const first = this.#buffer.subarray(this.#from, this.#from + this.#length);
    buffer.set(first);
    buffer.set(this.#buffer.subarray(0, this.#length - first.length), first.length);
    this.#buffer = buffer;
    this.#from = 0;
  }
}

/**
 * State at the end of a chunk of output: outside a sequence, after ESC, or within one such as ESC
 * `[` `1;`.
 */
export type SequenceState = "none" | "begun" | "parameters";

/**
 * State at the end of output that may wait until it is read, because it has no escape sequences but
 * colours and erased lines: it neither asks the terminal anything nor needs a screen. `undefined`
 * for all other output. `state`: the state before it.
 */
export function afterWaiting(bytes: Uint8Array, state: SequenceState): SequenceState | undefined {
  for (let at = 0; at < bytes.length || state !== "none";) {
    if (state === "none") {
      at = bytes.indexOf(ESC, at) + 1;
      if (at === 0) return state;
      state = "begun";
    }
    if (at === bytes.length) return state;
    if (state === "begun") {
      if (bytes[at++] !== 0x5b) return undefined;
      state = "parameters";
    }
    let byte = bytes[at] ?? 0;
    // Digits, `:` and `;`.
    while (byte >= 0x30 && byte <= 0x3b) byte = bytes[++at] ?? 0;
    if (at === bytes.length) return state;
    // `m` and `K`.
    if (byte !== 0x6d && byte !== 0x4b) return undefined;
    at++;
    state = "none";
  }
  return state;
}
