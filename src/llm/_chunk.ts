import { isRecord } from "../base/mod.ts";
import { reported } from "./_failure.ts";
import { readFinishReason } from "./_finish.ts";
import { count, text } from "./_guards.ts";
import type { ChatDelta } from "./client.ts";
import type { Extra } from "./extras.ts";
import type { FinishReason, Usage } from "./wire.ts";

/** The contents of one event of a stream, or of a whole answer. */
export interface ChunkContent {
  deltas: ChatDelta[];
  finish?: FinishReason;
  usage?: Usage;
}

/**
 * Fields of a message that are not kept as extras: those that are read here, and those that the API
 * has in answers only.
 */
const OF_MESSAGE = new Set([
  "role",
  "content",
  "refusal",
  "tool_calls",
  "function_call",
  "annotations",
  "audio",
]);
const OF_CALL = new Set(["index", "id", "type", "function"]);

/**
 * Reads a chunk, whose choice has a `delta`, or a whole completion, whose choice has a `message`.
 * Only the first choice counts. What does not fit the API's shape is left out; fields that it does
 * not have are kept, as `origin` sent them.
 *
 * @throws {LlmError} The choice failed.
 */
export function readChunk(data: unknown, origin: string): ChunkContent {
  if (!isRecord(data)) return { deltas: [] };
  const content: ChunkContent = { deltas: [] };
  const choices: unknown[] = Array.isArray(data.choices) ? data.choices : [];
  for (const choice of choices) {
    if (!isRecord(choice) || count(choice.index) !== 0) continue;
    if (choice.error) throw reported("Endpoint broke off with an error", choice.error);
    content.deltas.push(...readMessage(choice.delta ?? choice.message, origin));
    const finish = readFinishReason(choice.finish_reason);
    if (finish !== undefined) content.finish = finish;
  }
  const usage = readUsage(data.usage);
  if (usage !== undefined) content.usage = usage;
  return content;
}

function readMessage(message: unknown, origin: string): ChatDelta[] {
  if (!isRecord(message)) return [];
  const deltas: ChatDelta[] = [];
  const extra = readExtra(message, OF_MESSAGE, origin);
  if (extra !== undefined) deltas.push({ type: "extra", extra });
  const content = readContent(message.content);
  if (content !== undefined) deltas.push({ type: "text", content });
  const refusal = text(message.refusal);
  if (refusal !== undefined) deltas.push({ type: "refusal", content: refusal });
  if (Array.isArray(message.tool_calls)) {
    for (const call of message.tool_calls) {
      if (isRecord(call)) deltas.push(readCall(call, origin));
    }
  }
  // The form of calls before there could be several.
  if (isRecord(message.function_call)) {
    deltas.push(readCall({ function: message.function_call }, origin));
  }
  return deltas;
}

/** Text, or the texts of a list of parts, without parts of other types such as `thinking`. */
function readContent(content: unknown): string | undefined {
  if (!Array.isArray(content)) return text(content);
  return text(
    content.map((part) => {
      if (typeof part === "string") return part;
      const isText = isRecord(part) && (part.type === "text" || part.type === "output_text");
      return isText ? text(part.text) ?? "" : "";
    }).join(""),
  );
}

function readCall(call: Record<string, unknown>, origin: string): ChatDelta {
  const made = isRecord(call.function) ? call.function : {};
  const id = text(call.id);
  const name = calledName(made.name);
  // Some endpoints send the arguments as an object instead of its JSON.
  const args = isRecord(made.arguments) ? JSON.stringify(made.arguments) : text(made.arguments);
  const extra = readExtra(call, OF_CALL, origin);
  return {
    type: "tool_call",
    ...(Number.isInteger(call.index) ? { index: count(call.index) } : {}),
    ...(id === undefined ? {} : { id }),
    ...(name === undefined ? {} : { name }),
    ...(args === undefined ? {} : { arguments: args }),
    ...(extra === undefined ? {} : { extra }),
  };
}

/**
 * The name of a function, without what servers leave of the notation that gpt-oss and others were
 * trained on (`functions.read`, `read<|channel|>commentary`): no name has such characters, and
 * endpoints refuse a conversation with one that does.
 */
function calledName(name: unknown): string | undefined {
  return text(text(name)?.replace(/<\|[^]*$/, "").trim().replace(/^functions\./, ""));
}

function readExtra(
  value: Record<string, unknown>,
  known: ReadonlySet<string>,
  origin: string,
): Extra | undefined {
  const fields = Object.entries(value).filter(([name, it]) => !known.has(name) && !isEmpty(it));
  return fields.length === 0 ? undefined : { origin, fields: Object.fromEntries(fields) };
}

/** True for a field without content. Some endpoints send all fields that they know, empty. */
function isEmpty(value: unknown): boolean {
  if (value === null || value === undefined || value === "") return true;
  return typeof value === "object" && Object.keys(value).length === 0;
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
