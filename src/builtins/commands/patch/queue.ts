import type { RandomAccess } from "../../../streams/mod.ts";
import { blocksOf, HeldBytes, type Storage } from "../../hold/mod.ts";

/** A result on its way to its file. */
export interface PatchResult {
  /** The file. */
  readonly name: string;
  /** What it gets; `undefined` for one that stays and is only backed up. */
  readonly bytes: RandomAccess | undefined;
  readonly backUp: boolean;
  /** Permission bits that it gets, if any. */
  readonly mode: number | undefined;
}

interface Entry extends Omit<PatchResult, "bytes"> {
  readonly start: number;
  /** `undefined` for a file that stays. */
  readonly size: number | undefined;
}

/** Results that are written later, held one after another: in memory if they are short. */
export class ResultQueue {
  readonly #storage: Storage;
  #entries: Entry[] = [];
  #held: HeldBytes;

  /** Holds nothing yet. */
  constructor(storage: Storage) {
    this.#storage = storage;
    this.#held = new HeldBytes(storage);
  }

  /** Whether there is a result for one of those files. */
  has(isWanted: (name: string) => boolean): boolean {
    return this.#entries.some(({ name }) => isWanted(name));
  }

  /** Takes a result down. */
  async add({ bytes, ...rest }: PatchResult): Promise<void> {
    const held = this.#held;
    this.#entries.push({ ...rest, start: held.size, size: bytes?.size });
    if (bytes !== undefined) { for await (const piece of blocksOf(bytes)) await held.add(piece); }
  }

  /** Gives all results in the order in which they came, and forgets them. */
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
