import {
  type ByteSink,
  type ByteSource,
  type Chunk,
  LimitError,
  type RandomAccess,
  readFully,
} from "../../streams/mod.ts";
import type { BuiltinIo, TempStore } from "../builtin.ts";
import { defaultBuiltinLimits } from "../limits.ts";

const BLOCK = 64 * 1024;
/** Bytes held in memory if temporary storage takes the rest. */
const MEMORY = 8 * 1024 * 1024;

/** Bytes with random access, readable any number of times. */
export interface HeldInput extends RandomAccess {
  /** Releases the memory or file. */
  close(): Promise<void>;
}

/** Bytes in memory, in blocks, so that growing copies nothing. */
class MemoryBlocks implements RandomAccess {
  size = 0;
  readonly #blocks: Chunk[] = [];

  append(chunk: Uint8Array): void {
    for (let done = 0; done < chunk.length;) {
      const at = this.size % BLOCK;
      if (at === 0) this.#blocks.push(new Uint8Array(BLOCK));
      const part = chunk.subarray(done, done + BLOCK - at);
      this.#blocks.at(-1)?.set(part, at);
      this.size += part.length;
      done += part.length;
    }
  }

  read(offset: number, into: Chunk): Promise<number> {
    const size = Math.max(0, Math.min(into.length, this.size - offset));
    for (let done = 0; done < size;) {
      const at = (offset + done) % BLOCK;
      const block = this.#blocks[Math.floor((offset + done) / BLOCK)] as Chunk;
      const part = block.subarray(at, Math.min(BLOCK, at + size - done));
      into.set(part, done);
      done += part.length;
    }
    return Promise.resolve(size);
  }
}

/** Bytes that may be held in memory before the rest goes to temporary storage. */
export function heldInMemory(io: BuiltinIo): number {
  if (io.temp !== undefined) return MEMORY;
  return io.limits?.heldBytesWithoutTemp ?? defaultBuiltinLimits.heldBytesWithoutTemp;
}

/** Creates temporary files in a store that is opened on first use. */
export class Storage {
  readonly #io: BuiltinIo;
  #store: TempStore | undefined;

  /** Makes no file yet. */
  constructor(io: BuiltinIo) {
    this.#io = io;
  }

  /** Bytes that may be held in memory. */
  get memory(): number {
    return heldInMemory(this.#io);
  }

  /**
   * Creates a temporary file.
   *
   * @throws {LimitError} If there is no temporary storage.
   */
  async create(): Promise<{ sink: ByteSink; open(): Promise<ByteSource> }> {
    if (this.#io.temp === undefined) throw tooMuch(this.memory);
    this.#store ??= await this.#io.temp();
    return await this.#store.create();
  }

  /** Removes all created files, which must not be read any more. */
  async release(): Promise<void> {
    const store = this.#store;
    this.#store = undefined;
    await store?.[Symbol.asyncDispose]();
  }
}

/** Keeps bytes for reading later: in memory if they are few, otherwise in temporary storage. */
export class HeldBytes {
  /** Number of bytes. */
  size = 0;
  readonly #storage: Storage;
  #memory: MemoryBlocks = new MemoryBlocks();
  #file: { sink: ByteSink; open(): Promise<ByteSource> } | undefined;

  /** Starts empty. */
  constructor(storage: Storage) {
    this.#storage = storage;
  }

  /** Adds bytes if they fit in memory; false if they don't. */
  put(chunk: Uint8Array): boolean {
    if (this.#file !== undefined || this.size + chunk.length > this.#storage.memory) return false;
    this.#memory.append(chunk);
    this.size += chunk.length;
    return true;
  }

  /**
   * Adds bytes.
   *
   * @throws {LimitError} If they are too many and there is no temporary storage.
   */
  async add(chunk: Chunk): Promise<void> {
    if (this.put(chunk)) return;
    if (this.#file === undefined) {
      this.#file = await this.#storage.create();
      const block: Chunk = new Uint8Array(16 * BLOCK);
      for (let at = 0; at < this.size;) {
        const size = await this.#memory.read(at, block);
        await this.#file.sink.write(block.subarray(0, size));
        at += size;
      }
      this.#memory = new MemoryBlocks();
    }
    await this.#file.sink.write(chunk);
    this.size += chunk.length;
  }

  /** Returns random access to all bytes. No more can be added. */
  async finish(): Promise<HeldInput> {
    const memory = this.#memory;
    if (this.#file === undefined) {
      return {
        size: memory.size,
        read: (offset, into) => memory.read(offset, into),
        close: () => Promise.resolve(),
      };
    }
    await this.#file.sink.close();
    const source = await this.#file.open();
    const { at } = source;
    const close = async (): Promise<void> => void await source.return();
    if (at === undefined) {
      await close();
      throw tooMuch(this.#storage.memory);
    }
    return { size: at.size, read: (offset, into) => at.read(offset, into), close };
  }
}

/**
 * Returns random access to a source. A regular file provides it; a stream is read to its end and
 * kept.
 *
 * @throws {LimitError} If the stream is too long and there is no temporary storage.
 */
export async function holdInput(source: ByteSource, storage: Storage): Promise<HeldInput> {
  const { at } = source;
  // Some files of the operating system, such as those in /proc, report size 0 but have contents.
  if (at !== undefined && at.size > 0) {
    return {
      size: at.size,
      read: (offset, into) => at.read(offset, into),
      close: () => Promise.resolve(),
    };
  }
  const held = new HeldBytes(storage);
  for (;;) {
    const { done, value } = await source.next();
    if (done === true) return await held.finish();
    if (!held.put(value)) await held.add(value);
  }
}

/**
 * Fills a block with bytes that are known to exist.
 *
 * @throws {Error} If the file has become shorter.
 */
export async function readBlock(at: RandomAccess, offset: number, into: Chunk): Promise<void> {
  if (await readFully(at, offset, into) === into.length) return;
  throw new Error("The file has become shorter while it was read");
}

/** Reads bytes in blocks of up to `size` bytes; blocks are lent. */
export async function* blocksOf(
  bytes: RandomAccess,
  start = 0,
  end: number = bytes.size,
  size: number = 4 * BLOCK,
): AsyncGenerator<Chunk, void, void> {
  const block = new Uint8Array(Math.min(size, Math.max(0, end - start)));
  for (let at = start; at < end;) {
    const piece = block.subarray(0, Math.min(block.length, end - at));
    await readBlock(bytes, at, piece);
    yield piece;
    at += piece.length;
  }
}

/** The error for an input too long to hold without temporary storage. */
export function tooMuch(max: number): LimitError {
  const message = `The input is longer than heldBytesWithoutTemp (${max} bytes); ` +
    "raise it or provide temporary storage to go on";
  return new LimitError({ name: "heldBytesWithoutTemp", max }, message);
}
