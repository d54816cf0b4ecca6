import type { TempStore } from "../builtins/mod.ts";
import type { ByteSink, Chunk } from "../streams/mod.ts";
import { limitOf, type LlmcmdLimits } from "./limits.ts";

/** The least that {@linkcode mostTemp} gives, in bytes. */
const LEAST = 1024 * 1024 * 1024;

/**
 * Most bytes that the temporary files of a run may hold at a time. It grows with what the inputs may
 * hold, as sorting takes a copy of each; commands such as `seq` and `yes` need no input, and would
 * otherwise go on until the disk is full.
 */
export function mostTemp({ inputBytes }: Pick<LlmcmdLimits, "inputBytes">): number {
  return Math.max(LEAST, 8 * inputBytes);
}

/** The bytes that all temporary files of a run may hold together. */
export class TempBudget {
  readonly #max: number;
  readonly #input: string;
  #held = 0;

  /** Has {@linkcode mostTemp} bytes. */
  constructor(limits: LlmcmdLimits) {
    this.#max = mostTemp(limits);
    this.#input = limitOf(limits, "inputBytes").name;
  }

  /** The same storage, on this budget. */
  storage(open: () => Promise<TempStore>): () => Promise<TempStore> {
    return async () => new Store(await open(), this);
  }

  /** Takes bytes. Throws if they are too many, with a message for the model, which can do with less. */
  take(bytes: number): void {
    if (this.#held + bytes > this.#max) {
      throw new RangeError(
        `Temporary files would hold more than ${this.#max} bytes, which is the most with this ` +
          `${this.#input}: give the command less data, such as with head before it`,
      );
    }
    this.#held += bytes;
  }

  /** Gives bytes back. */
  release(bytes: number): void {
    this.#held -= bytes;
  }
}

class Store implements TempStore {
  readonly #store: TempStore;
  readonly #budget: TempBudget;
  #held = 0;

  constructor(store: TempStore, budget: TempBudget) {
    this.#store = store;
    this.#budget = budget;
  }

  async create(): Promise<{ sink: ByteSink; open(): ReturnType<Created["open"]> }> {
    const created: Created = await this.#store.create();
    const count = (bytes: number) => {
      this.#budget.take(bytes);
      this.#held += bytes;
    };
    return { sink: new CountedSink(created.sink, count), open: () => created.open() };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#budget.release(this.#held);
    this.#held = 0;
    await this.#store[Symbol.asyncDispose]();
  }
}

type Created = Awaited<ReturnType<TempStore["create"]>>;

class CountedSink implements ByteSink {
  readonly #sink: ByteSink;
  readonly #count: (bytes: number) => void;

  constructor(sink: ByteSink, count: (bytes: number) => void) {
    this.#sink = sink;
    this.#count = count;
  }

  get concurrent(): boolean {
    return this.#sink.concurrent ?? false;
  }

  async write(chunk: Chunk): Promise<void> {
    this.#count(chunk.length);
    await this.#sink.write(chunk);
  }

  close(): Promise<void> {
    return this.#sink.close();
  }

  async abort(reason?: unknown): Promise<void> {
    await this.#sink.abort?.(reason);
  }
}
