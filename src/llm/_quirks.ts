import { HttpError } from "./_failure.ts";
import type { LlmError } from "./errors.ts";
import type { ChatRequest } from "./wire.ts";

/** A parameter that some models or endpoints refuse, and that can be left out or replaced. */
type Parameter = "max_tokens" | "temperature" | "stream_options";

/**
 * A feature that an endpoint refused: a parameter; to stream its answer; `content` that is null; a
 * field that it sent itself; or answers of other models, which lack a field that its own have.
 */
export type Quirk =
  | Parameter
  | "whole answer"
  | "empty content"
  | "fill reasoning_content"
  | "fill thought_signature"
  | `without ${string}`;

/** Features of a request that an endpoint can refuse. */
export interface Refusable {
  /** Its parameters, but for the messages. */
  readonly parameters: Omit<ChatRequest, "messages">;
  /** Names of the fields of an endpoint's own that went back to it, and of those in them. */
  readonly extras: ReadonlySet<string>;
  /** True where an answer's content was sent as null. */
  readonly nullContent: boolean;
}

const PARAMETERS: readonly Parameter[] = ["max_tokens", "temperature", "stream_options"];

/** Messages of an endpoint that does not stream the answers of a model, or not to this user. */
const NO_STREAM =
  /\bverified to stream\b|\bnot support\w* stream(ing)?\b|\bstreaming\b[^.]*\bnot (support|allow|available)/i;

/** Messages about a missing field, not about one that is refused. */
const MISSING = /\b(missing|required|must be (passed|sent|provided|included)|passed back)\b/i;

/**
 * Reads from an answer 400 or 422 which parts of the request it refuses, by `param` or in its
 * message: none where the request had been changed so, or where the reason is another.
 */
export function refusedParts(
  failure: LlmError,
  sent: Refusable,
  known: ReadonlySet<Quirk>,
): Quirk[] {
  if (!(failure instanceof HttpError) || (failure.status !== 400 && failure.status !== 422)) {
    return [];
  }
  const { param = "", message } = failure.details;
  const names = (name: string) =>
    param.split(/[.[\]]+/).includes(name) ||
    new RegExp(`(?<!\\w)${name.replace(/\W/g, "\\$&")}(?!\\w)`).test(message);
  const quirks: Quirk[] = PARAMETERS.filter((name) =>
    sent.parameters[name] !== undefined && names(name)
  );
  const noStream = param === "stream" || NO_STREAM.test(message);
  if (noStream && sent.parameters.stream === true) quirks.push("whole answer");
  // Endpoints whose filter withholds a request speak of content, too.
  const emptyContent = sent.nullContent && names("content") && !/filter|policy/i.test(message);
  if (emptyContent) quirks.push("empty content");
  if (MISSING.test(message)) {
    if (names("reasoning_content")) quirks.push("fill reasoning_content");
    if (names("thought_signature")) quirks.push("fill thought_signature");
  } else {
    for (const path of sent.extras) {
      const [field = ""] = path.split(".");
      const last = path.slice(path.lastIndexOf(".") + 1);
      const named = names(field) || path !== field && last.length > 6 && names(last);
      if (named) quirks.push(`without ${field}`);
    }
  }
  return [...new Set(quirks)].filter((quirk) => !known.has(quirk));
}
