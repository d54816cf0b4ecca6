/**
 * The edge to language models: the chat-completions wire types, the {@linkcode ChatClient} port
 * and its adapter for OpenAI-compatible endpoints, the accumulator that makes a message of a
 * stream, retries, and the quota of calls and tokens.
 *
 * Does not run tools and keeps no conversation: that is `agent/`. Reads no environment and no
 * configuration: keys and addresses are given. Speaks no other wire format.
 *
 * @module
 */
export type {
  ChatCompletion,
  ChatCompletionChunk,
  ChatRequest,
  ContentPart,
  ErrorBody,
  FinishReason,
  JsonSchema,
  Message,
  ToolCall,
  ToolDefinition,
  Usage,
} from "./wire.ts";
export type { ChatBody, ChatClient, ChatDelta, StreamOptions } from "./client.ts";
export type { Extra, Extras, Fields } from "./extras.ts";
export { type Clock, systemClock } from "./clock.ts";
export {
  type AssistantMessage,
  DeltaAccumulator,
  type DeltaAccumulatorOptions,
} from "./accumulator.ts";
export { encodeRequest } from "./encode_request.ts";
export { LlmError, type LlmErrorOptions } from "./errors.ts";
export { connectionError } from "./_failure.ts";
export { completionsUrl, openaiClient, type OpenAIClientOptions } from "./openai_client.ts";
export { withoutThought } from "./thought.ts";
export { Quota, type QuotaOptions, type TokenWeights } from "./quota.ts";
