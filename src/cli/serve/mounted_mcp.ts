import type { McpHandler } from "../../mcp/mod.ts";
import { currentFolder } from "../../sys/mod.ts";
import type { SandboxMode } from "../../terminal/mod.ts";
import type { FetchApp } from "../../web/http/mod.ts";
import { mcpApp, type McpAppOptions } from "../../web/mcp/mod.ts";
import type { OpenCliTools } from "../mcp/mcp.ts";

/** Options of {@linkcode mountedMcp}. */
export interface MountedMcpOptions extends Pick<McpAppOptions, "hosts" | "howToAllow" | "token"> {
  /** The sandbox of commands. */
  readonly sandbox: SandboxMode;
  /** Folders that commands may start in, besides the current one; all if empty. */
  readonly allow: readonly string[];
  /** Called with warnings for the user. */
  readonly warn: (message: string) => void;
}

/** An MCP endpoint beside another app. */
export interface MountedMcp extends FetchApp, AsyncDisposable {}

/**
 * Adds the CLI tools at `/mcp` to an app, behind the same token. They are imported with the first
 * request that has it.
 */
export function mountedMcp(app: FetchApp, options: MountedMcpOptions): MountedMcp {
  const { sandbox, allow, warn, ...security } = options;
  let closed = false;
  let opening: Promise<{ cli: OpenCliTools; handler: McpHandler }> | undefined;
  const open = async () => {
    const [{ mcpHandler }, { ABOUT_MCP: about, openCliTools }] = await Promise.all([
      import("../../mcp/mod.ts"),
      import("../mcp/mcp.ts"),
    ]);
    const folders = allow.length === 0 ? [] : [currentFolder(), ...allow];
    const cli = await openCliTools({
      ...{ program: "llmcmd serve", owner: "http", sandbox, allow: folders, warn },
      sandboxTold: true,
    });
    const onError = (error: Error) => warn(error.message);
    return { cli, handler: await mcpHandler({ tools: cli.tools, about, onError }) };
  };
  const guarded = mcpApp({
    ...security,
    handler: {
      async fetch(request, body) {
        if (closed) return new Response("The server is stopping", { status: 503 });
        const { handler } = await (opening ??= open());
        return await handler.fetch(request, body);
      },
    },
  });
  return {
    fetch: (request) =>
      new URL(request.url).pathname === "/mcp" ? guarded.fetch(request) : app.fetch(request),
    async [Symbol.asyncDispose]() {
      closed = true;
      const opened = await opening?.catch(() => undefined);
      await opened?.handler.close();
      await opened?.cli[Symbol.asyncDispose]();
    },
  };
}
