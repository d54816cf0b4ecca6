import { Alarm } from "../../streams/mod.ts";

/** The source of a body, read one piece at a time. */
export interface BodySource {
  /**
   * The next piece, or `undefined` at the end. Called when the client reads; calls do not overlap. An
   * error breaks the connection.
   */
  next(): Promise<Uint8Array<ArrayBuffer> | undefined>;
  /** Called once, when the client has gone or has everything; a pending `next()` should settle. */
  return(): void;
}

/** Options of {@linkcode sseBody}. */
export interface SseBodyOptions {
  /** Milliseconds of silence after which a comment is sent. Default: never. */
  keepAlive?: number;
  /** Milliseconds after which a client that reads nothing is dropped. Default: never. */
  stalled?: number;
}

/** Headers of a response with such a body. Proxies must not buffer it. */
export const SSE_HEADERS: Readonly<Record<string, string>> = {
  "content-type": "text/event-stream; charset=utf-8",
  "x-accel-buffering": "no",
};

const KEEP_ALIVE = new TextEncoder().encode(": keep-alive\n\n");

/**
 * A stream of server-sent events as the body of a response, as fast as the client reads. Each piece
 * of the source must consist of whole events, as comments are sent between pieces.
 */
export function sseBody(
  source: BodySource,
  { keepAlive = Infinity, stalled = Infinity }: SseBodyOptions = {},
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const alarm = new Alarm();
  let pending: Promise<Uint8Array<ArrayBuffer> | undefined> | undefined;
  let ended = false;
  /** Ends the wait for a piece; absent while the client is expected to read. */
  let silent: (() => void) | undefined;
  /** When waiting for the client, or for a piece, began. */
  let since = performance.now();
  const end = () => {
    if (ended) return;
    ended = true;
    alarm.clear();
    source.return();
  };
  // One timer that checks now and then: resetting a timer at each event would cost more than the
  // event.
  const watch = (controller: ReadableStreamDefaultController) => {
    const most = Math.min(keepAlive, stalled);
    if (most === Infinity) return;
    const left = since + (silent === undefined ? stalled : keepAlive) - performance.now();
    if (left > 0) {
      alarm.set(Math.min(left, most), () => watch(controller));
    } else if (silent === undefined) {
      end();
      controller.error(new StalledError());
    } else silent();
  };
  return new ReadableStream({
    start: watch,
    async pull(controller) {
      since = performance.now();
      pending ??= source.next();
      const next = pending;
      let piece: Uint8Array<ArrayBuffer> | undefined;
      try {
        piece = await new Promise((resolve, reject) => {
          silent = () => resolve(KEEP_ALIVE);
          next.then(resolve, reject);
        });
      } catch (error) {
        if (ended) return;
        end();
        throw error;
      }
      if (ended) return;
      silent = undefined;
      since = performance.now();
      if (piece === undefined) {
        controller.close();
        end();
        return;
      }
      if (piece === KEEP_ALIVE) watch(controller);
      else pending = undefined;
      // A copy of the comment, as the reader may take the bytes away.
      controller.enqueue(piece === KEEP_ALIVE ? KEEP_ALIVE.slice() : piece);
    },
    cancel: end,
  }, { highWaterMark: 0 });
}

/** A client has stopped reading. The error has no stack, because servers would print it. */
class StalledError extends Error {
  override readonly name = "TimeoutError";

  constructor() {
    super("A client took nothing for too long, and counts as gone");
    this.stack = `${this.name}: ${this.message}`;
  }
}
