/**
 * A stream of what a generator yields, one value a read and nothing before the first.
 *
 * The generator gets a signal that fires with `signal` and when the stream is cancelled;
 * `cancel()` resolves once the generator has cleaned up.
 */
export function readable<T>(
  signal: AbortSignal,
  generate: (stopped: AbortSignal) => AsyncGenerator<T, void, void>,
): ReadableStream<T> {
  const stop = new AbortController();
  const values = follow(signal, stop, generate);
  return new ReadableStream<T>({
    async pull(controller) {
      const result = await values.next();
      if (result.done) controller.close();
      else controller.enqueue(result.value);
    },
    async cancel(reason) {
      stop.abort(reason);
      await values.return();
    },
  }, { highWaterMark: 0 });
}

async function* follow<T>(
  signal: AbortSignal,
  stop: AbortController,
  generate: (stopped: AbortSignal) => AsyncGenerator<T, void, void>,
): AsyncGenerator<T, void, void> {
  const unlink = link(signal, stop);
  try {
    yield* generate(stop.signal);
  } finally {
    unlink();
  }
}

/** Aborts `controller` when `signal` fires. Gives the function that ends this. */
export function link(signal: AbortSignal, controller: AbortController): () => void {
  const abort = () => controller.abort(signal.reason);
  if (signal.aborted) abort();
  else signal.addEventListener("abort", abort, { once: true });
  return () => signal.removeEventListener("abort", abort);
}
