import { linkAbort } from "./abort.ts";

/** Options of {@linkcode readableFrom}. */
export interface ReadableFromOptions<T> {
  /** Fires the generator's signal, from the first read to the generator's end. */
  readonly signal?: AbortSignal | undefined;
  /**
   * What becomes of the generator when the stream is cancelled, after its signal has fired:
   * `"return"` ends it where it stands, so that only its `finally` blocks run; `"finish"` lets it
   * go on to its end by itself, and drops what it yields. Default `"return"`.
   */
  readonly onCancel?: "return" | "finish";
  /**
   * Whether a value is the last. The stream then closes with it, and the generator goes on to its
   * end at once, instead of at a read that may never come. Default: only the generator's end tells.
   */
  readonly isLast?: (value: T) => boolean;
  /** What is cancelled, for the reason of a cancel without one. Default `stream`. */
  readonly name?: string;
}

/**
 * A stream of what a generator yields, one value a read and nothing before the first.
 *
 * The generator is made at once, and gets a signal that fires with `options.signal`, and when the
 * stream is cancelled. `cancel()` resolves when the generator has ended, and rejects if it then
 * throws. What the generator throws before is the error of the stream.
 *
 * @example
 * ```ts
 * import { readableFrom } from "@llmcmd/llmcmd/streams";
 *
 * const log: string[] = [];
 * const numbers = readableFrom(async function* (signal) {
 *   try {
 *     for (let number = 1; !signal.aborted; number++) yield number;
 *   } finally {
 *     log.push("closed");
 *   }
 * });
 * for await (const number of numbers) {
 *   log.push(`${number}`);
 *   if (number === 2) break;
 * }
 * if (log.join() !== "1,2,closed") throw new Error(log.join());
 * ```
 */
export function readableFrom<T>(
  generate: (signal: AbortSignal) => AsyncGenerator<T, void, void>,
  options: ReadableFromOptions<T> = {},
): ReadableStream<T> {
  const { signal, onCancel = "return", isLast, name = "stream" } = options;
  const stop = new AbortController();
  let cancelled = false;
  const values = linked(signal, stop, generate(stop.signal));
  return new ReadableStream<T>({
    async pull(controller) {
      const { done, value } = await values.next();
      // Cancelled meanwhile: there is nobody to give it to.
      if (cancelled) return;
      if (done === true) return controller.close();
      controller.enqueue(value);
      if (isLast?.(value) !== true) return;
      controller.close();
      await finish(values);
    },
    async cancel(reason: unknown) {
      cancelled = true;
      stop.abort(reason ?? new DOMException(`The ${name} was cancelled`, "AbortError"));
      if (onCancel === "finish") await finish(values);
      else await values.return();
    },
  }, { highWaterMark: 0 });
}

/** Lets a generator go on to its end. */
async function finish(values: AsyncGenerator<unknown, void, void>): Promise<void> {
  while ((await values.next()).done !== true);
}

/** Aborts `stop` when `signal` fires, from the first value to the last. */
async function* linked<T>(
  signal: AbortSignal | undefined,
  stop: AbortController,
  values: AsyncGenerator<T, void, void>,
): AsyncGenerator<T, void, void> {
  const unlink = linkAbort(signal, stop);
  try {
    yield* values;
  } finally {
    unlink();
  }
}
