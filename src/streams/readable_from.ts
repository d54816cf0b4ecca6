import { linkAbort } from "./abort.ts";

/** Options of {@linkcode readableFrom}. */
export interface ReadableFromOptions<T> {
  /** Fires the generator's signal, from the first read to the generator's end. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Treatment of the generator when the stream is cancelled, after its signal has fired. `"return"`
   * ends it at its current `yield`: only its `finally` blocks run. `"finish"` lets it run to its
   * own end, and drops the values it yields. Default `"return"`.
   */
  readonly onCancel?: "return" | "finish";
  /**
   * True if a value is the last one. The stream then closes with it, and the generator runs to its
   * end at once instead of at a next read, which may never come. By default the stream closes when
   * the generator ends.
   */
  readonly isLast?: (value: T) => boolean;
  /** Name of the stream in the error if a cancel has no reason. Default `stream`. */
  readonly name?: string;
}

/**
 * Makes a stream of the values that a generator yields: one for each read, none before the first.
 *
 * The generator gets a signal that fires with `options.signal`, and when the stream is cancelled.
 * `cancel()` resolves when the generator has ended, and rejects if it throws then. An earlier error
 * of the generator is the stream's error.
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
      // Cancelled in the meantime: the value has no reader.
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

/** Runs a generator to its end. */
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
