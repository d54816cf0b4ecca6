import { Alarm, encodeSse } from "../streams/mod.ts";
import type { BusEvent, BusReader } from "../store/mod.ts";

/** How a stream of events is sent. */
export interface SseBodyOptions {
  /** Milliseconds of silence after which a comment is sent. */
  keepAlive: number;
  /** Milliseconds after which a client that reads nothing is dropped. */
  stalled: number;
  /** Called once, when the client has gone or has everything. */
  onEnd(): void;
}

/**
 * A run's events as the body of a response, sent as fast as the client reads them. For events that
 * are no longer kept there is an event `gap` with their number.
 */
export function sseBody(
  events: BusReader,
  { keepAlive, stalled, onEnd }: SseBodyOptions,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const encoder = new TextEncoder();
  const alarm = new Alarm();
  let pending: Promise<readonly BusEvent[]> | undefined;
  let ended = false;
  /** Ends the wait for an event; absent while the client is expected to read. */
  let silent: (() => void) | undefined;
  /** When waiting for the client, or for an event, began. */
  let since = performance.now();
  const end = () => {
    if (ended) return;
    ended = true;
    alarm.clear();
    events.return();
    onEnd();
  };
  // One timer that checks now and then: resetting a timer at each event would cost more than the
  // event.
  const watch = (controller: ReadableStreamDefaultController) => {
    const left = since + (silent === undefined ? stalled : keepAlive) - performance.now();
    if (left > 0) {
      alarm.set(Math.min(left, keepAlive, stalled), () => watch(controller));
    } else if (silent === undefined) {
      end();
      controller.error(new StalledError());
    } else silent();
  };
  return new ReadableStream({
    start: watch,
    async pull(controller) {
      since = performance.now();
      pending ??= events.next();
      const next = pending;
      const portion = await new Promise<readonly BusEvent[] | undefined>((resolve, reject) => {
        silent = () => resolve(undefined);
        next.then(resolve, reject);
      });
      if (ended) return;
      silent = undefined;
      since = performance.now();
      if (portion === undefined) {
        controller.enqueue(encoder.encode(": keep-alive\n\n"));
        watch(controller);
      } else if (portion.length === 0) {
        controller.close();
        end();
      } else {
        pending = undefined;
        controller.enqueue(encoder.encode(encodePortion(portion, events.missed)));
      }
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

function encodePortion(portion: readonly BusEvent[], missed: number): string {
  let text = missed === 0 ? "" : encodeSse({ event: "gap", data: JSON.stringify({ missed }) });
  for (const { seq, type, data } of portion) text += encodeSse({ event: type, id: seq, data });
  return text;
}
