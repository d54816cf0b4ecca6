import type { FinishReason, ToolCall, Usage } from "../llm/mod.ts";

/** The wire APIs, as scenarios name them. */
export const wireApiNames = ["chat", "responses", "messages", "gemini"] as const;

/** The name of a wire API. */
export type WireApiName = typeof wireApiNames[number];

/** The parts of a request that the mock looks at; the same for every wire API. */
export interface MockRequest {
  /** The wire API that it speaks. */
  api: WireApiName;
  /** The requested model; `mock-model` by default. */
  model: string;
  /** System and developer messages. */
  system: string[];
  /** The last text part of the last user message. A message of tool results does not count. */
  userText: string;
  /** The tool results after the last user message, in order. */
  toolResults: string[];
  /** The names of the tools on offer. */
  tools: ReadonlySet<string>;
  /** The namespace of each tool that has one, as the Responses API groups those of MCP. */
  namespaces?: ReadonlyMap<string, string>;
  /** Number of messages. */
  messages: number;
  /** Characters of messages and tool definitions, from which the usage is computed. */
  characters: number;
  /** The names of the body's fields. */
  fields: ReadonlySet<string>;
  /** True for a streamed answer. */
  stream: boolean;
  /** True where the stream is to report usage. */
  includeUsage: boolean;
  /** True where only the number of the request's tokens is asked for. */
  countOnly?: boolean;
  /**
   * An error in the order of the messages that a real endpoint would refuse, such as a call without
   * a result. Reported in strict mode.
   */
  disorder?: string;
}

/** A call of an answer. */
export interface MockCall extends ToolCall {
  /** The namespace of the tool, if it has one. */
  namespace?: string;
}

/** An answer, ready to be encoded. */
export interface MockAnswer {
  /** Unique for each answer: `mock-...`. */
  id: string;
  /** Seconds since 1970. */
  created: number;
  /** The model that the request asked for. */
  model: string;
  /** The text; `null` when there are only calls. */
  content: string | null;
  /** The calls, in order. */
  toolCalls: MockCall[];
  /** The reason that the model stopped. */
  finishReason: FinishReason;
  /** `null`: not reported. */
  usage: Usage | null;
}

/** An error before a wire API has given it its form. What is absent follows from the status. */
export interface MockError {
  /** For people. */
  message: string;
  /** The kind, in the words of the API. */
  type?: string;
  /** A word for programs. */
  code?: string | null;
  /** The field of the request that is wrong. */
  param?: string | null;
}

/** One server-sent event. */
export interface WireEvent {
  /** The text of its `event:` line, if it has one. */
  event?: string;
  /** The payload of its `data:` line: a text is sent as it is, anything else as JSON. */
  data: unknown;
}

/** The address of a request. */
export interface WireTarget {
  /** The path, which may begin with where the mock is mounted. */
  path: string;
  /** The query, without `?`. */
  query: string;
}

/** One wire API: how its requests are read and how answers are encoded. */
export interface WireApi {
  /** Its name in scenarios. */
  readonly name: WireApiName;
  /** The response header that names the answer. */
  readonly idHeader: string;
  /** True where a POST to this path is a request of this API. */
  serves(path: string): boolean;
  /**
   * Reads a decoded request body. Fields that the mock does not know are fine.
   *
   * @throws {MockRequestError} naming the field that is wrong.
   */
  parse(body: unknown, target?: WireTarget): MockRequest;
  /** An answer in one piece. `done` has no meaning here. */
  json(answer: MockAnswer, options: EncodeOptions): unknown;
  /** A streamed answer. */
  events(answer: MockAnswer, options: EncodeOptions): Iterable<WireEvent>;
  /** The body of an error response. */
  error(error: MockError, status: number): unknown;
  /** An error in a stream, after so many events of the answer. */
  errorEvent(error: MockError, answer: MockAnswer, sent: number): WireEvent;
  /** The answer to a request for the number of its tokens, where the API has such requests. */
  tokens?(count: number): unknown;
  /** The list of models. */
  models(names: readonly string[]): unknown;
  /** One model. */
  model(name: string): unknown;
}

/** Options of an encoded answer. */
export interface EncodeOptions {
  /** True where the stream reports the usage. */
  includeUsage: boolean;
  /** `false`: the fault `no_finish_reason`. */
  finishReason: boolean;
  /** `false`: the fault `no_done`. */
  done: boolean;
}

/** A request that the mock refuses with status 400 and an error body of the wire API. */
export class MockRequestError extends Error {
  /** The class's name. */
  override readonly name = "MockRequestError";
  /** The field that is wrong, such as `messages[0].role`. */
  readonly param: string | null;
  /** A word for programs. */
  readonly code: string | null;

  /** Makes an error; `param` names the field and `code` is a word for programs. */
  constructor(message: string, param: string | null = null, code: string | null = null) {
    super(message);
    this.param = param;
    this.code = code;
  }
}
