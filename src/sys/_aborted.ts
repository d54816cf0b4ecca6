import { raceAbort } from "../streams/mod.ts";

/**
 * Waits for `promise`, but no longer than until `signal` fires. What arrives after that is given
 * to `discard`.
 */
export async function aborted<Value>(
  promise: Promise<Value>,
  signal: AbortSignal | undefined,
  discard: (late: Value) => void,
): Promise<Value> {
  try {
    return await raceAbort(promise, signal);
  } catch (error) {
    if (signal?.aborted === true) promise.then(discard, () => {});
    throw error;
  }
}
