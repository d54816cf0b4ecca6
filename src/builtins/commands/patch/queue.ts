import type { RandomAccess } from "../../../streams/mod.ts";
import { blocksOf, HeldBytes, type HeldInput, type Storage } from "../../hold/mod.ts";

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

/** Results that are written later, held one behind another: in memory if they are short. */
export class ResultQueue {
  readonly #storage: Storage;
  #entries: Entry[] = [];
  #held: HeldBytes;
  #finished: HeldInput | undefined;

  /** Holds nothing yet. */
  constructor(storage: Storage) {
    this.#storage = storage;
    this.#held = new HeldBytes(storage);
  }

  /** Takes a result down. */
  async add({ bytes, ...rest }: PatchResult): Promise<void> {
    const held = this.#held;
    const entry = { ...rest, start: held.size, size: bytes?.size };
    if (bytes !== undefined) { for await (const piece of blocksOf(bytes)) await held.add(piece); }
    this.#entries.push(entry);
  }

  /**
   * Gives all results in the order in which they came. Each is forgotten when the next one is asked
   * for: one that could not be written is given again.
   */
  async *take(): AsyncGenerator<PatchResult, void, void> {
    if (this.#entries.length === 0) return;
    const held = this.#finished ??= await this.#held.finish();
    for (let entry = this.#entries[0]; entry !== undefined; entry = this.#entries[0]) {
      const { start, size, ...rest } = entry;
      const bytes: RandomAccess | undefined = size === undefined ? undefined : {
        size,
        read: (offset, into) => held.read(start + offset, into.subarray(0, size - offset)),
      };
      yield { ...rest, bytes };
      this.#entries.shift();
    }
    await this.close();
  }

  /** Forgets all results and releases what holds them. */
  async close(): Promise<void> {
    this.#entries = [];
    this.#held = new HeldBytes(this.#storage);
    const held = this.#finished;
    this.#finished = undefined;
    await held?.close();
  }
}
