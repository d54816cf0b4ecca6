import { createParser } from "eventsource-parser";
import { chatApi } from "./chat.ts";
import { Mock, type MockOptions } from "./mock.ts";
import { parseScenarios } from "./parse_scenarios.ts";
import type { BodyPiece, HttpScript } from "./_http_script.ts";
import type { ScenarioFile } from "./scenario.ts";
import type { MockRequest, WireApi } from "./wire_api.ts";

/** A mock that answers from these scenarios, given as JSON values. */
export function mockOf(scenarios: unknown[], options: Omit<MockOptions, "scenarios"> = {}): Mock {
  return new Mock({ scenarios: fileOf(scenarios), ...options });
}

/** A scenario file that holds these scenarios, given as JSON values. */
export function fileOf(scenarios: unknown[]): ScenarioFile {
  return parseScenarios({ scenarios }, "test.json");
}

/** A request made of messages. */
export function requestOf(messages: unknown[], fields: Record<string, unknown> = {}): MockRequest {
  return chatApi.parse({ model: "m", messages, ...fields });
}

/** A user message. */
export function user(content: unknown): unknown {
  return { role: "user", content };
}

/** A tool result. */
export function toolResult(content: unknown, id = "call_1"): unknown {
  return { role: "tool", tool_call_id: id, content };
}

/** An assistant message with calls of these ids. */
export function assistantCalls(...ids: string[]): unknown {
  return {
    role: "assistant",
    content: null,
    tool_calls: ids.map((id) => ({
      id,
      type: "function",
      function: { name: "read", arguments: "{}" },
    })),
  };
}

/** Plays a script: gives the text of its data, the end of the response, and the waits in order. */
export function playAll(script: HttpScript): {
  text: string;
  end: "clean" | "cut" | "stall";
  waits: number[];
  pieces: string[];
} {
  if (typeof script.body === "string") {
    return { text: script.body, end: "clean", waits: [], pieces: [script.body] };
  }
  const pieces: BodyPiece[] = [...script.body];
  const last = pieces.at(-1);
  const data = pieces.flatMap((piece) => piece.type === "data" ? [piece] : []);
  const decoder = new TextDecoder();
  return {
    text: data.map((piece) => decoder.decode(piece.data, { stream: true })).join("") +
      decoder.decode(),
    end: last === undefined || last.type === "data" ? "clean" : last.type,
    waits: data.map(({ wait }) => wait),
    pieces: data.map((piece) => new TextDecoder("latin1").decode(piece.data)),
  };
}

/** The payloads of an event stream's `data:` blocks. */
export function payloadsOf(text: string): string[] {
  return text.split("\n\n").filter((block) => block !== "").map((block) => {
    if (!block.startsWith("data: ")) throw new Error(`Not a data block: ${block}`);
    return block.slice("data: ".length);
  });
}

/** The events of an event stream, with their JSON decoded, as a client's parser reads them. */
// deno-lint-ignore no-explicit-any -- what tests look at
export function sseOf(text: string): { event: string | undefined; data: any }[] {
  // deno-lint-ignore no-explicit-any -- what tests look at
  const events: { event: string | undefined; data: any }[] = [];
  const parser = createParser({
    onEvent: ({ event, data }) => events.push({ event, data: JSON.parse(data) }),
    onError: (error) => {
      throw error;
    },
  });
  parser.feed(text);
  return events;
}

/** Sends a body to a mock whose only scenario has the trigger `go` and this step. */
export function serveStep(
  api: WireApi,
  path: string,
  step: unknown,
  body: Record<string, unknown>,
): HttpScript {
  const [pathname = "", query = ""] = path.split("?");
  return mockOf([{ name: "go", trigger: "go", steps: [step] }], { strict: true })
    .serve(api, { path: pathname, query, headers: [], body: JSON.stringify(body) });
}

/** A step with text and a call, and a different number for each field of tokens. */
export const STEP: unknown = {
  response: {
    content: "I look now.",
    tool_calls: [{ id: "c1", function: { name: "read", arguments: { fd: 3, max_size: 4096 } } }],
    usage: { prompt_tokens: 100, completion_tokens: 7, cached_tokens: 64 },
  },
};
