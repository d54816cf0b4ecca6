import type { McpHandler } from "../../mcp/mod.ts";
import { currentFolder } from "../../sys/mod.ts";
import type { SandboxMode } from "../../terminal/mod.ts";
import type { FetchApp } from "../../web/http/mod.ts";
import { mcpApp, type McpAppOptions } from "../../web/mcp/mod.ts";
import type { OpenCliTools } from "../mcp/mcp.ts";

/** What {@linkcode mountedMcp} needs. */
export interface MountedMcpOptions extends Pick<McpAppOptions, "hosts" | "howToAllow" | "token"> {
  /** What confines commands. */
  readonly sandbox: SandboxMode;
  /** Folders that commands may start in, besides the current one; empty: all. */
  readonly allow: readonly string[];
  /** Is told what the user should know. */
  readonly warn: (message: string) => void;
}

/** An MCP endpoint beside another app. */
export interface MountedMcp extends FetchApp, AsyncDisposable {}

/**
 * The app with the CLI tools at `/mcp` beside it, for those who have the same token. Nothing of them
 * is loaded before the first request that may ask.
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
        if (closed) return new Response("The server ends", { status: 503 });
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
