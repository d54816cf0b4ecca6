import type { Chunk, RandomAccess } from "../streams/mod.ts";
import { HeldBytes, type HeldInput, readFully, type Storage } from "./_held_bytes.ts";
import { type JoinLine, splitFields } from "./_join_lines.ts";

/** What the lines of one group may take in memory, in bytes; others go where `HeldBytes` has room. */
const MEMORY = 4 * 1024 * 1024;
/** What a line and a field take besides the bytes. */
const LINE_OVERHEAD = 120;
const FIELD_OVERHEAD = 16;
/** How each line's length stands before it. */
const LENGTH = 4;
const BLOCK = 64 * 1024;

/** Lines of one file that share a key: they are gone through once for each one of the other file. */
export class JoinGroup {
  readonly #storage: Storage;
  readonly #tab: number;
  readonly #memory: JoinLine[] = [];
  #size = 0;
  #rest: HeldBytes | undefined;
  #input: HeldInput | undefined;

  /** Has no lines yet; `tab` as in the settings. */
  constructor(storage: Storage, tab: number) {
    this.#storage = storage;
    this.#tab = tab;
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
    const { bytes, fields } = line;
    this.#size += bytes.length + LINE_OVERHEAD + fields.length * FIELD_OVERHEAD;
    if (this.#rest === undefined && this.#size <= MEMORY) {
      this.#memory.push(line);
      return;
    }
    this.#rest ??= new HeldBytes(this.#storage);
    const record = new Uint8Array(LENGTH + bytes.length);
    new DataView(record.buffer).setUint32(0, bytes.length);
    record.set(bytes, LENGTH);
    if (!this.#rest.put(record)) await this.#rest.add(record);
  }

  /** Goes through the lines. */
  async *lines(): AsyncGenerator<JoinLine, void, void> {
    yield* this.#memory;
    if (this.#rest === undefined) return;
    this.#input ??= await this.#rest.finish();
    for await (const bytes of records(this.#input)) yield splitFields(bytes, this.#tab);
  }

  /** Forgets the lines. */
  async close(): Promise<void> {
    await this.#input?.close();
  }
}

/** The lines of a file in which the length of each stands before it. They are lent. */
async function* records(at: RandomAccess): AsyncGenerator<Chunk, void, void> {
  let block: Chunk = new Uint8Array(BLOCK);
  for (let offset = 0; offset < at.size;) {
    const size = Math.min(block.length, at.size - offset);
    await readFully(at, offset, block.subarray(0, size));
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
