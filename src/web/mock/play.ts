import type { BodyPiece, PlayedScript } from "../../mock/mod.ts";
import { type BodySource, sseBody } from "../http/mod.ts";

/**
 * Plays a response: waits as the script says, then sends the body as it is pulled. Every wait ends
 * when the client closes the connection or the signal fires.
 *
 * The request's signal is read only while the response has not begun (Deno warns when a handler
 * reads it); afterwards the cancelled body says that the client has left.
 */
export async function playScript(
  script: PlayedScript,
  request: Request,
  signal?: AbortSignal,
): Promise<Response> {
  const { status, headers, wait, body, ended } = script;
  if (wait > 0 && !await sleep(wait, signal ? [request.signal, signal] : [request.signal])) {
    ended("cancelled");
    return new Response(null, { status: 499 });
  }
  if (typeof body !== "string") {
    return new Response(sseBody(frameSource(body, ended, signal)), { status, headers });
  }
  ended("complete");
  return new Response(body, { status, headers });
}

/** The connection breaks because a scenario asks for it. Has no stack: servers print errors. */
class CutError extends Error {
  override readonly name = "CutError";

  constructor() {
    super("The scenario cuts the connection");
    this.stack = `${this.name}: ${this.message}`;
  }
}

/** The frames as the pieces of a body. A wait ends when the client leaves or the signal fires. */
function frameSource(
  frames: Iterable<BodyPiece>,
  ended: PlayedScript["ended"],
  signal?: AbortSignal,
): BodySource {
  const iterator = frames[Symbol.iterator]();
  const left = new AbortController();
  const signals = signal ? [left.signal, signal] : [left.signal];
  return {
    async next() {
      const { done, value: frame } = iterator.next();
      if (done === true) {
        ended("complete");
        return undefined;
      }
      if (frame.type === "cut") {
        ended("cut");
        throw new CutError();
      }
      const wait = frame.type === "stall" ? Infinity : frame.wait;
      if (wait > 0 && !await sleep(wait, signals)) {
        ended("cancelled");
        throw new CutError();
      }
      return frame.type === "data" ? frame.data : undefined;
    },
    return() {
      ended("cancelled");
      left.abort();
    },
  };
}

/** Resolves to true after so many milliseconds, or to false as soon as one of the signals fires. */
function sleep(milliseconds: number, signals: readonly AbortSignal[]): Promise<boolean> {
  if (signals.some(({ aborted }) => aborted)) return Promise.resolve(false);
  return new Promise((resolve) => {
    const end = (slept: boolean) => {
      clearTimeout(timer);
      for (const signal of signals) signal.removeEventListener("abort", stop);
      resolve(slept);
    };
    const stop = () => end(false);
    const timer = milliseconds === Infinity ? undefined : setTimeout(() => end(true), milliseconds);
    for (const signal of signals) signal.addEventListener("abort", stop);
  });
}
