import type { McpServer } from "@modelcontextprotocol/server";
import type { Registry } from "../tool/mod.ts";
import { toolRequests } from "./tool_requests.ts";

/** Name, version and instructions of a server. */
export interface McpAbout {
  /** Its name. */
  readonly name: string;
  /** Its version. */
  readonly version: string;
  /** Instructions for the model on how to use the tools together. */
  readonly instructions?: string | undefined;
}

/**
 * Loads the SDK and returns a function that makes a server with these tools. The SDK needs a server
 * for each connection, over HTTP for each request; all state is in the tools.
 */
export async function mcpFactory(tools: Registry, about: McpAbout): Promise<() => McpServer> {
  const [{ McpServer }, { list, call }] = await Promise.all([
    import("@modelcontextprotocol/server"),
    toolRequests(tools),
  ]);
  const { name, version, instructions } = about;
  return () => {
    const server = new McpServer({ name, version }, {
      // The tools never change.
      capabilities: { tools: { listChanged: false } },
      ...(instructions === undefined ? {} : { instructions }),
    });
    server.server.setRequestHandler("tools/list", list);
    server.server.setRequestHandler("tools/call", call);
    return server;
  };
}
