/**
 * Encodes a value as one line of newline-delimited JSON, with its newline.
 *
 * @throws {TypeError} If JSON cannot represent `value` (`undefined`, a function, a cycle, a
 * bigint).
 */
export function encodeNdjson(value: unknown): string {
  const json: string | undefined = JSON.stringify(value);
  if (json === undefined) throw new TypeError(`Cannot encode ${typeof value} as JSON`);
  return `${json}\n`;
}

/** One server-sent event. */
export interface SseEvent {
  /** Event type; clients assume `message` if it is absent. No line breaks. */
  readonly event?: string;
  /** Value that the client sends back as `Last-Event-ID`. No line breaks, no NUL. */
  readonly id?: string | number;
  /** Reconnection time in milliseconds. */
  readonly retry?: number;
  /** The payload. Clients receive every kind of line break in it as `\n`. */
  readonly data: string;
}

/**
 * Encodes one server-sent event, with the empty line that ends it (WHATWG HTML, section 9.2).
 *
 * @throws {TypeError} If `event` or `id` holds a line break or a NUL.
 *
 * @example
 * ```ts
 * import { encodeSse } from "@llmcmd/llmcmd/streams";
 *
 * const text = encodeSse({ event: "text", id: 7, data: "a\nb" });
 * if (text !== "event: text\nid: 7\ndata: a\ndata: b\n\n") throw new Error(text);
 * ```
 */
export function encodeSse({ event, id, retry, data }: SseEvent): string {
  let text = "";
  if (event !== undefined) text += `event: ${oneLine("event", event)}\n`;
  if (id !== undefined) text += `id: ${oneLine("id", String(id))}\n`;
  if (retry !== undefined) text += `retry: ${Math.max(0, Math.round(retry))}\n`;
  for (const line of data.split(/\r\n|\r|\n/)) text += `data: ${line}\n`;
  return `${text}\n`;
}

function oneLine(field: string, value: string): string {
  if (/[\r\n\0]/.test(value)) {
    throw new TypeError(
      `Cannot encode ${field} ${JSON.stringify(value)}: it holds a line break or NUL`,
    );
  }
  return value;
}
