import type { ToolResult } from "../tool/mod.ts";
import type { Session } from "./session.ts";

/**
 * Encodes a tool's fields as JSON, which is what the model reads. A result with an error is
 * marked as failed; one of a run that cannot go on ends it.
 */
export function jsonResult(fields: { error: string | null }, session: Session): ToolResult {
  return {
    content: JSON.stringify(fields),
    ...(fields.error === null ? {} : { error: true }),
    ...(session.failure === undefined ? {} : { stop: true }),
  };
}

/**
 * The input without its `null` fields, which some models send for parameters that they mean to
 * leave out.
 */
export function withoutNulls(input: unknown): unknown {
  if (typeof input !== "object" || input === null || Array.isArray(input)) return input;
  return Object.fromEntries(Object.entries(input).filter(([, value]) => value !== null));
}
