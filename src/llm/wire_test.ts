import assert from "node:assert/strict";
import type {
  ChatCompletion as OpenAICompletion,
  ChatCompletionAssistantMessageParam,
  ChatCompletionChunk as OpenAIChunk,
  ChatCompletionCreateParamsStreaming,
  ChatCompletionMessageFunctionToolCall,
  ChatCompletionMessageParam,
  ChatCompletionTool,
} from "openai/resources/chat/completions";
import type { CompletionUsage } from "openai/resources/completions";
import type { AssistantMessage } from "./accumulator.ts";
import { streamingBody } from "./openai_client.ts";
import type {
  ChatCompletion,
  ChatCompletionChunk,
  ChatRequest,
  FinishReason,
  Message,
  ToolCall,
  ToolDefinition,
  Usage,
} from "./wire.ts";

/** Fails to type-check unless every `From` is a `To`. */
type Fits<From extends To, To> = From;

/** Ours without the open-ended content parts, which the package lists one by one. */
type PlainMessage<M> = M extends { content?: infer Content }
  ? Omit<M, "content"> & { content: Extract<Content, string | null> }
  : M;

/** What we send must be what the package sends; what it receives must be what we read. */
export type Wire = [
  Fits<ToolCall, ChatCompletionMessageFunctionToolCall>,
  Fits<ChatCompletionMessageFunctionToolCall, ToolCall>,
  Fits<ToolDefinition, ChatCompletionTool>,
  Fits<AssistantMessage, ChatCompletionAssistantMessageParam>,
  Fits<PlainMessage<Message>, ChatCompletionMessageParam>,
  Fits<
    Omit<ChatRequest, "messages" | "stream" | "stream_options">,
    Omit<ChatCompletionCreateParamsStreaming, "messages" | "stream" | "stream_options">
  >,
  Fits<NonNullable<OpenAIChunk["choices"][0]["finish_reason"]>, FinishReason>,
  Fits<CompletionUsage, Usage>,
  Fits<Usage, CompletionUsage>,
  Fits<OpenAIChunk["choices"][0]["delta"]["content"], string | null | undefined>,
  // What our mock sends, the package's users can read.
  Fits<
    Pick<ChatCompletionChunk, "id" | "object" | "created" | "model" | "usage">,
    Partial<OpenAIChunk>
  >,
  Fits<Pick<ChatCompletion, "id" | "object" | "created" | "model">, Partial<OpenAICompletion>>,
];

Deno.test("streamingBody asks for a stream with usage and keeps the request", () => {
  const request = { model: "m", messages: [], max_tokens: 1 };
  const body = streamingBody(request) satisfies ChatRequest;
  assert.deepEqual(body, {
    ...request,
    stream: true,
    stream_options: { include_usage: true },
  });
});
