import type { Chunk, RandomAccess } from "../../../streams/mod.ts";
import { HeldBytes, type HeldInput, readBlock, type Storage } from "../../hold/mod.ts";
import type { JoinLine, JoinLineMaker } from "./lines.ts";

/** Memory for the lines of one group, in bytes; further lines go to `HeldBytes`. */
const MEMORY = 4 * 1024 * 1024;
/** Memory of a line in addition to its bytes. */
const LINE_OVERHEAD = 200;
/** Size of the length field before each stored line. */
const LENGTH = 4;
const BLOCK = 64 * 1024;
const NOTHING: Chunk = new Uint8Array(0);

/**
 * Lines of one file that share a key. They are read once for each line of the other file with that
 * key.
 */
export class JoinGroup {
  readonly #storage: Storage;
  readonly #maker: JoinLineMaker;
  readonly #memory: JoinLine[] = [];
  #size = 0;
  #rest: HeldBytes | undefined;
  #buffer: Chunk = NOTHING;
  #buffered = 0;
  #input: HeldInput | undefined;

  /** Creates an empty group; `maker` creates its lines. */
  constructor(storage: Storage, maker: JoinLineMaker) {
    this.#storage = storage;
    this.#maker = maker;
  }

  /** All lines, if they are in memory. */
  get inMemory(): readonly JoinLine[] | undefined {
    return this.#rest === undefined ? this.#memory : undefined;
  }

  /**
   * Adds a line.
   *
   * @throws {LimitError} If there are too many for memory and there is no temporary storage.
   */
  async add(line: JoinLine): Promise<void> {
    const { bytes } = line;
    this.#size += bytes.length + LINE_OVERHEAD;
    if (this.#rest === undefined && this.#size <= MEMORY) {
      this.#memory.push(line);
      return;
    }
    if (this.#rest === undefined) {
      this.#rest = new HeldBytes(this.#storage);
      this.#buffer = new Uint8Array(BLOCK);
    }
    if (this.#buffered + LENGTH + bytes.length > BLOCK) await this.#write();
    const { length } = bytes;
    if (LENGTH + length > BLOCK) {
      await this.#rest.add(Uint8Array.of(length >>> 24, length >>> 16, length >>> 8, length));
      await this.#rest.add(bytes);
      return;
    }
    new DataView(this.#buffer.buffer).setUint32(this.#buffered, length);
    this.#buffer.set(bytes, this.#buffered + LENGTH);
    this.#buffered += LENGTH + length;
  }

  /** Writes the buffered lines to `HeldBytes`. */
  async #write(): Promise<void> {
    await this.#rest?.add(this.#buffer.subarray(0, this.#buffered));
    this.#buffered = 0;
  }

  /** Iterates over the lines. */
  async *lines(): AsyncGenerator<JoinLine, void, void> {
    yield* this.#memory;
    if (this.#rest === undefined) return;
    if (this.#input === undefined) {
      await this.#write();
      this.#input = await this.#rest.finish();
    }
    for await (const bytes of records(this.#input)) yield this.#maker.make(bytes);
  }

  /** Releases the lines. */
  async close(): Promise<void> {
    await this.#input?.close();
  }
}

/** The lines of a file in which each line follows its length. They are lent. */
async function* records(at: RandomAccess): AsyncGenerator<Chunk, void, void> {
  let block: Chunk = new Uint8Array(BLOCK);
  for (let offset = 0; offset < at.size;) {
    const size = Math.min(block.length, at.size - offset);
    await readBlock(at, offset, block.subarray(0, size));
    const view = new DataView(block.buffer);
    let used = 0;
    let needed = LENGTH;
    while (used + LENGTH <= size) {
      const length = view.getUint32(used);
      needed = LENGTH + length;
      if (used + needed > size) break;
      yield block.subarray(used + LENGTH, used + needed);
      used += needed;
    }
    offset += used;
    if (used === 0 && needed > block.length) block = new Uint8Array(needed);
  }
}
