import type { McpServer, ServerEventBus } from "@modelcontextprotocol/server";
import type { Registry } from "../tool/mod.ts";
import { LegacyConnections } from "./legacy_connections.ts";
import { type McpAbout, mcpFactory } from "./mcp_server.ts";

/** Options of {@linkcode mcpHandler}. */
export interface McpHandlerOptions {
  /** The tools. */
  readonly tools: Registry;
  /** Name, version and instructions of the server. */
  readonly about: McpAbout;
  /** Receives errors that happen outside of calls. */
  readonly onError: (error: Error) => void;
}

/** Answers MCP clients over HTTP. */
export interface McpHandler {
  /**
   * Answers a request. `body` is the parsed JSON of a POST. Checks neither `Host` and `Origin` nor
   * a token: that is up to the caller.
   */
  fetch(request: Request, body?: unknown): Promise<Response>;
  /** Ends all connections, and aborts the calls that run. */
  close(): Promise<void>;
}

/**
 * Makes the handler of MCP's Streamable HTTP transport, for revision 2026-07-28 and earlier ones.
 * Loads the SDK.
 */
export async function mcpHandler(options: McpHandlerOptions): Promise<McpHandler> {
  const { tools, about, onError } = options;
  return await handlerForFactory(await mcpFactory(tools, about), { onError });
}

/** Options of {@linkcode handlerForFactory}. */
export interface HandlerOptions extends Pick<McpHandlerOptions, "onError"> {
  /**
   * Carries a server's events that tools, prompts or resources have changed. Those of
   * {@linkcode mcpHandler} never change.
   */
  readonly bus?: ServerEventBus;
}

/** Makes a handler for the servers of a factory, otherwise like {@linkcode mcpHandler}. */
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
