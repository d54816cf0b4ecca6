import type { FinishReason, Usage } from "../llm/mod.ts";

/** Why a run ended. `stop`: a final answer. `tool`: a tool ended it (`exit`). */
export type RunEndReason = "stop" | "tool" | "length" | "content_filter" | "error" | "abort";

/** A failure as events carry it: plain data, without secrets. */
export interface EventError {
  /** The error class, such as `LlmError`, `LimitError`, `AbortError`. */
  name: string;
  message: string;
  /** The HTTP status of the endpoint, when there is one. */
  status?: number;
  /** The name of the limit that was reached, such as `LLMCMD_MAX_API_CALLS`. */
  limit?: string;
}

/** What happens in a run, in order. `run_start` is first and `run_end` last, always. */
export type AgentEvent =
  | { type: "run_start"; model: string }
  /** A request to the model begins. `turn` counts from 1. */
  | { type: "turn_start"; turn: number }
  /** A piece of the model's text. */
  | { type: "text"; content: string }
  | { type: "retry"; attempt: number; delay: number; error: string }
  /** Before a call runs, once a call. `input` is the decoded JSON, or the raw text if malformed. */
  | { type: "tool_start"; id: string; name: string; input: unknown }
  | { type: "tool_end"; id: string; name: string; content: string; error: boolean; details?: unknown }
  /** Tokens of one answer, and of the run so far with the number of API calls. */
  | { type: "usage"; usage: Usage; total: Usage; api_calls: number; weighted_tokens: number }
  | { type: "turn_end"; turn: number; finish_reason: FinishReason }
  /** Something the user should know that did not end the run. */
  | { type: "warning"; message: string }
  | { type: "error"; error: EventError }
  | { type: "run_end"; reason: RunEndReason; api_calls: number; seconds: number };
