import type { Chunk } from "../../../streams/mod.ts";
import { HeldBytes, type HeldInput, readBlock, type Storage } from "../../hold/mod.ts";
import { findByte, lineTooLong } from "../../text/mod.ts";

/** The offset of each line whose number is a multiple of this is remembered. */
const STEP = 64;
/** Bytes read at once, at first. */
const WINDOW = 16 * 1024;

/** Lines in temporary storage, accessible by number, with little memory for each. */
export class NumberedFile {
  /** Number of lines. */
  count = 0;
  readonly #held: HeldBytes;
  readonly #separator: number;
  readonly #lineBytes: number;
  #places = new Float64Array(1024);
  #input: HeldInput | undefined;
  #window: Chunk = new Uint8Array(WINDOW);

  constructor(storage: Storage, separator: number, lineBytes: number) {
    this.#held = new HeldBytes(storage);
    this.#separator = separator;
    this.#lineBytes = lineBytes;
  }

  /** Adds whole lines; a missing last separator is added. */
  async add(block: Chunk): Promise<void> {
    const { size } = this.#held;
    for (let start = 0; start < block.length; this.count++) {
      if (this.count % STEP === 0) this.#remember(this.count / STEP, size + start);
      const found = findByte(block, this.#separator, start);
      start = found < 0 ? block.length : found + 1;
    }
    await this.#held.add(block);
    if (block.at(-1) !== this.#separator) await this.#held.add(Uint8Array.of(this.#separator));
  }

  #remember(index: number, place: number): void {
    if (index === this.#places.length) {
      const grown = new Float64Array(2 * index);
      grown.set(this.#places);
      this.#places = grown;
    }
    this.#places[index] = place;
  }

  /** Returns a line with its separator, lent until the next call. No lines can be added then. */
  async line(number: number): Promise<Chunk> {
    const input = this.#input ??= await this.#held.finish();
    let at = this.#places[Math.floor(number / STEP)] as number;
    let left = number % STEP;
    for (;;) {
      const size = Math.min(this.#window.length, input.size - at);
      const block = this.#window.subarray(0, size);
      await readBlock(input, at, block);
      let start = 0;
      for (;;) {
        const found = findByte(block, this.#separator, start);
        if (found < 0) break;
        if (left === 0) return block.subarray(start, found + 1);
        left--;
        start = found + 1;
      }
      at += start;
      if (start > 0) continue;
      if (size > this.#lineBytes) throw lineTooLong(this.#lineBytes);
      this.#window = new Uint8Array(2 * this.#window.length);
    }
  }

  /** Releases the file. */
  async close(): Promise<void> {
    await this.#input?.close();
  }
}
