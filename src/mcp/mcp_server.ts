import type { McpServer } from "@modelcontextprotocol/server";
import type { Registry } from "../tool/mod.ts";
import { toolRequests } from "./tool_requests.ts";

/** What the server says of itself. */
export interface McpAbout {
  /** Its name. */
  readonly name: string;
  /** Its version. */
  readonly version: string;
  /** How its tools are to be used together, for the model. */
  readonly instructions?: string | undefined;
}

/**
 * Loads the SDK, and gives the function that makes a server of these tools: the SDK needs one for a
 * connection, and over HTTP one for a request. All state is in the tools.
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
