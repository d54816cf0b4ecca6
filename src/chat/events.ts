import type { AgentEvent, EventError } from "../agent/mod.ts";
import { SessionError } from "../coder/mod.ts";

/** An event for clients: its name, and its data before they are encoded. */
export type ChatEvent =
  | { readonly type: "tool_result"; readonly data: ToolResultData }
  | { readonly type: "error"; readonly data: ErrorData }
  | {
    readonly type:
      | "ask"
      | "answered"
      | "text"
      | "tool"
      | "tool_output"
      | "usage"
      | "notice"
      | "warning"
      | "done";
    readonly data: object;
  };

/** The end of a call. */
export interface ToolResultData {
  readonly name: string;
  readonly content: string;
  readonly error: boolean;
  readonly details?: unknown;
}

/** The reason why a turn failed. */
export interface ErrorData {
  readonly message: string;
  readonly code?: string;
  readonly status?: number;
  readonly limit?: string;
}

/**
 * The event for clients that stands for an event of a run. A client needs `text`, `tool` and `done` to
 * show a turn; `tool_result`, `usage`, `notice`, `warning` and `error` add to them. `done` is not made
 * here: it is the last event of every turn. A `message` is left out, as its contents have been sent as
 * `text`, `tool` and `tool_result`.
 */
export function chatEvent(event: AgentEvent, details: number): ChatEvent | undefined {
  switch (event.type) {
    case "text":
      return { type: "text", data: { content: event.content } };
    case "tool_start":
      return { type: "tool", data: { name: event.name, input: event.input } };
    case "tool_end": {
      const { name, content, error } = event;
      const kept = event.details === undefined
        ? {}
        : { details: shortened(event.details, details) };
      return { type: "tool_result", data: { name, content, error, ...kept } };
    }
    case "usage": {
      const { prompt_tokens, completion_tokens, prompt_tokens_details } = event.usage;
      const data = {
        prompt_tokens,
        completion_tokens,
        cached_tokens: prompt_tokens_details?.cached_tokens ?? 0,
        turn: {
          prompt_tokens: event.total.prompt_tokens,
          completion_tokens: event.total.completion_tokens,
          api_calls: event.api_calls,
        },
      };
      return { type: "usage", data };
    }
    case "retry": {
      const seconds = Math.ceil(event.delay / 1000);
      const message =
        `Attempt ${event.attempt} failed (${event.error}): trying again in ${seconds} s`;
      return { type: "warning", data: { message } };
    }
    case "notice":
    case "warning":
      return { type: event.type, data: { message: event.message } };
    case "error":
      return errorEvent(event.error);
    case "run_end":
      return endWarning(event.reason);
    default:
      return undefined;
  }
}

/** The event for a failure that is no event of the run. */
export function failureEvent(error?: unknown): ChatEvent {
  const message = error instanceof SessionError ? error.message : INTERNAL;
  return { type: "error", data: { message } };
}

const INTERNAL = "The turn failed for an internal reason";

/** The last event. */
export const DONE: ChatEvent = { type: "done", data: {} };

/** Failures whose message is meant for the user; others could tell paths. */
const TOLD: ReadonlySet<string> = new Set(["LlmError", "LimitError"]);

function errorEvent(error: EventError): ChatEvent {
  return { type: "error", data: errorData(error) };
}

/** The failure of a turn as clients see it. */
export function errorData({ name, message, status, code, limit }: EventError): ErrorData {
  if (name === "AbortError") return { message: "The turn was stopped", code: "stopped" };
  if (!TOLD.has(name)) return { message: INTERNAL };
  return {
    message,
    ...(status === undefined ? {} : { status }),
    ...(code === undefined ? {} : { code }),
    ...(limit === undefined ? {} : { limit }),
  };
}

/** An answer that was cut is no error of the run, but must not look complete. */
function endWarning(reason: string): ChatEvent | undefined {
  if (reason === "length") {
    return warning("The answer was cut at the model's token limit");
  }
  if (reason === "content_filter") {
    return warning("The endpoint withheld the answer");
  }
  return undefined;
}

function shortened(details: unknown, most: number): unknown {
  const size = JSON.stringify(details)?.length ?? 0;
  if (size <= most) return details;
  if (typeof details !== "object" || details === null) return undefined;
  const diff: unknown = Reflect.get(details, "diff");
  if (typeof diff !== "string") return undefined;
  const cut = diff.slice(0, Math.floor(most / 2));
  return { ...details, diff: `${cut.slice(0, cut.lastIndexOf("\n") + 1)}[The diff is longer]\n` };
}

function warning(message: string): ChatEvent {
  return { type: "warning", data: { message } };
}
