import type { ByteSink, ByteSource, Chunk } from "../../../streams/mod.ts";
import type { RandomNumbers } from "../../core/mod.ts";
import type { Storage } from "../../hold/mod.ts";
import { findByte } from "../../text/mod.ts";

/** Number of temporary files among which lines are scattered. */
const FILES = 64;
/** Most and fewest bytes collected for each file before they are written. */
const BUFFER = 64 * 1024;
const LEAST_BUFFER = 512;

/** One temporary file, with its size and its number of lines. */
class Part {
  size = 0;
  count = 0;
  readonly #file: { sink: ByteSink; open(): Promise<ByteSource> };
  readonly #buffer: Chunk;
  #used = 0;

  constructor(file: { sink: ByteSink; open(): Promise<ByteSource> }, buffer: number) {
    this.#file = file;
    this.#buffer = new Uint8Array(buffer);
  }

  /** Adds a line if the buffer has room for it; returns false otherwise. */
  put(block: Chunk, start: number, end: number): boolean {
    if (end - start > this.#buffer.length - this.#used) return false;
    const buffer = this.#buffer;
    let at = this.#used;
    for (let i = start; i < end; i++) buffer[at++] = block[i] as number;
    this.#used += end - start;
    this.size += end - start;
    this.count++;
    return true;
  }

  /** Adds a line of any length. */
  async add(block: Chunk, start: number, end: number): Promise<void> {
    await this.#flush();
    if (this.put(block, start, end)) return;
    await this.#file.sink.write(block.subarray(start, end));
    this.size += end - start;
    this.count++;
  }

  async #flush(): Promise<void> {
    if (this.#used > 0) await this.#file.sink.write(this.#buffer.subarray(0, this.#used));
    this.#used = 0;
  }

  async close(): Promise<void> {
    await this.#flush();
    await this.#file.sink.close();
  }

  open(): Promise<ByteSource> {
    return this.#file.open();
  }
}

/**
 * Lines in temporary storage, each in one of several files chosen at random. If each file is
 * shuffled, the files one after the other are all lines in random order.
 */
export class ScatteredLines {
  /** The files, complete after {@linkcode ScatteredLines.finish}. */
  readonly parts: Pick<Part, "size" | "count" | "open">[] = [];
  readonly #open: Part[] = [];
  readonly #storage: Storage;
  readonly #separator: number;
  readonly #random: RandomNumbers;
  readonly #buffer: number;

  /** `memory` limits the bytes collected for all files together. */
  constructor(storage: Storage, separator: number, random: RandomNumbers, memory: number) {
    this.#buffer = Math.max(LEAST_BUFFER, Math.min(BUFFER, Math.floor(memory / FILES)));
    this.#storage = storage;
    this.#separator = separator;
    this.#random = random;
  }

  /** Adds whole lines; a missing last separator is added. */
  async add(block: Chunk): Promise<void> {
    while (this.#open.length < FILES) {
      this.#open.push(new Part(await this.#storage.create(), this.#buffer));
    }
    const end = block.length;
    for (let start = 0; start < end;) {
      const found = findByte(block, this.#separator, start);
      const next = found < 0 ? end : found + 1;
      const part = this.#open[this.#random.choose(FILES)] as Part;
      if (found < 0) {
        const line: Chunk = new Uint8Array(end - start + 1);
        line.set(block.subarray(start));
        line[end - start] = this.#separator;
        await part.add(line, 0, line.length);
      } else if (!part.put(block, start, next)) await part.add(block, start, next);
      start = next;
    }
  }

  /** Writes the lines still in memory. */
  async finish(): Promise<void> {
    for (const part of this.#open.splice(0)) {
      await part.close();
      this.parts.push(part);
    }
  }
}
