import { encodeSse } from "../streams/mod.ts";
import type { BusEvent, BusReader } from "../store/mod.ts";
import type { BodySource } from "./sse_body.ts";

/**
 * A run's events as server-sent events. For those that are no longer kept there is an event `gap`
 * with their number. `onEnd` is called once, when the client has gone or has everything.
 */
export function runBody(events: BusReader, onEnd: () => void): BodySource {
  const encoder = new TextEncoder();
  return {
    async next() {
      const portion = await events.next();
      if (portion.length === 0) return undefined;
      return encoder.encode(encodePortion(portion, events.missed));
    },
    return() {
      events.return();
      onEnd();
    },
  };
}

function encodePortion(portion: readonly BusEvent[], missed: number): string {
  let text = missed === 0 ? "" : encodeSse({ event: "gap", data: JSON.stringify({ missed }) });
  for (const { seq, type, data } of portion) text += encodeSse({ event: type, id: seq, data });
  return text;
}
