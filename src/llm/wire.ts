/**
 * The OpenAI chat-completions wire format, as far as this project speaks it. Field names are the
 * API's own.
 */

import type { Extras } from "./extras.ts";

/** A JSON schema. */
export type JsonSchema = Record<string, unknown>;

/** A function call that the model asks for. */
export interface ToolCall {
  /** Names the call; its answer repeats it. */
  id: string;
  /** Always `function`. */
  type: "function";
  /** The function to call. `arguments` is JSON text, possibly malformed. */
  function: { name: string; arguments: string };
}

/** A part of a message's content. */
export type ContentPart = { type: "text"; text: string } | { type: string; [key: string]: unknown };

/** One message of a conversation. */
export type Message =
  | { role: "system" | "developer"; content: string | ContentPart[] }
  | { role: "user"; content: string | ContentPart[] }
  | {
    role: "assistant";
    content?: string | null;
    refusal?: string | null;
    tool_calls?: ToolCall[];
    /** Not of the API: what the endpoint that sent the message wants back with it. */
    extras?: Extras;
  }
  | { role: "tool"; tool_call_id: string; content: string | ContentPart[] };

/** A function offered to the model. */
export interface ToolDefinition {
  /** Always `function`. */
  type: "function";
  /** `parameters` is the JSON schema of the arguments, an object. */
  function: { name: string; description?: string; parameters?: JsonSchema };
}

/** The body of `POST /chat/completions`. */
export interface ChatRequest {
  /** The model's name at the endpoint. */
  model: string;
  /** The conversation so far, oldest first. */
  messages: Message[];
  /** The functions the model may call. */
  tools?: ToolDefinition[];
  /** 0 to 2; lower is more consistent. */
  temperature?: number;
  /** Tokens of the answer at most. */
  max_tokens?: number;
  /** The name of `max_tokens` for newer models. */
  max_completion_tokens?: number;
  /** True for an answer as server-sent events. */
  stream?: boolean;
  /** Options of a stream; `include_usage` asks for the tokens in its last event. */
  stream_options?: { include_usage?: boolean };
}

/** The reason that the model stopped. */
export type FinishReason = "stop" | "length" | "tool_calls" | "content_filter" | "function_call";

/** Tokens of one answer. */
export interface Usage {
  /** Tokens of the request, cached ones included. */
  prompt_tokens: number;
  /** Tokens of the answer. */
  completion_tokens: number;
  /** The sum of both. */
  total_tokens: number;
  /** Tokens of the request that came from the endpoint's cache. */
  prompt_tokens_details?: { cached_tokens?: number };
}

/** A complete answer. */
export interface ChatCompletion {
  /** The endpoint's name for this answer. */
  id: string;
  /** Always `chat.completion`. */
  object: "chat.completion";
  /** Seconds since the epoch. */
  created: number;
  /** The model that answered. */
  model: string;
  /** The answers; one, unless more were asked for. */
  choices: {
    index: number;
    message: {
      role: "assistant";
      content: string | null;
      refusal?: string | null;
      tool_calls?: ToolCall[];
    };
    finish_reason: FinishReason;
  }[];
  /** Tokens of this answer. */
  usage?: Usage;
}

/** One event of a streamed answer. */
export interface ChatCompletionChunk {
  /** The endpoint's name for this answer, the same in every event. */
  id: string;
  /** Always `chat.completion.chunk`. */
  object: "chat.completion.chunk";
  /** Seconds since the epoch, the same in every event. */
  created: number;
  /** The model that answers. */
  model: string;
  /** The new parts; empty in the event that has the tokens. */
  choices: {
    index: number;
    delta: {
      role?: "assistant";
      content?: string | null;
      refusal?: string | null;
      tool_calls?: {
        index: number;
        id?: string;
        type?: "function";
        function?: { name?: string; arguments?: string };
      }[];
    };
    finish_reason: FinishReason | null;
  }[];
  /** Tokens of this answer, in its last event if asked for. */
  usage?: Usage | null;
}

/** The body of an error answer. */
export interface ErrorBody {
  /** The error. `param` names the parameter of the request that is at fault. */
  error: { message: string; type: string; code: string | null; param: string | null };
}
