import { ReplayWindowError } from "./replay_source.ts";
import { type ByteSink, type ByteSource, type Chunk, Source } from "./source.ts";
import type { TempStore } from "./temp_store.ts";

/** Options of a {@linkcode Spool}. */
export interface SpoolOptions {
  /** Bytes that are kept in memory. Default 16 MiB. */
  readonly memory?: number;
  /**
   * Where older bytes go. Without it, or when it fails, only the last bytes are kept, as many as
   * `memory` holds.
   */
  readonly storage?: (() => Promise<TempStore>) | undefined;
}

/** Bytes that are moved to the file, or forgotten, at once. */
const BLOCK = 256 * 1024;
/** The smallest and the largest buffer of a reader. */
const LEAST_READ = 64 * 1024;
const MOST_READ = 1024 * 1024;

interface Block {
  readonly bytes: Chunk;
  length: number;
}

/**
 * Keeps what flows out of a stream, so that it can be read any number of times, as a file can: the
 * last bytes in memory, older ones in a temporary file.
 *
 * The stream is pulled when the reader that is furthest on asks for more, and by nobody else, so
 * back-pressure stays; each byte is pulled once, however many readers there are. Readers that end
 * leave the stream open: {@linkcode Spool.close} closes it.
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
  /** Offset of the first byte in memory, and of the one after the last. */
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

  /** Wraps `stream`, which from now on only this object may read and close. */
  constructor(stream: ByteSource, { memory = 16 * 1024 * 1024, storage }: SpoolOptions = {}) {
    this.#stream = stream;
    this.#memory = memory;
    this.#makeStorage = storage;
  }

  /** Offset of the first byte that can still be read: 0, unless bytes could not be kept. */
  get start(): number {
    return this.#start;
  }

  /** How many bytes came out of the stream so far. */
  get end(): number {
    return this.#end;
  }

  /**
   * Reads bytes from `offset` into the beginning of `into`; waits for the stream where they have
   * not come yet. Resolves to the number of bytes, 0 at the end of the stream.
   *
   * @throws {ReplayWindowError} If the byte at `offset` could not be kept.
   * @throws The stream's error, once all that came before it was read.
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
        // What others pull is for this reader, too.
        await (this.#pending ??= this.#pull());
      }
    }
  }

  /** All bytes from `offset` on, for one reader of several. Closing it leaves the stream open. */
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

  /** Moves the oldest block to the file, or forgets it. */
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

  /** Says whether the bytes are in the file; without one they are not. */
  async #store(bytes: Chunk): Promise<boolean> {
    if (this.#makeStorage === undefined) return false;
    try {
      this.#storage ??= await this.#makeStorage();
      this.#file ??= await this.#storage.create();
      await this.#file.sink.write(bytes);
      return true;
    } catch {
      // A full disk, or no permission: readers that come too late are told what is there.
      await this.#dropFile();
      return false;
    }
  }

  async #dropFile(): Promise<void> {
    const [opened, file, storage] = [this.#opened, this.#file, this.#storage];
    this.#opened = this.#file = this.#storage = undefined;
    // What cannot be released now goes with the process.
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

  /** 0 where the file went away, or the bytes came back to be looked for in memory. */
  async #fromFile(offset: number, into: Chunk): Promise<number> {
    const room = into.subarray(0, Math.min(into.length, this.#first - offset));
    const opened = this.#opened ??= await this.#file?.open();
    const count = await opened?.at?.read(offset, room) ?? 0;
    if (count > 0 || this.#file === undefined) return count;
    // Storage whose files are fixed when they are opened shows more when it is opened again.
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
