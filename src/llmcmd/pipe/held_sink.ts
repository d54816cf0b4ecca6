import type { ByteSink, Chunk } from "../../streams/mod.ts";

/** Most bytes that a {@linkcode HeldSink} holds. */
const HELD = 1024 * 1024;

/** A sink that holds its data until it is released, or until they are more than 1 MiB. */
export class HeldSink implements ByteSink {
  readonly #sink: ByteSink;
  #held: Chunk[] | undefined = [];
  #size = 0;

  /** Passes on to `sink`. */
  constructor(sink: ByteSink) {
    this.#sink = sink;
  }

  /** See `ByteSink.concurrent`. */
  get concurrent(): boolean {
    return this.#sink.concurrent === true;
  }

  /** Bytes that were not passed on. */
  get size(): number {
    return this.#size;
  }

  /** Holds a copy of the chunk, or passes it on. */
  async write(chunk: Chunk): Promise<void> {
    if (this.#held === undefined) return await this.#sink.write(chunk);
    this.#held.push(chunk.slice());
    this.#size += chunk.length;
    if (this.#size > HELD) await this.release();
  }

  /** Passes on what is held, and from now on what comes. */
  async release(): Promise<void> {
    const held = this.#held ?? [];
    this.#held = undefined;
    this.#size = 0;
    for (const chunk of held) await this.#sink.write(chunk);
  }

  /** Does nothing: the sink stays open. */
  close(): Promise<void> {
    return Promise.resolve();
  }
}
