import { ReplayWindowError } from "./replay_source.ts";
import { type ByteSink, type ByteSource, type Chunk, Source } from "./source.ts";
import type { TempStore } from "./temp_store.ts";

/** Options of a {@linkcode Spool}. */
export interface SpoolOptions {
  /** Bytes that are kept in memory. Default 16 MiB. */
  readonly memory?: number;
  /**
   * Creates storage for older bytes. Without it, or if it fails, only the last `memory` bytes are
   * kept.
   */
  readonly storage?: (() => Promise<TempStore>) | undefined;
}

/** Number of bytes moved to the file, or dropped, at once. */
const BLOCK = 256 * 1024;
/** Smallest and largest buffer of a reader. */
const LEAST_READ = 64 * 1024;
const MOST_READ = 1024 * 1024;

interface Block {
  readonly bytes: Chunk;
  length: number;
}

/**
 * Keeps the output of a stream so that it can be read any number of times, like a file: the last
 * bytes in memory, older ones in a temporary file.
 *
 * The stream is pulled only when the furthest reader asks for more, so back-pressure works, and
 * each byte is pulled once for all readers. Readers that end leave the stream open: {@linkcode
 * Spool.close} closes it.
 *
 * @example
 * ```ts
 * import { memorySource, Spool } from "@llmcmd/llmcmd/streams";
 * import assert from "node:assert/strict";
 *
 * const spool = new Spool(memorySource("one\ntwo\n"));
 * for (const _ of ["first", "second"]) {
 *   let text = "";
 *   for await (const chunk of spool.source()) text += new TextDecoder().decode(chunk);
 *   assert.equal(text, "one\ntwo\n");
 * }
 * await spool.close();
 * ```
 */
export class Spool {
  readonly #stream: ByteSource;
  readonly #memory: number;
  readonly #makeStorage: (() => Promise<TempStore>) | undefined;
  #blocks: Block[] = [];
  #spare: Chunk[] = [];
  /** Offsets of the first byte in memory, and after the last one. */
  #first = 0;
  #end = 0;
  /** Offset of the first byte that can still be read. */
  #start = 0;
  #storage: TempStore | undefined;
  #file: { sink: ByteSink; open(): Promise<ByteSource> } | undefined;
  #opened: ByteSource | undefined;
  #pending: Promise<void> | undefined;
  #ended = false;
  #closed = false;
  #failure: { readonly error: unknown } | undefined;

  /** Wraps `stream`, which only this object may read and close from now on. */
  constructor(stream: ByteSource, { memory = 16 * 1024 * 1024, storage }: SpoolOptions = {}) {
    this.#stream = stream;
    this.#memory = memory;
    this.#makeStorage = storage;
  }

  /** Offset of the first byte that can still be read: 0, unless bytes had to be dropped. */
  get start(): number {
    return this.#start;
  }

  /** Number of bytes read from the stream so far. */
  get end(): number {
    return this.#end;
  }

  /**
   * Reads bytes from `offset` on into the beginning of `into`; waits for the stream if necessary.
   * Resolves to the number of bytes, 0 at the end of the stream.
   *
   * @throws {ReplayWindowError} If the byte at `offset` was dropped.
   * @throws The stream's error, after all bytes before it were read.
   */
  async read(offset: number, into: Chunk): Promise<number> {
    for (;;) {
      if (offset < this.#start) throw new ReplayWindowError(offset, this.#start);
      if (offset < this.#end) {
        if (offset >= this.#first) return this.#fromMemory(offset, into);
        const count = await this.#fromFile(offset, into);
        if (count > 0) return count;
      } else {
        if (this.#failure !== undefined) throw this.#failure.error;
        if (this.#ended || this.#closed) return 0;
        // A pull serves all waiting readers.
        await (this.#pending ??= this.#pull());
      }
    }
  }

  /**
   * A source of all bytes from `offset` on. There may be several; closing one leaves the stream
   * open.
   */
  source(offset = 0): ByteSource {
    return new SpoolReader(this, offset);
  }

  /** Closes the stream and removes the temporary file. Idempotent. */
  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    this.#start = this.#first = this.#end;
    this.#blocks = [];
    this.#spare = [];
    await this.#stream.return();
    await this.#pending;
    await this.#dropFile();
  }

  /** Pulls once; never rejects. */
  async #pull(): Promise<void> {
    try {
      const { done, value } = await this.#stream.next();
      if (done === true) this.#ended = true;
      else if (!this.#closed) await this.#append(value);
    } catch (error) {
      this.#failure = { error };
    } finally {
      this.#pending = undefined;
    }
  }

  async #append(chunk: Chunk): Promise<void> {
    for (let at = 0; at < chunk.length;) {
      let last = this.#blocks.at(-1);
      if (last === undefined || last.length === last.bytes.length) {
        last = { bytes: this.#spare.pop() ?? new Uint8Array(BLOCK), length: 0 };
        this.#blocks.push(last);
      }
      const part = chunk.subarray(at, at + last.bytes.length - last.length);
      last.bytes.set(part, last.length);
      last.length += part.length;
      at += part.length;
    }
    this.#end += chunk.length;
    while (this.#end - this.#first > this.#memory && this.#blocks.length > 1) await this.#spill();
  }

  /** Moves the oldest block to the file, or drops it. */
  async #spill(): Promise<void> {
    const [block] = this.#blocks;
    if (block === undefined) return;
    const stored = this.#start === 0 && await this.#store(block.bytes.subarray(0, block.length));
    if (this.#closed) return;
    this.#blocks.shift();
    this.#first += block.length;
    this.#spare.push(block.bytes);
    if (!stored) this.#start = this.#first;
  }

  /** Appends bytes to the file; false if that is not possible. */
  async #store(bytes: Chunk): Promise<boolean> {
    if (this.#makeStorage === undefined) return false;
    try {
      this.#storage ??= await this.#makeStorage();
      this.#file ??= await this.#storage.create();
      await this.#file.sink.write(bytes);
      return true;
    } catch {
      // The disk is full or permission is missing: later readers get a ReplayWindowError.
      await this.#dropFile();
      return false;
    }
  }

  async #dropFile(): Promise<void> {
    const [opened, file, storage] = [this.#opened, this.#file, this.#storage];
    this.#opened = this.#file = this.#storage = undefined;
    // Ignores errors: resources that cannot be released now end with the process.
    await Promise.allSettled([opened?.return(), file?.sink.close()]);
    await Promise.allSettled([storage?.[Symbol.asyncDispose]()]);
  }

  #fromMemory(offset: number, into: Chunk): number {
    let at = offset - this.#first;
    let count = 0;
    for (const { bytes, length } of this.#blocks) {
      if (at >= length) {
        at -= length;
        continue;
      }
      const part = bytes.subarray(at, Math.min(length, at + into.length - count));
      into.set(part, count);
      count += part.length;
      at = 0;
      if (count === into.length) break;
    }
    return count;
  }

  /** Returns 0 if the file is gone, and the caller looks in memory again. */
  async #fromFile(offset: number, into: Chunk): Promise<number> {
    const room = into.subarray(0, Math.min(into.length, this.#first - offset));
    const opened = this.#opened ??= await this.#file?.open();
    const count = await opened?.at?.read(offset, room) ?? 0;
    if (count > 0 || this.#file === undefined) return count;
    // Some storage shows only what was written before opening, so it is opened again.
    this.#opened = undefined;
    await opened?.return();
    const again = this.#opened ??= await this.#file.open();
    const more = await again.at?.read(offset, room) ?? 0;
    if (more === 0) throw new ReplayWindowError(offset, this.#first);
    return more;
  }
}

class SpoolReader extends Source {
  readonly #spool: Spool;
  #offset: number;
  #buffer: Chunk = new Uint8Array(0);
  #size = LEAST_READ;

  constructor(spool: Spool, offset: number) {
    super();
    this.#spool = spool;
    this.#offset = offset;
  }

  protected override async pull(): Promise<Chunk | undefined> {
    if (this.#buffer.length < this.#size) this.#buffer = new Uint8Array(this.#size);
    const count = await this.#spool.read(this.#offset, this.#buffer);
    if (count === 0) return undefined;
    this.#offset += count;
    if (count === this.#size) this.#size = Math.min(this.#size * 4, MOST_READ);
    return this.#buffer.subarray(0, count);
  }

  protected override release(): void {
    this.#buffer = new Uint8Array(0);
  }
}
