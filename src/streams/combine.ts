import { settleAll } from "./_settle_all.ts";
import { type ByteSource, type Chunk, Source } from "./source.ts";

/** Opens a source. Should reject promptly when `signal` fires: then nobody will read it. */
export type OpenSource = (signal: AbortSignal) => ByteSource | Promise<ByteSource>;

class ConcatSource extends Source {
  readonly #rest: (ByteSource | OpenSource)[];
  #current: ByteSource | undefined;
  #opening: Promise<ByteSource> | undefined;
  readonly #abort = new AbortController();

  constructor(sources: Iterable<ByteSource | OpenSource>) {
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
    this.#opening = Promise.resolve(first(this.#abort.signal));
    const source = await this.#opening;
    if (this.#abort.signal.aborted) return undefined; // `release` closes it
    this.#opening = undefined;
    return source;
  }

  protected override async release(): Promise<void> {
    this.#abort.abort(new DOMException("The source was closed", "AbortError"));
    const opened = this.#current ?? await this.#opening?.catch(() => undefined);
    const rest = this.#rest.splice(0).filter((source) => typeof source !== "function");
    await settleAll([opened, ...rest].map((source) => ({ run: () => source?.return() })));
  }
}

/**
 * Several sources one after another. A function opens its source when its turn comes; one whose
 * turn never comes is not called. Each is closed when it has ended; closing this one closes all
 * that are open.
 */
export function concatSources(sources: Iterable<ByteSource | OpenSource>): ByteSource {
  return new ConcatSource(sources);
}

/** A source that is opened when it is first read, and never if it is closed before. */
export function lazySource(open: OpenSource): ByteSource {
  return new ConcatSource([open]);
}
