import { HttpError } from "./_failure.ts";
import type { LlmError } from "./errors.ts";
import type { ChatRequest } from "./wire.ts";

/** A parameter that some models or endpoints refuse, and that can be left out or replaced. */
export type Quirk = "max_tokens" | "temperature" | "stream_options";

const QUIRKS: readonly Quirk[] = ["max_tokens", "temperature", "stream_options"];

/** The parameters of `body` that an answer 400 or 422 names, by `param` or in its message. */
export function refusedParameters(failure: LlmError, body: ChatRequest): Quirk[] {
  if (!(failure instanceof HttpError) || (failure.status !== 400 && failure.status !== 422)) {
    return [];
  }
  const { param, message } = failure.details;
  return QUIRKS.filter((name) =>
    body[name] !== undefined && (param === name || new RegExp(`\\b${name}\\b`).test(message))
  );
}

/** `body` as an endpoint with `quirks` accepts it. */
export function adapt(body: ChatRequest, quirks: ReadonlySet<Quirk>): ChatRequest {
  const adapted = { ...body };
  for (const quirk of quirks) delete adapted[quirk];
  if (quirks.has("max_tokens") && body.max_tokens !== undefined) {
    adapted.max_completion_tokens = body.max_tokens;
  }
  return adapted;
}
