/** An aborted tool did not stop in time. */
export class LeftBehindError extends Error {}

/**
 * Settles as `work` does. Once the signal fires, `work` has `grace` more milliseconds to stop by
 * itself, so that it can clean up; then this rejects with a {@linkcode LeftBehindError}.
 */
export function withGrace<T>(work: Promise<T>, signal: AbortSignal, grace: number): Promise<T> {
  return new Promise((resolve, reject) => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const wait = () => {
      timer = setTimeout(() => reject(new LeftBehindError()), grace);
    };
    const done = () => {
      if (timer !== undefined) clearTimeout(timer);
      signal.removeEventListener("abort", wait);
    };
    work.finally(done).then(resolve, reject);
    if (signal.aborted) wait();
    else signal.addEventListener("abort", wait, { once: true });
  });
}
