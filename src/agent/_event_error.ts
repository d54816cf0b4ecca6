import { LlmError } from "../llm/mod.ts";
import { LimitError } from "../streams/mod.ts";
import type { EventError } from "./events.ts";

/** A failure as plain data. What is not an error, such as an abort's own reason, is an abort. */
export function toEventError(error: unknown): EventError {
  if (!(error instanceof Error)) {
    return { name: "AbortError", message: error === undefined ? "Aborted" : String(error) };
  }
  const { name, message } = error;
  if (error instanceof LlmError) {
    return {
      name,
      message,
      ...(error.status === undefined ? {} : { status: error.status }),
      ...(error.code === undefined ? {} : { code: error.code }),
    };
  }
  if (error instanceof LimitError) {
    // A budget that ran out between two attempts: the first failure is the reason for the second.
    const why = error.cause instanceof Error ? ` (before that: ${error.cause.message})` : "";
    return { name, message: message + why, limit: error.limit };
  }
  return { name, message };
}
