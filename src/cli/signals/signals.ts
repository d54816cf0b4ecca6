import { listenForEnd, raise } from "../../sys/mod.ts";

/** The exit status that a shell reports for a process that the signal has ended. */
const STATUS_OF_SIGNAL = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const;

/** Milliseconds that a signal may take to end the process. */
const PATIENCE = 1000;

/** Resolves when the signal fires. */
export function fired(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
}

/**
 * Runs `work` with a `signal` that the first SIGINT, SIGTERM or SIGHUP aborts. After `work` and
 * `flush` have ended, the process raises the same signal again. A second signal ends it at once.
 *
 * A SIGINT for which `interrupted` returns true is ignored.
 *
 * An unhandled rejection also aborts the work, which can then clean up, and becomes the error of
 * this function.
 */
export async function untilSignal(
  work: (signal: AbortSignal) => Promise<number>,
  flush: () => Promise<void>,
  interrupted?: () => boolean,
): Promise<number> {
  const end = new AbortController();
  const listener = listenForEnd((signal) => {
    end.abort(new DOMException(`Stopped by ${signal}`, "AbortError"));
  }, interrupted);
  let crash: { reason: unknown } | undefined;
  const onUnhandled = (event: PromiseRejectionEvent) => {
    event.preventDefault();
    crash ??= { reason: event.reason };
    end.abort(event.reason);
  };
  globalThis.addEventListener("unhandledrejection", onUnhandled);
  let status = 1;
  try {
    status = await work(end.signal);
  } catch (error) {
    if (listener.received === undefined) throw error;
  } finally {
    listener[Symbol.dispose]();
    globalThis.removeEventListener("unhandledrejection", onUnhandled);
  }
  if (crash !== undefined) throw crash.reason;
  const { received } = listener;
  if (received === undefined) return status;
  await flush();
  raise(received);
  // The first process of a container does not end by its own signals.
  await new Promise((resolve) => setTimeout(resolve, PATIENCE));
  return STATUS_OF_SIGNAL[received];
}
