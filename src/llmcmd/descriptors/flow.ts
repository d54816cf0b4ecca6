import { type ByteSource, type Chunk, raceAbort } from "../../streams/mod.ts";
import type { Feed, Pipeline, PipelineReport } from "../pipeline/mod.ts";
import type { Output } from "./output.ts";

/**
 * A pipe that the model feeds and whose output goes to descriptor 1: after each write, all output
 * that can be computed so far is passed on.
 */
export class Flow {
  /** The commands in it. */
  readonly pipeline: Pipeline;
  /** The end that the model writes to. */
  readonly feed: Feed;
  readonly #source: ByteSource;
  readonly #output: Output;
  /** A read from the pipeline that waits for the model. */
  #pending: Promise<IteratorResult<Chunk, void>> | undefined;
  #ended = false;
  #reported = false;

  /** Passes `source` on to `output`. `source` is what `pipeline` makes from the data in `feed`. */
  constructor(feed: Feed, source: ByteSource, pipeline: Pipeline, output: Output) {
    this.feed = feed;
    this.#source = source;
    this.pipeline = pipeline;
    this.#output = output;
  }

  /** The report of the commands. Returned once, at the first call after the end. */
  takeReport(): PipelineReport | undefined {
    if (!this.#ended || this.#reported) return undefined;
    this.#reported = true;
    return this.pipeline.report();
  }

  /** Passes output on until it must wait for the model, or ends. */
  async advance(signal: AbortSignal): Promise<void> {
    while (!this.#ended) {
      const result = await raceAbort(this.#pull(), signal);
      if (result === undefined) return;
      if (result.done === true) this.#ended = true;
      else await this.#output.write(result.value, signal);
    }
  }

  async #pull(): Promise<IteratorResult<Chunk, void> | undefined> {
    this.#pending ??= this.#source.next();
    const starved = this.feed.open ? this.feed.whenStarved() : new Promise<never>(() => {});
    const result = await Promise.race([this.#pending, starved]);
    if (result === undefined) return undefined;
    this.#pending = undefined;
    return result;
  }

  /** Drops the output that has not been passed on. */
  async close(): Promise<void> {
    this.#pending?.catch(() => {});
    await this.#source.return();
  }
}
