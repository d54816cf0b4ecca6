import type { ChatCompletion, ChatCompletionChunk, ErrorBody } from "../llm/mod.ts";
import { parseChatRequest } from "./_chat_request.ts";
import type { EncodeOptions, MockAnswer, WireApi } from "./wire_api.ts";

type Choice = ChatCompletionChunk["choices"][number];

/** The OpenAI chat-completions API. */
export const chatApi: WireApi = {
  parse: parseChatRequest,
  json: chatCompletion,
  events: chatChunks,
  done: "[DONE]",
  error: (error): ErrorBody => ({ error }),
};

/** A completion in one piece: the object that `POST /chat/completions` answers. */
function chatCompletion(
  { id, created, model, content, toolCalls, finishReason, usage }: MockAnswer,
  options: EncodeOptions,
): ChatCompletion | object {
  return {
    id,
    object: "chat.completion",
    created,
    model,
    choices: [{
      index: 0,
      message: {
        role: "assistant",
        content,
        ...(toolCalls.length === 0 ? {} : { tool_calls: toolCalls }),
      },
      finish_reason: options.finishReason ? finishReason : null,
    }],
    ...(usage === null ? {} : { usage }),
  };
}

/**
 * The chunks of a streamed completion: role, pieces of the text, pieces of each call, the finish
 * reason, and with `includeUsage` a last one without choices.
 */
function* chatChunks(
  { id, created, model, content, toolCalls, finishReason, usage }: MockAnswer,
  options: EncodeOptions,
): Generator<ChatCompletionChunk, void, void> {
  const reportsUsage = options.includeUsage && usage !== null;
  const chunk = (
    delta: Choice["delta"],
    finish_reason: Choice["finish_reason"] = null,
  ): ChatCompletionChunk => ({
    id,
    object: "chat.completion.chunk",
    created,
    model,
    choices: [{ index: 0, delta, finish_reason }],
    ...(reportsUsage ? { usage: null } : {}),
  });
  yield chunk({ role: "assistant", content: content === null ? null : "" });
  for (const [piece] of (content ?? "").matchAll(WORDS)) yield chunk({ content: piece });
  for (const [index, { id, type, function: { name, arguments: args } }] of toolCalls.entries()) {
    yield chunk({ tool_calls: [{ index, id, type, function: { name, arguments: "" } }] });
    for (const [piece] of args.matchAll(PIECES)) {
      yield chunk({ tool_calls: [{ index, function: { arguments: piece } }] });
    }
  }
  if (options.finishReason) yield chunk({}, finishReason);
  if (reportsUsage) {
    yield { id, object: "chat.completion.chunk", created, model, choices: [], usage };
  }
}

/** A word with the blanks before it, at most 12 characters: about the size of a token. */
const WORDS = /\s{0,64}\S{1,12}|\s{1,64}/gu;

/**
 * Arguments come in pieces of 16 characters, so that a client which parses a piece as if it were
 * the whole JSON fails in tests.
 */
const PIECES = /[^]{1,16}/gu;
