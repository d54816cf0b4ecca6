import type {
  CallToolResult,
  InputRequiredResult,
  ServerContext,
  Tool,
} from "@modelcontextprotocol/server";

/** A tool of the suite that answers with more than text, or asks the client. */
export interface FixtureTool {
  readonly name: string;
  readonly description: string;
  /** What it takes; nothing by default. */
  readonly inputSchema?: Tool["inputSchema"];
  call(
    input: Readonly<Record<string, unknown>>,
    context: ServerContext,
  ): CallToolResult | Promise<CallToolResult | InputRequiredResult>;
}

/** The tool as `tools/list` has it. */
export function entryOf({ name, description, inputSchema }: FixtureTool): Tool {
  return { name, description, inputSchema: inputSchema ?? { type: "object", properties: {} } };
}

/** A result of one text. */
export function text(value: string): CallToolResult {
  return { content: [{ type: "text", text: value }] };
}
