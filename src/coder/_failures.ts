import type { EventError } from "../agent/mod.ts";

/** The fields of an `LlmError` that are needed here, from the error or from its event. */
type Failure = Pick<EventError, "code" | "status" | "message">;

/** True where the endpoint says that a request is longer than the model's context. */
export function isContextOverflow({ code, status, message }: Failure): boolean {
  if (code === "context_length_exceeded") return true;
  if (status !== undefined && status !== 400 && status !== 413 && status !== 422) return false;
  return /context[ _-](length|window|size)|maximum context|prompt is too long|too many (input )?tokens|input (is too long|token count)|exceeds? .{0,40}\btokens?\b/i
    .test(message);
}

/**
 * True where another model may succeed: not after a wrong key, or when the endpoint can't be
 * reached.
 */
export function canFallBack({ name, status, code }: EventError): boolean {
  if (name !== "LlmError") return false;
  if (code === "timeout" || code === "protocol" || code === "model_not_found") return true;
  return status !== undefined &&
    (status === 403 || status === 404 || status === 408 || status === 429 || status >= 500);
}

/** True where the connection was lost, or fell silent, during an answer. */
export function isBrokenOff({ name, code }: EventError): boolean {
  return name === "LlmError" && (code === "connection" || code === "timeout");
}
