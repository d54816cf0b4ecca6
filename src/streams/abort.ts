/**
 * Races many operations, one after another, with one signal.
 *
 * Uses a single listener and keeps nothing of an operation that has settled. `Promise.race` with a
 * long-lived promise would keep every operation. Call {@linkcode AbortRace.end} when done: it
 * removes the listener.
 */
export class AbortRace {
  readonly #signal: AbortSignal | undefined;
  #reject: ((reason: unknown) => void) | undefined;
  readonly #onAbort = (): void => this.#reject?.(this.#signal?.reason);

  /** Listens to `signal`. Without a signal, {@linkcode run} only waits. */
  constructor(signal: AbortSignal | undefined) {
    this.#signal = signal;
    signal?.addEventListener("abort", this.#onAbort, { once: true });
  }

  /**
   * Settles as `operation` does, or rejects with the signal's reason if that comes first.
   *
   * An operation that lost the race goes on; its later error is dropped. Calls must not overlap.
   */
  run<T>(operation: Promise<T>): Promise<T> {
    const signal = this.#signal;
    if (signal === undefined) return operation;
    return new Promise((resolve, reject) => {
      this.#reject = reject;
      operation.then(resolve, reject);
      if (signal.aborted) reject(signal.reason);
    });
  }

  /** Removes the listener. */
  end(): void {
    this.#reject = undefined;
    this.#signal?.removeEventListener("abort", this.#onAbort);
  }
}

/**
 * Settles as `operation` does, or rejects with the signal's reason if that comes first.
 *
 * Leaves no listener behind. Does not stop the operation; its later error is dropped.
 */
export async function raceAbort<T>(
  operation: Promise<T>,
  signal: AbortSignal | undefined,
): Promise<T> {
  const race = new AbortRace(signal);
  try {
    return await race.run(operation);
  } finally {
    race.end();
  }
}

/**
 * Aborts `controller` with the reason of `signal` when that fires, or at once if it has fired.
 *
 * Returns a function that removes the listener.
 */
export function linkAbort(
  signal: AbortSignal | undefined,
  controller: AbortController,
): () => void {
  const abort = (): void => controller.abort(signal?.reason);
  if (signal?.aborted === true) abort();
  else signal?.addEventListener("abort", abort, { once: true });
  return () => signal?.removeEventListener("abort", abort);
}
