import type { RandomAccess } from "../../../streams/mod.ts";
import { blocksOf, HeldBytes, type Storage } from "../../hold/mod.ts";

/** A result that waits to be written. */
export interface PatchResult {
  /** Name of the file. */
  readonly name: string;
  /** The new contents; `undefined` for a file that is only backed up. */
  readonly bytes: RandomAccess | undefined;
  readonly backUp: boolean;
  /** The new permission bits, if any. */
  readonly mode: number | undefined;
}

interface Entry extends Omit<PatchResult, "bytes"> {
  readonly start: number;
  /** `undefined` for a file that is only backed up. */
  readonly size: number | undefined;
}

/** Results to be written later, held one after another: in memory if they are short. */
export class ResultQueue {
  readonly #storage: Storage;
  #entries: Entry[] = [];
  #held: HeldBytes;

  /** Starts empty. */
  constructor(storage: Storage) {
    this.#storage = storage;
    this.#held = new HeldBytes(storage);
  }

  /** True if there is a result for a file whose name passes the test. */
  has(isWanted: (name: string) => boolean): boolean {
    return this.#entries.some(({ name }) => isWanted(name));
  }

  /** Adds a result. */
  async add({ bytes, ...rest }: PatchResult): Promise<void> {
    const held = this.#held;
    this.#entries.push({ ...rest, start: held.size, size: bytes?.size });
    if (bytes !== undefined) { for await (const piece of blocksOf(bytes)) await held.add(piece); }
  }

  /** Yields all results in order and empties the queue. */
  async *take(): AsyncGenerator<PatchResult, void, void> {
    const entries = this.#entries;
    if (entries.length === 0) return;
    const held = this.#held;
    this.#entries = [];
    this.#held = new HeldBytes(this.#storage);
    const all = await held.finish();
    try {
      for (const { start, size, ...rest } of entries) {
        const bytes: RandomAccess | undefined = size === undefined ? undefined : {
          size,
          read: (offset, into) => all.read(start + offset, into.subarray(0, size - offset)),
        };
        yield { ...rest, bytes };
      }
    } finally {
      await all.close();
    }
  }
}
