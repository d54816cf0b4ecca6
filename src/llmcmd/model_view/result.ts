import { isBuiltinName } from "../../builtins/mod.ts";
import type { ToolResult } from "../../tool/mod.ts";

/**
 * Encodes a tool's fields as JSON, which is what the model reads. A result with an error is
 * marked as failed; one of a run that cannot go on ends it.
 */
export function jsonResult(
  fields: { error: string | null },
  run: { readonly failure: Error | undefined },
): ToolResult {
  return {
    content: JSON.stringify(fields),
    ...(fields.error === null ? {} : { error: true }),
    ...(run.failure === undefined ? {} : { stop: true }),
  };
}

/** The fields of a tool's result besides its error, if nothing came of the call. */
const NOTHING: ReadonlyMap<string, Record<string, unknown>> = new Map<
  string,
  Record<string, unknown>
>([
  ["read", { input: "", eof: false, size: 0 }],
  ["write", { success: false, size: 0 }],
  ["pipe", { success: false, size: 0 }],
]);

/** Encodes a failure before a tool ran, or instead of it, in the form of its results. */
export function describeFailure(message: string, tool: string): string {
  // Some models call commands as if they were tools.
  const hint = isBuiltinName(tool) ? `; ${tool} is a command: call pipe with cmd` : "";
  const fields = NOTHING.get(tool) ?? { success: false };
  return JSON.stringify({ ...fields, error: `${message}${hint}` });
}
