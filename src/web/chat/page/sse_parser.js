// @ts-check

/**
 * A server-sent event.
 *
 * @typedef {object} ServerSentEvent
 * @property {string} event Its type; `message` where it names none.
 * @property {string} data Its lines, joined by newlines.
 * @property {string} id The latest id so far; empty before the first.
 */

/**
 * Makes a function that takes text in any pieces and gives the events that are complete.
 *
 * @returns {(text: string) => ServerSentEvent[]}
 */
export function sseParser() {
  let rest = "";
  let event = "";
  /** @type {string[]} */
  let data = [];
  let id = "";
  return (text) => {
    const events = [];
    rest += text;
    // A CR at the end may be the first half of a line's end.
    const lines = rest.split(/\r\n|\n|\r(?!$)/);
    rest = lines.pop() ?? "";
    for (const line of lines) {
      if (line === "") {
        if (data.length > 0) events.push({ event: event || "message", data: data.join("\n"), id });
        event = "";
        data = [];
        continue;
      }
      const at = line.indexOf(":");
      const field = at < 0 ? line : line.slice(0, at);
      const value = at < 0 ? "" : line.slice(at + 1).replace(/^ /, "");
      if (field === "event") event = value;
      else if (field === "data") data.push(value);
      else if (field === "id") id = value;
    }
    return events;
  };
}

/**
 * Reads the events of a response, those that came together in one list.
 *
 * @param {Response} response
 * @returns {AsyncGenerator<ServerSentEvent[], void, void>}
 */
export async function* eventsOf(response) {
  const parse = sseParser();
  const decoder = new TextDecoder();
  const reader = response.body?.getReader();
  for (;;) {
    const { done, value } = await reader?.read() ?? { done: true };
    if (done) return;
    yield parse(decoder.decode(value, { stream: true }));
  }
}
