import type { AgentEvent, EventError } from "../agent/mod.ts";

/** An event for the page: its name, and its data as JSON. */
export interface ChatEvent {
  /** Such as `text`. */
  readonly type: string;
  /** The data, one line. */
  readonly data: string;
}

/**
 * What clients are told of an event of a run. `text`, `tool` and `done` are those of specification
 * 001, "Endpoints"; `tool_result`, `usage`, `notice`, `warning` and `error` are additional. `done` is not
 * made here: it is the last, whatever happens.
 */
export function chatEvent(event: AgentEvent, details: number): ChatEvent | undefined {
  switch (event.type) {
    case "text":
      return encoded("text", { content: event.content });
    case "tool_start":
      return encoded("tool", { name: event.name, input: event.input });
    case "tool_end": {
      const { name, content, error } = event;
      return encoded("tool_result", {
        name,
        content,
        error,
        ...(event.details === undefined ? {} : { details: shortened(event.details, details) }),
      });
    }
    case "usage": {
      const { prompt_tokens, completion_tokens, prompt_tokens_details } = event.usage;
      return encoded("usage", {
        prompt_tokens,
        completion_tokens,
        cached_tokens: prompt_tokens_details?.cached_tokens ?? 0,
        turn: {
          prompt_tokens: event.total.prompt_tokens,
          completion_tokens: event.total.completion_tokens,
          api_calls: event.api_calls,
        },
      });
    }
    case "retry": {
      const seconds = Math.ceil(event.delay / 1000);
      const message =
        `Attempt ${event.attempt} failed (${event.error}): trying again in ${seconds} s`;
      return encoded("warning", { message });
    }
    case "notice":
    case "warning":
      return encoded(event.type, { message: event.message });
    case "error":
      return errorEvent(event.error);
    case "run_end":
      return endWarning(event.reason);
    default:
      return undefined;
  }
}

/** The event for a failure that is no event of the run. */
export function failureEvent(): ChatEvent {
  return encoded("error", { message: "The turn failed for an internal reason" });
}

/** The last event. */
export const DONE: ChatEvent = { type: "done", data: "{}" };

/** Failures whose message is meant for the user; others could tell paths. */
const TOLD: ReadonlySet<string> = new Set(["LlmError", "LimitError"]);

function errorEvent({ name, message, status, code, limit }: EventError): ChatEvent {
  if (name === "AbortError") {
    return encoded("error", { message: "The turn was stopped", code: "stopped" });
  }
  if (!TOLD.has(name)) return failureEvent();
  return encoded("error", {
    message,
    ...(status === undefined ? {} : { status }),
    ...(code === undefined ? {} : { code }),
    ...(limit === undefined ? {} : { limit }),
  });
}

/** An answer that was cut is no error of the run, but must not look complete. */
function endWarning(reason: string): ChatEvent | undefined {
  if (reason === "length") {
    return encoded("warning", { message: "The answer was cut at the model's token limit" });
  }
  if (reason === "content_filter") {
    return encoded("warning", { message: "The endpoint withheld the answer" });
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

function encoded(type: string, data: unknown): ChatEvent {
  return { type, data: JSON.stringify(data) };
}
