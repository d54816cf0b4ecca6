import { Alarm, encodeSse } from "../streams/mod.ts";
import type { BusEvent, BusReader } from "../store/mod.ts";

/** How a stream of events is sent. */
export interface SseBodyOptions {
  /** Milliseconds of silence after which a comment is sent. */
  keepAlive: number;
  /** Milliseconds after which a client that takes nothing counts as gone. */
  stalled: number;
  /** Called once: the client left, or has everything. */
  onEnd(): void;
}

/**
 * A run's events as the body of a response, sent as the client takes them. Events that are no
 * longer kept are told by an event `gap` with their number.
 */
export function sseBody(
  events: BusReader,
  { keepAlive, stalled, onEnd }: SseBodyOptions,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const encoder = new TextEncoder();
  const alarm = new Alarm();
  let pending: Promise<readonly BusEvent[]> | undefined;
  let ended = false;
  /** Says that nothing came; absent while it is the client's turn to take something. */
  let silent: (() => void) | undefined;
  /** When that turn, or the wait for an event, began. */
  let since = performance.now();
  const end = () => {
    if (ended) return;
    ended = true;
    alarm.clear();
    events.return();
    onEnd();
  };
  // One timer that looks now and then: to move one at each event would cost more than the event.
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

/** A client takes nothing any more. Has no stack, as servers print it. */
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
