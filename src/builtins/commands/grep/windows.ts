import type { ByteSource, Chunk } from "../../../streams/mod.ts";
import { scanBytes } from "./scan.ts";
import { Space } from "../../text/mod.ts";

/** GNU grep reads files in windows of this size, and searches each window for NUL. */
const FILE_WINDOW = 96 * 1024;
/** The size of its reads from a pipe. */
const PIPE_WINDOW = 64 * 1024;
/** Time that a window waits for a slow source to fill it, in milliseconds. */
const PATIENCE = 10;

/**
 * Splits a source into blocks of whole lines, and detects if a NUL makes it binary.
 *
 * GNU grep treats a file as binary from the first of its reads that contains a NUL, lines before
 * the NUL included. So that the output does not depend on the sizes of chunks, lines are output in
 * windows of GNU's read size. When a source pauses, the lines received so far are output.
 */
export class WindowReader {
  /** True if the following blocks have a NUL in their window or in an earlier one. */
  binary = false;
  /** True if the last block returned is known to be ASCII. */
  ascii = false;
  readonly #source: ByteSource;
  readonly #held: Space;
  /** Offset of the first held byte in the source. */
  #offset = 0;
  #heldAscii = true;
  /** Offset in the source up to which the held bytes have no newline. */
  #bare = 0;
  #rest: Chunk | undefined;
  #restAscii = true;
  /** Lines that end at or before this offset in the source may be returned. */
  #safe = 0;
  #binaryFrom = Infinity;
  #pending: Promise<IteratorResult<Chunk, void>> | undefined;
  #ended = false;

  readonly #window: number;
  /** A file never pauses: the speed of its reads must not change the output. */
  readonly #isFile: boolean;

  /** Creates a reader of lines that end with a newline and have at most `longest` bytes. */
  constructor(source: ByteSource, isFile: boolean, longest: number) {
    this.#source = source;
    // A window of lines may be held in addition.
    this.#held = new Space(4096, longest + FILE_WINDOW, longest);
    this.#isFile = isFile;
    this.#window = isFile ? FILE_WINDOW : PIPE_WINDOW;
  }

  /** Returns the next block of whole lines, lent until the next call; `undefined` at the end. */
  async next(): Promise<Chunk | undefined> {
    for (;;) {
      const block = this.#ready();
      if (block !== undefined) return block;
      if (this.#binaryFrom < Infinity && !this.binary) {
        this.binary = true;
        this.#safe = Infinity;
        continue;
      }
      if (this.#ended) return undefined;
      this.#keepRest();
      await this.#read();
    }
  }

  /** The lines that can be returned now, if any. */
  #ready(): Chunk | undefined {
    const held = this.#held;
    const rest = this.#rest;
    if (held.length > 0) {
      const joins = this.#safe - this.#offset - held.length;
      if (rest !== undefined && joins > 0) {
        const found = rest.indexOf(10);
        if (found >= 0 && found < joins) {
          held.append(rest, 0, found + 1);
          this.#rest = found + 1 < rest.length ? rest.subarray(found + 1) : undefined;
          this.#heldAscii &&= this.#restAscii;
          return this.#takeHeld(held.end);
        }
      }
      const limit = Math.min(held.end, held.start + this.#safe - this.#offset);
      if (this.#ended && limit === held.end) return this.#takeHeld(held.end);
      const from = this.#bareEnd;
      const last = from < limit ? held.bytes.subarray(from, limit).lastIndexOf(10) : -1;
      if (limit > from) this.#bare = this.#offset + limit - held.start;
      return last >= 0 ? this.#takeHeld(from + last + 1) : undefined;
    }
    if (rest === undefined) return undefined;
    const limit = Math.min(rest.length, this.#safe - this.#offset);
    const last = limit > 0 ? rest.lastIndexOf(10, limit - 1) : -1;
    if (last < 0) return undefined;
    this.ascii = this.#restAscii;
    this.#offset += last + 1;
    this.#rest = last + 1 < rest.length ? rest.subarray(last + 1) : undefined;
    return rest.subarray(0, last + 1);
  }

  /** Index in the held bytes from which on there may be a newline. */
  get #bareEnd(): number {
    return this.#held.start + Math.max(0, this.#bare - this.#offset);
  }

  #takeHeld(end: number): Chunk {
    const held = this.#held;
    const block = held.bytes.subarray(held.start, end);
    this.#offset += block.length;
    this.ascii = this.#heldAscii;
    held.start = end;
    if (held.length === 0) {
      held.clear();
      this.#heldAscii = true;
    }
    return block;
  }

  #keepRest(): void {
    if (this.#rest === undefined) return;
    this.#held.append(this.#rest);
    this.#heldAscii &&= this.#restAscii;
    this.#rest = undefined;
  }

  async #read(): Promise<void> {
    this.#pending ??= this.#source.next();
    const pending = this.#pending;
    const { bytes, end: heldEnd } = this.#held;
    const waits = !this.#isFile && !this.binary &&
      bytes.subarray(this.#bareEnd, heldEnd).includes(10);
    const result = waits ? await within(pending, PATIENCE) : await pending;
    const before = this.#offset + this.#held.length;
    if (result === undefined) {
      this.#safe = before;
      return;
    }
    this.#pending = undefined;
    if (result.done === true) {
      this.#ended = true;
      this.#safe = Infinity;
      return;
    }
    this.#rest = result.value;
    this.#restAscii = false;
    if (this.binary) return;
    const { nul, ascii } = scanBytes(result.value);
    this.#restAscii = ascii && nul < 0;
    const end = before + result.value.length;
    if (nul >= 0) this.#binaryFrom = this.#safe = this.#windowStart(before + nul);
    else this.#safe = Math.max(this.#safe, this.#windowStart(end));
  }

  #windowStart(offset: number): number {
    return offset - offset % this.#window;
  }
}

/** The value of a promise, or `undefined` after `ms` milliseconds. */
async function within<T>(promise: Promise<T>, ms: number): Promise<T | undefined> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<undefined>((resolve) => {
    // Waits for one more turn of the event loop, so that a busy machine does not look like a pause
    // of the source.
    timer = setTimeout(() => timer = setTimeout(() => resolve(undefined), 1), ms);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
    promise.catch(() => {});
  }
}
