import { type ByteSource, type Chunk, Source } from "./source.ts";

/** A source, or a way to open it when it is first needed. */
export type LazySource = ByteSource | (() => ByteSource | Promise<ByteSource>);

class ConcatSource extends Source {
  readonly #rest: LazySource[];
  #current: ByteSource | undefined;
  #opening: Promise<ByteSource> | undefined;
  #over = false;

  constructor(sources: Iterable<LazySource>) {
    super();
    this.#rest = [...sources];
  }

  protected override async pull(): Promise<Chunk | undefined> {
    for (;;) {
      this.#current ??= await this.#open();
      if (this.#current === undefined) return undefined;
      const { done, value } = await this.#current.next();
      if (done !== true) return value;
      this.#current = undefined;
    }
  }

  async #open(): Promise<ByteSource | undefined> {
    const first = this.#rest.shift();
    if (typeof first !== "function") return first;
    this.#opening = Promise.resolve(first());
    const source = await this.#opening;
    // Closed while it was being opened: nobody will read it.
    if (this.#over) return undefined;
    this.#opening = undefined;
    return source;
  }

  protected override async release(): Promise<void> {
    this.#over = true;
    const opened = this.#current ?? await this.#opening?.catch(() => undefined);
    const rest = this.#rest.splice(0).filter((source) => typeof source !== "function");
    const results = await Promise.allSettled(
      [opened, ...rest].map((source) => source?.return()),
    );
    for (const result of results) if (result.status === "rejected") throw result.reason;
  }
}

/**
 * Several sources one after another. A function opens its source when its turn comes; one whose
 * turn never comes is not called. Closing closes all that are open.
 */
export function concatSources(sources: Iterable<LazySource>): Source {
  return new ConcatSource(sources);
}

/** A source that is opened when it is first read, and never if it is closed before. */
export function lazySource(open: () => ByteSource | Promise<ByteSource>): Source {
  return new ConcatSource([open]);
}
