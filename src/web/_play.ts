import type { Frame, PlayedScript } from "../mock/mod.ts";

/**
 * Plays a response: waits as the script says, then sends the body as it is pulled. A client that
 * leaves, or the signal, ends every wait.
 */
export async function playScript(script: PlayedScript, signals: AbortSignal[]): Promise<Response> {
  const { status, headers, wait, body, ended } = script;
  const stop = linkSignals(signals);
  try {
    if (!await sleep(wait, stop.signal)) {
      ended("cancelled");
      return new Response(null, { status: 499 });
    }
  } finally {
    if (stop.signal.aborted || typeof body === "string") stop.unlink();
  }
  if (typeof body === "string") {
    ended("complete");
    return new Response(status === 304 ? null : body, { status, headers });
  }
  return new Response(framesToBody(body, stop, ended), { status, headers });
}

/** The connection breaks because a scenario asks for it. Has no stack: servers print errors. */
class CutError extends Error {
  override readonly name = "CutError";

  constructor() {
    super("The scenario cuts the connection");
    this.stack = `${this.name}: ${this.message}`;
  }
}

function framesToBody(
  frames: Iterable<Frame>,
  stop: Stop,
  ended: PlayedScript["ended"],
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const iterator = frames[Symbol.iterator]();
  const finish = (how: Parameters<PlayedScript["ended"]>[0]) => {
    stop.unlink();
    ended(how);
  };
  return new ReadableStream({
    async pull(controller) {
      const { done, value: frame } = iterator.next();
      if (done === true) {
        finish("complete");
        return controller.close();
      }
      if (frame.type === "cut") {
        finish("cut");
        return controller.error(new CutError());
      }
      const wait = frame.type === "stall" ? Infinity : frame.wait;
      if (wait === 0 && !stop.signal.aborted || await sleep(wait, stop.signal)) {
        if (frame.type === "data") controller.enqueue(frame.data);
        return;
      }
      // Nothing to do when it was the client: cancel() has run.
      if (stop.cancelled) return;
      finish("cancelled");
      controller.error(new CutError());
    },
    cancel() {
      stop.cancel();
      finish("cancelled");
    },
  }, { highWaterMark: 0 });
}

/** A signal that follows others until it is unlinked, and can be fired by hand. */
interface Stop {
  readonly signal: AbortSignal;
  readonly cancelled: boolean;
  cancel(): void;
  unlink(): void;
}

function linkSignals(signals: AbortSignal[]): Stop {
  const controller = new AbortController();
  const abort = () => controller.abort();
  let cancelled = false;
  for (const signal of signals) {
    if (signal.aborted) abort();
    else signal.addEventListener("abort", abort, { once: true });
  }
  return {
    signal: controller.signal,
    get cancelled() {
      return cancelled;
    },
    cancel() {
      cancelled = true;
      abort();
    },
    unlink() {
      for (const signal of signals) signal.removeEventListener("abort", abort);
    },
  };
}

/** Resolves to true after so many milliseconds, or to false as soon as the signal fires. */
function sleep(milliseconds: number, signal: AbortSignal): Promise<boolean> {
  if (signal.aborted) return Promise.resolve(false);
  if (milliseconds === 0) return Promise.resolve(true);
  return new Promise((resolve) => {
    const stop = () => {
      clearTimeout(timer);
      resolve(false);
    };
    const timer = milliseconds === Infinity ? undefined : setTimeout(() => {
      signal.removeEventListener("abort", stop);
      resolve(true);
    }, milliseconds);
    signal.addEventListener("abort", stop, { once: true });
  });
}
