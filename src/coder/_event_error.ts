import type { EventError } from "../agent/mod.ts";
import { LlmError } from "../llm/mod.ts";
import { LimitError } from "../streams/mod.ts";

/** A failure as plain data. What is not an error, such as an abort's own reason, is an abort. */
export function eventError(error: unknown): EventError {
  if (!(error instanceof Error)) {
    return { name: "AbortError", message: error === undefined ? "Aborted" : String(error) };
  }
  const { name, message } = error;
  if (error instanceof LimitError) return { name, message, limit: error.limit };
  if (!(error instanceof LlmError)) return { name, message };
  return {
    name,
    message,
    ...(error.status === undefined ? {} : { status: error.status }),
    ...(error.code === undefined ? {} : { code: error.code }),
  };
}
