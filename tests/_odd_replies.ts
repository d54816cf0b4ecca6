/** Parts of the answers of odd endpoints. */
import type { OddReply, OddRequest } from "./_odd_server.ts";

/** One endpoint. */
export interface OddCase {
  readonly name: string;
  /** The answers to its requests, in order; the last one is repeated. */
  readonly replies: readonly (OddReply | ((request: OddRequest) => OddReply))[];
  /** Variables of the run. */
  readonly env?: Readonly<Record<string, string>>;
  /** The exit status. Default 0 if there is output, else 3. */
  readonly code?: number;
  /** The new content of the output file, or standard output. If absent, the old file stays. */
  readonly out?: string;
  /** The partial output of a run that failed. */
  readonly partial?: string;
  /** Matches standard error, which is one line; if absent, it must be empty. */
  readonly stderr?: RegExp;
  /** The number of requests to the endpoint. Default: the number of replies. */
  readonly requests?: number;
  /** Checks the requests. */
  readonly check?: (requests: readonly OddRequest[]) => void;
}

export const SSE = { "content-type": "text/event-stream" };
export const JSON_TYPE = { "content-type": "application/json" };
export const HTML = { "content-type": "text/html; charset=utf-8" };

export const event = (data: unknown): string => `data: ${JSON.stringify(data)}\n\n`;
export const chunk = (delta: unknown, finish: unknown = null, more = {}): string =>
  event({ choices: [{ index: 0, delta, finish_reason: finish, ...more }] });
export const say = (content: string): string => chunk({ content });
export const DONE = "data: [DONE]\n\n";
export const END = chunk({}, "stop") + DONE;
/** A complete stream with the text `new`. */
export const NEW = say("ne") + say("w") + END;
export const whole = (message: unknown, finish: unknown = "stop", more = {}): string =>
  JSON.stringify({ choices: [{ index: 0, message, finish_reason: finish, ...more }] });
export const made = (name: string, input: unknown, id = `id_${name}`, more = {}): object => ({
  id,
  type: "function",
  function: { name, arguments: JSON.stringify(input) },
  ...more,
});
export const calling = (calls: readonly object[], finish = "tool_calls", delta = {}): string =>
  chunk({ ...delta, tool_calls: calls.map((call, index) => ({ index, ...call })) }) +
  chunk({}, finish) + DONE;
export const WRITES = made("write", { data: "new\n" });
export const EXITS = made("exit", { code: 0 });

export const stream = (body: string, more: Partial<OddReply> = {}): OddReply => ({
  headers: SSE,
  body,
  ...more,
});
export const json = (value: unknown, status = 200, headers = {}): OddReply => ({
  status,
  headers: { ...JSON_TYPE, ...headers },
  body: JSON.stringify(value),
});
export const error = (message: string, status: number, headers = {}, more = {}): OddReply =>
  json({ error: { message, ...more } }, status, headers);
