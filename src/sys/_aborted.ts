/**
 * Waits for `promise`, but no longer than until `signal` fires. What arrives after that is given
 * to `discard`.
 */
export async function aborted<Value>(
  promise: Promise<Value>,
  signal: AbortSignal | undefined,
  discard: (late: Value) => void,
): Promise<Value> {
  if (signal === undefined) return await promise;
  let onAbort: (() => void) | undefined;
  let fired = false;
  const stopped = new Promise<never>((_, reject) => {
    onAbort = () => {
      fired = true;
      reject(signal.reason);
    };
    if (signal.aborted) onAbort();
    else signal.addEventListener("abort", onAbort, { once: true });
  });
  promise.then((late) => {
    if (fired) discard(late);
  }, () => {});
  try {
    return await Promise.race([promise, stopped]);
  } finally {
    if (onAbort !== undefined) signal.removeEventListener("abort", onAbort);
  }
}
