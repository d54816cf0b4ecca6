/** The signals that ask a program to end. */
export type EndSignal = "SIGINT" | "SIGTERM" | "SIGHUP";

/** The functions to call even when a second signal ends the process at once. */
const cleanups = new Set<() => void>();

/**
 * Registers a synchronous cleanup, such as removing a temporary file, for when the process is ended
 * at once. Returns the function that unregisters it.
 */
export function onEndAtOnce(cleanup: () => void): () => void {
  cleanups.add(cleanup);
  return () => void cleanups.delete(cleanup);
}

/** Runs and unregisters everything registered with {@linkcode onEndAtOnce}. */
export function cleanUpAtOnce(): void {
  for (const cleanup of cleanups) {
    try {
      cleanup();
    } catch {
      // The process is ending: the error cannot be reported, and the other functions must still
      // run.
    }
  }
  cleanups.clear();
}

/** Listens for signals until it is disposed of. */
export interface SignalListener extends Disposable {
  /** The first signal that came. */
  readonly received: EndSignal | undefined;
}

/**
 * Calls `onFirst` for the first SIGINT, SIGTERM or SIGHUP. A second one ends the process at once,
 * by that signal. Dispose to stop listening. A SIGINT for which `interrupted` returns true does not
 * count.
 */
export function listenForEnd(
  onFirst: (signal: EndSignal) => void,
  interrupted?: () => boolean,
): SignalListener {
  const signals: EndSignal[] = Deno.build.os === "windows"
    ? ["SIGINT"]
    : ["SIGINT", "SIGTERM", "SIGHUP"];
  let received: EndSignal | undefined;
  const listeners = signals.map((signal) => {
    const listener = () => {
      if (signal === "SIGINT" && received === undefined && interrupted?.() === true) return;
      if (received === undefined) {
        received = signal;
        onFirst(signal);
      } else {
        cleanUpAtOnce();
        stop();
        raise(signal);
      }
    };
    Deno.addSignalListener(signal, listener);
    return { signal, listener };
  });
  const stop = () => {
    for (const { signal, listener } of listeners.splice(0)) {
      Deno.removeSignalListener(signal, listener);
    }
  };
  return {
    get received() {
      return received;
    },
    [Symbol.dispose]: stop,
  };
}

/**
 * Ends this process by a signal, as if it had no listener. A shell then reports 130 for SIGINT and
 * 143 for SIGTERM, and stops its own loop, which it would not do for an exit code of 130.
 */
export function raise(signal: EndSignal): void {
  Deno.kill(Deno.pid, signal);
}
