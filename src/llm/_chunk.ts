import { count, isRecord, text } from "./_guards.ts";
import type { ChatDelta } from "./client.ts";
import type { FinishReason, Usage } from "./wire.ts";

/** What one event of a stream, or a whole answer, holds. */
export interface ChunkContent {
  deltas: ChatDelta[];
  finish?: FinishReason;
  usage?: Usage;
}

const FINISH_REASONS: Record<string, FinishReason> = {
  stop: "stop",
  length: "length",
  max_tokens: "length",
  tool_calls: "tool_calls",
  content_filter: "content_filter",
  function_call: "function_call",
};

/**
 * Reads a chunk, whose choice has a `delta`, or a whole completion, whose choice has a `message`.
 * Only the first choice counts. What does not fit the API's shape is left out.
 */
export function readChunk(data: unknown): ChunkContent {
  if (!isRecord(data)) return { deltas: [] };
  const content: ChunkContent = { deltas: [] };
  const choices: unknown[] = Array.isArray(data.choices) ? data.choices : [];
  for (const choice of choices) {
    if (!isRecord(choice) || count(choice.index) !== 0) continue;
    content.deltas.push(...readMessage(choice.delta ?? choice.message));
    const reason = text(choice.finish_reason);
    if (reason !== undefined) content.finish = FINISH_REASONS[reason.toLowerCase()] ?? "stop";
  }
  const usage = readUsage(data.usage);
  if (usage !== undefined) content.usage = usage;
  return content;
}

function readMessage(message: unknown): ChatDelta[] {
  if (!isRecord(message)) return [];
  const deltas: ChatDelta[] = [];
  const content = text(message.content);
  if (content !== undefined) deltas.push({ type: "text", content });
  const refusal = text(message.refusal);
  if (refusal !== undefined) deltas.push({ type: "refusal", content: refusal });
  if (Array.isArray(message.tool_calls)) {
    for (const call of message.tool_calls) {
      if (isRecord(call)) deltas.push(readCall(call));
    }
  }
  return deltas;
}

function readCall(call: Record<string, unknown>): ChatDelta {
  const made = isRecord(call.function) ? call.function : {};
  const id = text(call.id);
  const name = text(made.name);
  // Some endpoints send the arguments as an object instead of its JSON.
  const args = isRecord(made.arguments) ? JSON.stringify(made.arguments) : text(made.arguments);
  return {
    type: "tool_call",
    ...(Number.isInteger(call.index) ? { index: count(call.index) } : {}),
    ...(id === undefined ? {} : { id }),
    ...(name === undefined ? {} : { name }),
    ...(args === undefined ? {} : { arguments: args }),
  };
}

function readUsage(usage: unknown): Usage | undefined {
  if (!isRecord(usage)) return undefined;
  const prompt = count(usage.prompt_tokens);
  const completion = count(usage.completion_tokens);
  const details = isRecord(usage.prompt_tokens_details) ? usage.prompt_tokens_details : {};
  return {
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: count(usage.total_tokens) || prompt + completion,
    ...(details.cached_tokens === undefined
      ? {}
      : { prompt_tokens_details: { cached_tokens: count(details.cached_tokens) } }),
  };
}
