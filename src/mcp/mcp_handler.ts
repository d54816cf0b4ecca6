import type { McpServer, ServerEventBus } from "@modelcontextprotocol/server";
import type { Registry } from "../tool/mod.ts";
import { LegacyConnections } from "./legacy_connections.ts";
import { type McpAbout, mcpFactory } from "./mcp_server.ts";

/** What {@linkcode mcpHandler} needs. */
export interface McpHandlerOptions {
  /** The tools. */
  readonly tools: Registry;
  /** What the server says of itself. */
  readonly about: McpAbout;
  /** Is told what goes wrong outside of calls. */
  readonly onError: (error: Error) => void;
}

/** Answers MCP clients over HTTP. */
export interface McpHandler {
  /**
   * Answers a request. Who may ask was decided before: it checks neither `Host` and `Origin` nor a
   * token. `body` is the parsed JSON of a POST.
   */
  fetch(request: Request, body?: unknown): Promise<Response>;
  /** Ends all connections, and aborts the calls that run. */
  close(): Promise<void>;
}

/**
 * Makes the handler of MCP's Streamable HTTP transport, of revision 2026-07-28 and of those before.
 * Loads the SDK.
 */
export async function mcpHandler(options: McpHandlerOptions): Promise<McpHandler> {
  const { tools, about, onError } = options;
  return await handlerForFactory(await mcpFactory(tools, about), { onError });
}

/** What {@linkcode handlerForFactory} needs. */
export interface HandlerOptions extends Pick<McpHandlerOptions, "onError"> {
  /** Where a server tells that its tools, prompts or resources have changed. Ours never do. */
  readonly bus?: ServerEventBus;
}

/** Makes the handler that serves what a factory makes: as {@linkcode mcpHandler}. */
export async function handlerForFactory(
  factory: () => McpServer,
  { onError, ...rest }: HandlerOptions,
): Promise<McpHandler> {
  const { createMcpHandler, isInitializeRequest, isLegacyRequest } = await import(
    "@modelcontextprotocol/server"
  );
  const modern = createMcpHandler(factory, { onerror: onError, ...rest });
  const legacy = new LegacyConnections(factory, onError);
  return {
    async fetch(request, body) {
      const id = request.headers.get("mcp-session-id");
      if (id !== null) {
        const response = await legacy.handle(id, request, body);
        return response ?? jsonRpcError(404, "There is no such session: initialize again");
      }
      const opens = request.method === "POST" && isInitializeRequest(body);
      if (opens && await isLegacyRequest(request, body)) return await legacy.open(request, body);
      return await modern.fetch(request, body === undefined ? {} : { parsedBody: body });
    },
    async close() {
      await Promise.all([modern.close(), legacy.close()]);
    },
  };
}

function jsonRpcError(status: number, message: string): Response {
  const error = { code: -32000, message };
  return Response.json({ jsonrpc: "2.0", error, id: null }, { status });
}
