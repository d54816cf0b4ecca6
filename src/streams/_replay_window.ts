import type { Chunk } from "./source.ts";

/** The last bytes of a stream, up to a capacity; offsets count the stream's bytes. */
export class ReplayWindow {
  readonly #capacity: number;
  /** Twice the capacity when full, so that bytes are moved only once every `capacity` bytes. */
  #buffer: Chunk = new Uint8Array(0);
  #length = 0;
  #end = 0;

  constructor(capacity: number) {
    if (!Number.isSafeInteger(capacity) || capacity < 0) {
      throw new RangeError(`Cannot keep ${capacity} bytes: give a whole number of at least 0`);
    }
    this.#capacity = capacity;
  }

  /** Offset of the first byte kept. */
  get start(): number {
    return this.#end - Math.min(this.#length, this.#capacity);
  }

  /** Offset after the last byte kept. */
  get end(): number {
    return this.#end;
  }

  append(bytes: Chunk): void {
    this.#end += bytes.length;
    const kept = bytes.subarray(Math.max(0, bytes.length - this.#capacity));
    if (this.#length + kept.length > this.#buffer.length) this.#makeRoom(kept.length);
    this.#buffer.set(kept, this.#length);
    this.#length += kept.length;
  }

  #makeRoom(count: number): void {
    const old = this.#length;
    const keep = Math.min(old, this.#capacity - count);
    const full = this.#capacity * 2;
    const wanted = Math.min(full, Math.max(old + count, this.#buffer.length * 2, 1024));
    if (this.#buffer.length < full && wanted > this.#buffer.length) {
      const grown = new Uint8Array(wanted);
      grown.set(this.#buffer.subarray(old - keep, old));
      this.#buffer = grown;
    } else {
      this.#buffer.copyWithin(0, old - keep, old);
    }
    this.#length = keep;
  }

  /** A copy of the available bytes from offset `from` to `to`. */
  slice(from: number, to: number): Chunk {
    const base = this.#end - this.#length;
    const first = Math.max(from, this.start) - base;
    return this.#buffer.slice(first, Math.max(first, Math.min(to, this.#end) - base));
  }

  /** Drops all bytes; the offset of the next one stays. */
  clear(): void {
    this.#buffer = new Uint8Array(0);
    this.#length = 0;
  }
}
