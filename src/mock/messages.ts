import { parseMessagesRequest } from "./_messages_request.ts";
import { argumentPieces, decodeArguments, textPieces } from "./_pieces.ts";
import type { EncodeOptions, MockAnswer, MockError, WireApi, WireEvent } from "./wire_api.ts";

/** Anthropic's Messages API. */
export const messagesApi: WireApi = {
  name: "messages",
  idHeader: "request-id",
  serves: (path) => /^\/v1\/messages(\/count_tokens)?$/.test(path),
  parse: parseMessagesRequest,
  json: (answer, options) => ({
    ...emptyMessage(answer),
    content: contentOf(answer),
    stop_reason: options.finishReason ? stopReason(answer) : null,
    ...(answer.usage === null ? {} : { usage: usageOf(answer.usage) }),
  }),
  events: messageEvents,
  error: messagesError,
  errorEvent: (error) => ({ event: "error", data: messagesError(error, 500) }),
  tokens: (count) => ({ input_tokens: count }),
  models: (names) => ({
    data: names.map(modelOf),
    has_more: false,
    first_id: names[0] ?? null,
    last_id: names.at(-1) ?? null,
  }),
  model: modelOf,
};

function modelOf(id: string): object {
  return { type: "model", id, display_name: id, created_at: "1970-01-01T00:00:00Z" };
}

/** A message whose content is still to come. */
function emptyMessage({ id, model }: MockAnswer): object {
  return {
    id: `msg_${id}`,
    type: "message",
    role: "assistant",
    model,
    content: [],
    stop_reason: null,
    stop_sequence: null,
  };
}

/** Leaves out an empty text, which the API neither takes nor sends. */
function contentOf({ content, toolCalls }: MockAnswer): object[] {
  return [
    ...(content ? [{ type: "text", text: content }] : []),
    ...toolCalls.map(({ id, function: { name, arguments: args } }) => ({
      type: "tool_use",
      id,
      name,
      input: decodeArguments(args),
    })),
  ];
}

function stopReason({ finishReason }: MockAnswer): string {
  switch (finishReason) {
    case "length":
      return "max_tokens";
    case "content_filter":
      return "refusal";
    case "tool_calls":
    case "function_call":
      return "tool_use";
    default:
      return "end_turn";
  }
}

/** `input_tokens` leaves out what came from the cache. */
function usageOf(
  { prompt_tokens, completion_tokens, prompt_tokens_details }: NonNullable<MockAnswer["usage"]>,
) {
  const cached = prompt_tokens_details?.cached_tokens ?? 0;
  return {
    input_tokens: Math.max(0, prompt_tokens - cached),
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: cached,
    output_tokens: completion_tokens,
  };
}

/** The events of a streamed message, each with its type on the `event:` line. */
function* messageEvents(
  answer: MockAnswer,
  options: EncodeOptions,
): Generator<WireEvent, void, void> {
  const { content, toolCalls } = answer;
  const usage = answer.usage === null ? undefined : usageOf(answer.usage);
  yield typed("message_start", {
    message: {
      ...emptyMessage(answer),
      ...(usage === undefined ? {} : { usage: { ...usage, output_tokens: 1 } }),
    },
  });
  let index = 0;
  if (content) {
    yield typed("content_block_start", { index, content_block: { type: "text", text: "" } });
    for (const text of textPieces(content)) {
      yield typed("content_block_delta", { index, delta: { type: "text_delta", text } });
    }
    yield typed("content_block_stop", { index });
    index++;
  }
  for (const { id, function: { name, arguments: args } } of toolCalls) {
    const content_block = { type: "tool_use", id, name, input: {} };
    yield typed("content_block_start", { index, content_block });
    for (const partial_json of argumentPieces(args)) {
      yield typed("content_block_delta", {
        index,
        delta: { type: "input_json_delta", partial_json },
      });
    }
    yield typed("content_block_stop", { index });
    index++;
  }
  const stop_reason = options.finishReason ? stopReason(answer) : null;
  yield typed("message_delta", {
    delta: { stop_reason, stop_sequence: null },
    ...(usage === undefined ? {} : { usage }),
  });
  if (options.done) yield typed("message_stop", {});
}

function typed(type: string, fields: object): WireEvent {
  return { event: type, data: { type, ...fields } };
}

const TYPES: Record<number, string> = {
  401: "authentication_error",
  403: "permission_error",
  404: "not_found_error",
  413: "request_too_large",
  429: "rate_limit_error",
  529: "overloaded_error",
};

function messagesError({ message, type }: MockError, status: number): object {
  const usual = TYPES[status] ?? (status < 500 ? "invalid_request_error" : "api_error");
  return { type: "error", error: { type: type ?? usual, message } };
}
