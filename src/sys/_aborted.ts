import { raceAbort } from "../streams/mod.ts";

/** Waits for `promise` until `signal` fires. A value that arrives later goes to `discard`. */
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
