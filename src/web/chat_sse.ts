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
  const end = () => {
    if (ended) return;
    ended = true;
    alarm.clear();
    events.return();
    onEnd();
  };
  const watch = (controller: ReadableStreamDefaultController) =>
    alarm.set(stalled, () => {
      end();
      controller.error(new StalledError());
    });
  return new ReadableStream({
    start: (controller) => watch(controller),
    async pull(controller) {
      pending ??= events.next();
      const portion = await Promise.race([
        pending,
        new Promise<undefined>((resolve) => alarm.set(keepAlive, () => resolve(undefined))),
      ]);
      if (ended) return;
      alarm.clear();
      if (portion === undefined) {
        controller.enqueue(encoder.encode(": keep-alive\n\n"));
      } else if (portion.length === 0) {
        controller.close();
        return end();
      } else {
        pending = undefined;
        controller.enqueue(encoder.encode(encodePortion(portion, events.missed)));
      }
      watch(controller);
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
