import type {
  CallToolRequest,
  CallToolResult,
  ListToolsResult,
  ServerContext,
  Tool as ToolEntry,
} from "@modelcontextprotocol/server";
import { closest, isRecord } from "../base/mod.ts";
import { type Registry, type Tool, type ToolContext, unwrapInput } from "../tool/mod.ts";

/** Handlers of the requests about tools. */
export interface ToolRequests {
  /** Answers `tools/list`. */
  list(): ListToolsResult;
  /** Answers `tools/call`. Throws the SDK's `ProtocolError` if there is no such tool. */
  call(request: CallToolRequest, context: ServerContext): Promise<CallToolResult>;
}

/** Loads the tools and the SDK, and returns the handlers of requests about them. */
export async function toolRequests(tools: Registry): Promise<ToolRequests> {
  const { ProtocolError, ProtocolErrorCode } = await import("@modelcontextprotocol/server");
  await Promise.all([...tools].map((tool) => tool.load?.()));
  const listed = [...tools].map(entryOf);
  const refuse = (wanted: string): never => {
    const near = closest(wanted, tools.names);
    throw new ProtocolError(
      ProtocolErrorCode.InvalidParams,
      `There is no tool ${JSON.stringify(wanted)}: there are ${tools.names.join(", ")}` +
        (near === undefined ? "" : ` (did you mean ${near}?)`),
    );
  };
  return {
    list: () => ({ tools: listed }),
    async call({ params }, context) {
      const tool = tools.get(params.name) ?? refuse(params.name);
      return await callTool(tool, params.arguments, context);
    },
  };
}

/** A tool as `tools/list` has it. */
function entryOf({ spec, output, annotations }: Tool): ToolEntry {
  const { name, description, parameters } = spec;
  const { title, ...hints } = annotations ?? {};
  return {
    name,
    description,
    inputSchema: objectSchema(parameters),
    ...(title === undefined ? {} : { title }),
    ...(output === undefined ? {} : { outputSchema: objectSchema(output) }),
    ...(annotations === undefined ? {} : { annotations: defined({ title, ...hints }) }),
  };
}

function objectSchema(schema: Readonly<Record<string, unknown>>): ToolEntry["inputSchema"] {
  return { ...schema, type: "object" };
}

/** The fields that have a value: the SDK refuses `undefined`. */
function defined<Value>(fields: Record<string, Value | undefined>): Record<string, Value> {
  const entries = Object.entries(fields).flatMap(([key, value]) =>
    value === undefined ? [] : [[key, value] as const]
  );
  return Object.fromEntries(entries);
}

/** Calls a tool. Its failures become results with `isError`. */
async function callTool(
  tool: Tool,
  given: unknown,
  context: ServerContext,
): Promise<CallToolResult> {
  const parsed = tool.parse(unwrapInput(given ?? {}, tool.spec));
  if (!parsed.ok) return textResult(parsed.error, true);
  const { id, signal } = context.mcpReq;
  const progress = progressOf(context);
  const result = await tool.execute(parsed.input, {
    signal,
    callId: String(id),
    ...(progress === undefined ? {} : { progress }),
  });
  const { content, error = false, structured } = result;
  return {
    ...textResult(content, error),
    ...(structured === undefined ? {} : { structuredContent: { ...structured } }),
  };
}

function textResult(text: string, isError: boolean): CallToolResult {
  return { content: [{ type: "text", text }], ...(isError ? { isError } : {}) };
}

/** Reports progress if the client has asked for it. */
function progressOf({ mcpReq }: ServerContext): ToolContext["progress"] {
  const token = isRecord(mcpReq._meta) ? mcpReq._meta.progressToken : undefined;
  if (typeof token !== "string" && typeof token !== "number") return undefined;
  let sending = false;
  return ({ progress, total, message }) => {
    // A client that does not read gets fewer reports, not a queue of them.
    if (sending || mcpReq.signal.aborted) return;
    sending = true;
    const params = {
      progressToken: token,
      progress,
      ...defined({ total }),
      ...defined({ message }),
    };
    mcpReq.notify({ method: "notifications/progress", params })
      .catch(() => {}).finally(() => sending = false);
  };
}
