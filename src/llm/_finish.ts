import { LlmError } from "./errors.ts";
import type { FinishReason } from "./wire.ts";

/**
 * The names of endpoints for the five ways in which an answer can end: OpenAI and compatible ones,
 * Anthropic (`end_turn`), Gemini (`STOP`), Cohere (`COMPLETE`), Mistral (`model_length`), text
 * generation servers (`eos_token`).
 */
const REASONS: Readonly<Record<string, FinishReason>> = {
  stop: "stop",
  stop_sequence: "stop",
  end_turn: "stop",
  eos: "stop",
  eos_token: "stop",
  complete: "stop",
  completed: "stop",
  length: "length",
  max_tokens: "length",
  max_output_tokens: "length",
  max_length: "length",
  model_length: "length",
  model_context_window_exceeded: "length",
  tool_calls: "tool_calls",
  tool_call: "tool_calls",
  tool_use: "tool_calls",
  function_call: "function_call",
  content_filter: "content_filter",
  content_filtered: "content_filter",
  safety: "content_filter",
  recitation: "content_filter",
  blocklist: "content_filter",
  prohibited_content: "content_filter",
  spii: "content_filter",
  sensitive: "content_filter",
  refusal: "content_filter",
};

/**
 * Reads `finish_reason`; `undefined` while the answer goes on.
 *
 * @throws {LlmError} The answer failed (`error`, `abort`, `MALFORMED_FUNCTION_CALL`), or ended in
 * an unknown way: it may be incomplete.
 */
export function readFinishReason(value: unknown): FinishReason | undefined {
  // Some endpoints write "null" where the answer goes on.
  if (value === undefined || value === null || value === "" || value === "null") return undefined;
  const name = typeof value === "string" ? value : JSON.stringify(value);
  // Gemini adds the kind: "content_filter: RECITATION".
  const [first = ""] = name.toLowerCase().replace(/^finish_reason_/, "").split(":");
  const reason = Object.hasOwn(REASONS, first.trim()) ? REASONS[first.trim()] : undefined;
  if (reason !== undefined) return reason;
  throw new LlmError(
    `Endpoint ended its answer with finish_reason ${JSON.stringify(name)}: it may be incomplete`,
    { code: "protocol" },
  );
}
