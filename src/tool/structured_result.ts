import type { ToolResult } from "./tool.ts";

/** A result that is data: the model reads it as JSON. */
export function structuredResult(structured: Readonly<Record<string, unknown>>): ToolResult {
  return { content: JSON.stringify(structured), structured };
}
