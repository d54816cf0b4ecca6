import type { Quirk, Refusable } from "./_quirks.ts";
import type { Fields } from "./extras.ts";
import type { ChatRequest, Message } from "./wire.ts";

/** A request as it is sent. */
export interface Outgoing extends Refusable {
  /** The body. */
  readonly json: string;
}

type Answer = Extract<Message, { role: "assistant" }>;

/**
 * A request as the endpoint and model of `origin` take it: with the fields that they sent with
 * earlier answers, without those of others, and as their quirks want it.
 */
export function outgoing(
  request: ChatRequest,
  origin: string,
  quirks: ReadonlySet<Quirk>,
): Outgoing {
  const { messages, ...rest } = request;
  const parameters = adapted(rest, quirks);
  const names = new Set<string>();
  let nullContent = false;
  const sent = messages.map((message) => {
    if (message.role !== "assistant") return message;
    const answer = outgoingAnswer(message, origin, quirks, names);
    nullContent ||= answer.content === null;
    return answer;
  });
  const json = stringify({ ...parameters, messages: sent });
  return { json, parameters, extras: names, nullContent };
}

function adapted(
  parameters: Omit<ChatRequest, "messages">,
  quirks: ReadonlySet<Quirk>,
): Omit<ChatRequest, "messages"> {
  const sent = { ...parameters };
  for (const name of ["max_tokens", "temperature", "stream_options"] as const) {
    if (quirks.has(name)) delete sent[name];
  }
  if (quirks.has("whole answer")) {
    sent.stream = false;
    delete sent.stream_options;
  }
  if (quirks.has("max_tokens") && parameters.max_tokens !== undefined) {
    sent.max_completion_tokens = parameters.max_tokens;
  }
  return sent;
}

function outgoingAnswer(
  { extras, ...message }: Answer,
  origin: string,
  quirks: ReadonlySet<Quirk>,
  names: Set<string>,
): Answer {
  const own = extras?.origin === origin ? extras : undefined;
  const kept = (fields: Fields | undefined): Fields => {
    if (fields === undefined) return {};
    const left = Object.entries(fields).filter(([name]) => !quirks.has(`without ${name}`));
    left.forEach(([name, value]) => addNames(name, value, names));
    return Object.fromEntries(left);
  };
  const calls = message.tool_calls?.map((call) => ({
    ...(quirks.has("fill thought_signature") ? NO_SIGNATURE : {}),
    ...kept(own?.calls?.[call.id]),
    ...call,
  }));
  const emptyContent = quirks.has("empty content") && (message.content ?? null) === null;
  return {
    ...(quirks.has("fill reasoning_content") ? { reasoning_content: "" } : {}),
    ...kept(own?.message),
    ...message,
    ...(emptyContent ? { content: "" } : {}),
    ...(calls === undefined ? {} : { tool_calls: calls }),
  };
}

/** A signature that Gemini accepts for calls that another model made. */
const NO_SIGNATURE = {
  extra_content: { google: { thought_signature: "skip_thought_signature_validator" } },
};

/** A refusal may name a field inside a field. */
function addNames(name: string, value: unknown, names: Set<string>): void {
  names.add(name);
  if (Array.isArray(value)) value.forEach((part) => addNames(name, part, names));
  else if (typeof value === "object" && value !== null) {
    for (const [inner, it] of Object.entries(value)) addNames(`${name}.${inner}`, it, names);
  }
}

/**
 * JSON whose strings are well-formed. Half a character, as a model may write it or a file name may
 * have it, becomes U+FFFD: endpoints refuse the whole conversation for one, each time anew.
 */
function stringify(body: unknown): string {
  const json = JSON.stringify(body);
  // JSON has half a character as an escape, always in lower case.
  if (!/\\ud[89a-f]/.test(json)) return json;
  return JSON.stringify(
    body,
    (_, value: unknown) => typeof value === "string" ? value.toWellFormed() : value,
  );
}
