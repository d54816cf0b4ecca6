import type { ListReader } from "../../chat/mod.ts";
import type { BusEvent, BusReader } from "../../store/mod.ts";
import { encodeSse } from "../../streams/mod.ts";
import type { BodySource } from "../http/mod.ts";

/**
 * Sends the events of a turn. If some are no longer kept, an event `gap` with their number comes
 * first.
 */
export function turnEvents(events: BusReader): BodySource {
  const encoder = new TextEncoder();
  return {
    async next() {
      const portion = await events.next();
      if (portion.length === 0) return undefined;
      return encoder.encode(encodePortion(portion, events.missed));
    },
    return: () => events.return(),
  };
}

/** Sends the list of sessions and its changes. */
export function listEvents(events: ListReader): BodySource {
  const encoder = new TextEncoder();
  return {
    async next() {
      const next = await events.next();
      if (next === undefined) return undefined;
      return encoder.encode(encodeSse({ event: next.type, data: JSON.stringify(next.data) }));
    },
    return: () => events.return(),
  };
}

function encodePortion(portion: readonly BusEvent[], missed: number): string {
  let text = missed === 0 ? "" : encodeSse({ event: "gap", data: JSON.stringify({ missed }) });
  for (const { seq, type, data } of portion) text += encodeSse({ event: type, id: seq, data });
  return text;
}
