import type { FinishReason } from "../llm/mod.ts";
import type { WireApiName } from "./wire_api.ts";

/**
 * A scenario file: what the mock answers to which message. JSON; docs/mock.md has the format.
 */
export interface ScenarioFile {
  /** Tried in order: the first that matches answers. */
  scenarios: Scenario[];
  /** The answer when nothing matches, or a scenario has no step left. There is a built-in one. */
  default_response?: ScenarioResponse;
}

/** One conversation that the mock knows. It needs a `trigger`, a `match`, or both. */
export interface Scenario {
  /** Shown in the journal. */
  name: string;
  /** For people who read the file. */
  description?: string;
  /**
   * Text that the last text part of the last user message contains, case-sensitive. An empty
   * trigger fits every message.
   */
  trigger?: string;
  /** Further conditions; all must hold. */
  match?: ScenarioMatch;
  /** The answers, one for each turn of the model after the last user message. At least one. */
  steps: ScenarioStep[];
}

/** Conditions on a request. All that are given must hold. */
export interface ScenarioMatch {
  /** JavaScript regular expression searched in the last text part of the last user message. */
  regex?: string;
  /** Flags of `regex`: any of `i`, `m`, `s`, `u`, `v`. */
  flags?: string;
  /** The wire API of the request. */
  api?: WireApiName;
  /** The requested model, exactly. */
  model?: string;
  /** Text in one of the system or developer messages. */
  system_contains?: string;
  /** Text in the last tool result after the last user message. Never true before there is one. */
  tool_result_contains?: string;
  /** A field that the request body has, such as `max_tokens`. */
  body_has?: string;
}

/** One turn of the model. It needs a `response`, a `fault`, or both. */
export interface ScenarioStep {
  /** The model's answer; empty if absent. */
  response?: ScenarioResponse;
  /**
   * When it does not hold, this scenario is skipped for the request and the next one in the file is
   * tried. So two scenarios with the same trigger can answer different tool results.
   */
  match?: ScenarioMatch;
  /** Faults. In a list each lasts for its `times`, then comes the next. */
  fault?: Fault | Fault[];
}

/** An answer of the model. */
export interface ScenarioResponse {
  /** The text. Without it, `null` when there are calls, else an empty text. */
  content?: string | null;
  /**
   * The calls the model asks for. A step with a call `by_tool` of which no tool is on offer is
   * passed over, as if its `match` did not hold.
   */
  tool_calls?: (ScenarioToolCall | ScenarioToolChoice)[];
  /** Default: `tool_calls` when there are calls, else `stop`. */
  finish_reason?: FinishReason;
  /** Replaces the computed numbers of tokens; `null` leaves `usage` out, as some servers do. */
  usage?: ScenarioUsage | null;
}

/** A call in a scenario. */
export interface ScenarioToolCall {
  /** Default: `call_<number of messages>_<number of the call>`, unique within a conversation. */
  id?: string;
  /** Always `function`. */
  type?: "function";
  /** The function's name, and its arguments as an object or as JSON text (sent as it is). */
  function: { name: string; arguments: string | Record<string, unknown> };
}

/** A call of the first of some tools that the request offers. */
export interface ScenarioToolChoice {
  /** As in {@linkcode ScenarioToolCall}. */
  id?: string;
  /**
   * Names of tools, in the order in which they are looked for, and the arguments for each. So one
   * scenario works for programs whose tools have different names.
   */
  by_tool: Record<string, string | Record<string, unknown>>;
}

/** Tokens that replace the computed ones, which are characters / 4, rounded up. */
export interface ScenarioUsage {
  /** Tokens of the request, cached ones among them. */
  prompt_tokens?: number;
  /** Tokens of the answer. */
  completion_tokens?: number;
  /** The number of the prompt's tokens from a cache; left out when absent. */
  cached_tokens?: number;
}

/**
 * Something that goes wrong with an answer.
 *
 * `status`, `html`, `redirect` and `hang` replace the answer. The others change how it is sent;
 * they count *events*, the `data:` blocks of a streamed answer; in chat completions, the first
 * gives the role, then come pieces of text and of calls, the finish reason, the usage if asked for,
 * `[DONE]`. An answer that is not streamed is always cut in its middle instead.
 */
export interface Fault {
  /**
   * For how many requests the fault happens; the next one is answered without it, and the count
   * starts again. Default: always.
   */
  times?: number;

  /** HTTP status of an error (400 to 599), or with `html` and `redirect` the status of those. */
  status?: number;
  /**
   * Fields of the error body; those that a wire API does not have are left out. What is not given
   * follows from the status.
   */
  error?: { message?: string; type?: string; code?: string | null; param?: string | null };
  /** The header `Retry-After`: seconds, or an HTTP date as text. */
  retry_after?: number | string;
  /** More response headers. */
  headers?: Record<string, string>;
  /** A page in place of JSON, with status 200 unless `status` is given. `true`: a built-in page. */
  html?: boolean | string;
  /** A redirect to this address, with status 307 unless `status` is given. */
  redirect?: string;
  /** Never answers; the connection stays open until the client closes it. */
  hang?: boolean;

  /** Milliseconds before the response begins. */
  latency?: number;
  /** Milliseconds between the response's headers and its first byte. */
  first_token?: number;
  /** Milliseconds before each further event. */
  chunk_delay?: number;
  /** Sends the body in pieces of so many bytes, wherever characters and events end. */
  chunk_bytes?: number;
  /** Breaks the connection after so many events. */
  cut_after?: number;
  /** Breaks the connection after so many bytes of the body. */
  cut_after_bytes?: number;
  /**
   * Ends the body without an error after so many events, as a proxy does that gives up on its
   * server.
   */
  end_after?: number;
  /**
   * Sends nothing more after so many events; the connection stays open until the client closes it.
   */
  stall_after?: number;
  /** Sends an error object in place of the rest after so many events. */
  error_after?: number;
  /** Sends broken JSON: the second event of a stream, or the body. */
  malformed?: boolean;
  /**
   * Leaves the finish reason out; the rest of the stream is complete. In the Responses API it is
   * the last event that is left out, `response.completed`.
   */
  no_finish_reason?: boolean;
  /** Leaves `data: [DONE]` out, or the event `message_stop`. Other APIs have nothing like it. */
  no_done?: boolean;
}
