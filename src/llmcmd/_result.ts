import type { ToolResult } from "../tool/mod.ts";
import type { Session } from "./session.ts";

/**
 * Encodes a tool's fields as the JSON that specification 000 gives. A result with an error is
 * marked as failed; one of a run that cannot go on ends it.
 */
export function jsonResult(fields: { error: string | null }, session: Session): ToolResult {
  return {
    content: JSON.stringify(fields),
    ...(fields.error === null ? {} : { error: true }),
    ...(session.failure === undefined ? {} : { stop: true }),
  };
}

/** Input without its `null` fields: models send them for parameters that they leave out. */
export function withoutNulls(input: unknown): unknown {
  if (typeof input !== "object" || input === null || Array.isArray(input)) return input;
  return Object.fromEntries(Object.entries(input).filter(([, value]) => value !== null));
}
