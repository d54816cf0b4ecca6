import type { ByteSink, ByteSource, Chunk } from "../../streams/mod.ts";
import { countSeparators } from "./block_queue.ts";
import type { TempStore } from "../builtin.ts";

/** The size of one temporary file in bytes. */
const SEGMENT = 16 * 1024 * 1024;

interface Segment {
  readonly store: TempStore;
  readonly file: { readonly sink: ByteSink; open(): Promise<ByteSource> };
  bytes: number;
  /** Number of separators. */
  lines: number;
}

/**
 * The latest bytes of a stream, in temporary storage. They are split into segments, so that the
 * oldest can be read or dropped and its file removed.
 */
export class SpillQueue {
  readonly #temp: () => Promise<TempStore>;
  readonly #separator: number;
  readonly #segments: Segment[] = [];
  /** The last segment while it is being written. */
  #open: Segment | undefined;
  #last = -1;
  /** Bytes in the queue. */
  bytes = 0;
  /** Separators in the queue. */
  lines = 0;

  /** Creates an empty queue for lines that end with `separator`. Each segment has its own store. */
  constructor(temp: () => Promise<TempStore>, separator: number) {
    this.#temp = temp;
    this.#separator = separator;
  }

  /** True if the last line is incomplete: the last byte is not a separator. */
  get unfinished(): boolean {
    return this.bytes > 0 && this.#last !== this.#separator;
  }

  /** Numbers of bytes and separators in the oldest segment, if it is complete. */
  get first(): { readonly bytes: number; readonly lines: number } | undefined {
    const [segment] = this.#segments;
    return segment === this.#open ? undefined : segment;
  }

  /** Appends a chunk to the queue. */
  async push(chunk: Chunk): Promise<void> {
    if (chunk.length === 0) return;
    if (this.#open === undefined) {
      const store = await this.#temp();
      this.#open = { store, file: await store.create(), bytes: 0, lines: 0 };
      this.#segments.push(this.#open);
    }
    const segment = this.#open;
    await segment.file.sink.write(chunk);
    const lines = countSeparators(chunk, this.#separator);
    segment.bytes += chunk.length;
    segment.lines += lines;
    this.bytes += chunk.length;
    this.lines += lines;
    this.#last = chunk[chunk.length - 1] as number;
    if (segment.bytes >= SEGMENT) await this.#complete();
  }

  /** Yields the oldest segment and removes it. */
  async *shift(): AsyncGenerator<Chunk, void, void> {
    const [segment] = this.#segments;
    if (segment === undefined) return;
    if (segment === this.#open) await this.#complete();
    const source = await segment.file.open();
    try {
      yield* source;
    } finally {
      await source.return();
      await this.drop();
    }
  }

  /** Drops the oldest segment. */
  async drop(): Promise<void> {
    const segment = this.#segments.shift();
    if (segment === undefined) return;
    this.bytes -= segment.bytes;
    this.lines -= segment.lines;
    await segment.store[Symbol.asyncDispose]();
  }

  /** Yields all bytes and empties the queue. */
  async *drain(): AsyncGenerator<Chunk, void, void> {
    while (this.#segments.length > 0) yield* this.shift();
  }

  async #complete(): Promise<void> {
    const segment = this.#open;
    this.#open = undefined;
    await segment?.file.sink.close();
  }
}
