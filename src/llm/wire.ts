/**
 * The OpenAI chat-completions wire format, as far as this project speaks it. Field names are the
 * API's own.
 */

/** A JSON schema. */
export type JsonSchema = Record<string, unknown>;

/** A function call that the model asks for. `arguments` is JSON text, possibly malformed. */
export interface ToolCall {
  id: string;
  type: "function";
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
  }
  | { role: "tool"; tool_call_id: string; content: string | ContentPart[] };

/** A function offered to the model. */
export interface ToolDefinition {
  type: "function";
  function: { name: string; description?: string; parameters?: JsonSchema };
}

/** The body of `POST /chat/completions`. */
export interface ChatRequest {
  model: string;
  messages: Message[];
  tools?: ToolDefinition[];
  temperature?: number;
  max_tokens?: number;
  /** What newer models want instead of `max_tokens`. */
  max_completion_tokens?: number;
  stream?: boolean;
  stream_options?: { include_usage?: boolean };
}

/** Why the model stopped. */
export type FinishReason = "stop" | "length" | "tool_calls" | "content_filter" | "function_call";

/** Tokens of one answer. */
export interface Usage {
  prompt_tokens: number;
  completion_tokens: number;
  total_tokens: number;
  prompt_tokens_details?: { cached_tokens?: number };
}

/** A complete answer. */
export interface ChatCompletion {
  id: string;
  object: "chat.completion";
  created: number;
  model: string;
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
  usage?: Usage;
}

/** One event of a streamed answer. */
export interface ChatCompletionChunk {
  id: string;
  object: "chat.completion.chunk";
  created: number;
  model: string;
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
  usage?: Usage | null;
}

/** The body of an error answer. */
export interface ErrorBody {
  error: { message: string; type: string; code: string | null; param: string | null };
}
