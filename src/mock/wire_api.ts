import type { ErrorBody, FinishReason, ToolCall, Usage } from "../llm/mod.ts";

/** The parts of a request that the mock looks at; the same for every wire API. */
export interface MockRequest {
  /** The model asked for; `mock-model` when none is. */
  model: string;
  /** System and developer messages. */
  system: string[];
  /** The last text part of the last user message. */
  userText: string;
  /** The tool results after the last user message, in order. */
  toolResults: string[];
  /** Number of messages. */
  messages: number;
  /** Characters of messages and tool definitions, from which the usage is computed. */
  characters: number;
  /** The names of the body's fields. */
  fields: ReadonlySet<string>;
  /** Whether the answer is to be streamed. */
  stream: boolean;
  /** Whether the stream is to report usage. */
  includeUsage: boolean;
  /**
   * What a real endpoint would refuse about the order of the messages, such as a call without a
   * result. Reported in strict mode.
   */
  disorder?: string;
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
  toolCalls: ToolCall[];
  /** Why the model stopped. */
  finishReason: FinishReason;
  /** `null`: not reported. */
  usage: Usage | null;
}

/**
 * One wire API: how its requests are read and how answers are encoded. The events of a stream are
 * the payloads of its `data:` blocks.
 */
export interface WireApi {
  /**
   * Reads a decoded request body. Fields that the mock does not know are fine.
   *
   * @throws {MockRequestError} naming the field that is wrong.
   */
  parse(body: unknown): MockRequest;
  /** An answer in one piece. `finishReason: false` leaves the reason out. */
  json(answer: MockAnswer, options: EncodeOptions): unknown;
  /** A streamed answer. */
  events(answer: MockAnswer, options: EncodeOptions): Iterable<unknown>;
  /** The payload that ends a complete stream, if the API has one. */
  readonly done?: string;
  /** The body of an error. */
  error(error: ErrorBody["error"]): unknown;
}

/** What to put into an answer. */
export interface EncodeOptions {
  /** Whether the stream ends with the usage. */
  includeUsage: boolean;
  /** `false`: the fault `no_finish_reason`. */
  finishReason: boolean;
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
