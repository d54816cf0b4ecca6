import type { ChatCompletion, ChatCompletionChunk } from "../llm/mod.ts";
import { parseChatRequest } from "./_chat_request.ts";
import { openaiError } from "./_openai_error.ts";
import { openaiModel, openaiModels } from "./_openai_models.ts";
import { argumentPieces, textPieces } from "./_pieces.ts";
import type { EncodeOptions, MockAnswer, WireApi, WireEvent } from "./wire_api.ts";

type Choice = ChatCompletionChunk["choices"][number];

/** The OpenAI chat-completions API. */
export const chatApi: WireApi = {
  name: "chat",
  idHeader: "x-request-id",
  serves: (path) => /^(\/v1)?\/chat\/completions$/.test(path),
  parse: parseChatRequest,
  json: chatCompletion,
  *events(answer, options): Generator<WireEvent, void, void> {
    for (const data of chatChunks(answer, options)) yield { data };
    if (options.done) yield { data: "[DONE]" };
  },
  error: openaiError,
  errorEvent: (error) => ({ data: openaiError(error, 500) }),
  models: openaiModels,
  model: openaiModel,
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
  for (const piece of textPieces(content)) yield chunk({ content: piece });
  for (const [index, { id, type, function: { name, arguments: args } }] of toolCalls.entries()) {
    yield chunk({ tool_calls: [{ index, id, type, function: { name, arguments: "" } }] });
    for (const piece of argumentPieces(args)) {
      yield chunk({ tool_calls: [{ index, function: { arguments: piece } }] });
    }
  }
  if (options.finishReason) yield chunk({}, finishReason);
  if (reportsUsage) {
    yield { id, object: "chat.completion.chunk", created, model, choices: [], usage };
  }
}
