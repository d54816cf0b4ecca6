import type {
  CallToolResult,
  InputRequiredResult,
  ServerContext,
  Tool,
} from "@modelcontextprotocol/server";

/** A tool of the suite that answers with more than text, or sends requests to the client. */
export interface FixtureTool {
  readonly name: string;
  readonly description: string;
  /** The schema of its input; empty if absent. */
  readonly inputSchema?: Tool["inputSchema"];
  call(
    input: Readonly<Record<string, unknown>>,
    context: ServerContext,
  ): CallToolResult | Promise<CallToolResult | InputRequiredResult>;
}

/** The tool's entry in `tools/list`. */
export function entryOf({ name, description, inputSchema }: FixtureTool): Tool {
  return { name, description, inputSchema: inputSchema ?? { type: "object", properties: {} } };
}

/** A result with one text. */
export function text(value: string): CallToolResult {
  return { content: [{ type: "text", text: value }] };
}
