import type { ByteSource, Chunk } from "../../../streams/mod.ts";
import type { BuiltinIo, TempStore } from "../../builtin.ts";
import { mergeSorted } from "./merge.ts";
import type { SortPlan } from "./plan.ts";

/** Opens a run from its start. */
type Run = () => Promise<ByteSource>;

/** Sorted runs in temporary storage, in the order of the input. */
export class Runs {
  readonly #io: BuiltinIo;
  readonly #plan: SortPlan;
  readonly #separator: number;
  readonly #unique: boolean;
  readonly #batch: number;
  #runs: Run[] = [];
  #store: TempStore | undefined;

  /** Creates an empty list; `batch` is the most runs merged at once. */
  constructor(
    io: BuiltinIo,
    plan: SortPlan,
    separator: number,
    unique: boolean,
    batch: number,
  ) {
    this.#io = io;
    this.#plan = plan;
    this.#separator = separator;
    this.#unique = unique;
    this.#batch = batch;
  }

  /** True if there are no runs. */
  get empty(): boolean {
    return this.#runs.length === 0;
  }

  /** Number of runs. */
  get count(): number {
    return this.#runs.length;
  }

  /** Writes a run of sorted lines. */
  async add(chunks: AsyncIterable<Chunk>): Promise<void> {
    this.#runs.push(await this.#write(chunks));
  }

  async #write(chunks: AsyncIterable<Chunk>): Promise<Run> {
    if (this.#io.temp === undefined) throw new Error("There is no temporary storage here");
    this.#store ??= await this.#io.temp();
    const { sink, open } = await this.#store.create();
    try {
      for await (const chunk of chunks) await sink.write(chunk);
    } finally {
      await sink.close();
    }
    return open;
  }

  /** Merges all runs, in several passes if there are many. */
  async *merged(): AsyncGenerator<Chunk, void, void> {
    while (this.#runs.length > this.#batch) {
      const merged: Run[] = [];
      for (let at = 0; at < this.#runs.length; at += this.#batch) {
        const group = this.#runs.slice(at, at + this.#batch);
        const [only] = group;
        merged.push(
          group.length === 1 && only !== undefined ? only : await this.#write(this.#merge(group)),
        );
      }
      this.#runs = merged;
    }
    yield* this.#merge(this.#runs);
  }

  async *#merge(runs: readonly Run[]): AsyncGenerator<Chunk, void, void> {
    const sources: ByteSource[] = [];
    try {
      for (const open of runs) sources.push(await open());
      yield* mergeSorted(sources, this.#plan, this.#separator, this.#unique);
    } finally {
      for (const source of sources) await source.return();
    }
  }
}
