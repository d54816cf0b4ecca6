import { createParser, type EventSourceMessage } from "eventsource-parser";
import { excerpt, isErrorBody, reported } from "./_failure.ts";
import { LlmError } from "./errors.ts";

/** Represents the `[DONE]` that ends a stream. */
export const DONE = Symbol("[DONE]");

/**
 * The payloads of an event stream: those of each piece of its text together, so that nothing waits
 * between two events that came at once. Ends after `[DONE]`.
 *
 * Takes what servers and the proxies before them really send: comments as data, empty data, names
 * of events, a last event without the blank line that ends it.
 */
export async function* readEvents(
  pieces: AsyncIterable<string>,
): AsyncGenerator<EventSourceMessage[], void, void> {
  let events: EventSourceMessage[] = [];
  const parser = createParser({ onEvent: (event) => void events.push(event) });
  const taken = () => {
    const batch = events;
    events = [];
    return batch;
  };
  for await (const piece of pieces) {
    parser.feed(piece);
    if (events.length > 0) yield taken();
  }
  parser.feed("\n\n");
  // Half an event is dropped: the reader reports that the end of the answer is missing.
  const last = taken().filter(({ data }) => parseJson(data) !== undefined || isDone(data));
  if (last.length > 0) yield last;
}

/**
 * The payload of an event, {@linkcode DONE}, or `undefined` for an event without one.
 *
 * @throws {LlmError} The event is an error, or not JSON.
 */
export function payloadOf({ event, data }: EventSourceMessage): unknown {
  if (isDone(data)) return DONE;
  if (/^\s*(:|$)/.test(data)) return undefined;
  const value = parseJson(data);
  const isError = event === "error" || isErrorBody(value);
  if (isError) throw reported("Endpoint broke off with an error", value ?? data);
  if (value === undefined && (event === undefined || event === "message")) {
    throw new LlmError(`Endpoint sent an event that is not JSON: ${excerpt(data)}`, {
      code: "protocol",
    });
  }
  // An event whose data is not JSON has a name of its own, such as `ping`.
  return value;
}

function isDone(data: string): boolean {
  return data.trim() === "[DONE]";
}

/** The value of JSON text; `undefined` if it is not valid. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
