import { mcpHandler } from "../../mcp/mod.ts";
import { privateFiles, serve, terminals } from "../../sys/mod.ts";
import { mcpApp } from "../../web/mcp/mod.ts";
import type { Messages } from "../messages/mod.ts";
import { ConfigError } from "../settings/mod.ts";
import { fired } from "../signals/signals.ts";
import { stateKey, usualStateFolder } from "../state/mod.ts";
import { ABOUT_MCP } from "./about_mcp.ts";
import type { OpenCliTools } from "./open_cli_tools.ts";

/** Milliseconds that open responses may take to end. */
const GRACE = 1000;

/** Options of {@linkcode serveMcp}. */
export interface ServeMcpOptions {
  /** The tools. */
  readonly cli: OpenCliTools;
  /** Standard error. */
  readonly messages: Messages;
  /** The port; 0 takes a free one. */
  readonly port: number;
  /** Stops the server when it fires. */
  readonly signal: AbortSignal;
}

/**
 * Serves the tools over HTTP at `/mcp`, to clients with the key of the state folder.
 *
 * @throws {ConfigError} There is no folder to store a key.
 * @throws {ListenError} The port is in use.
 */
export async function serveMcp({ cli, messages, port, signal }: ServeMcpOptions): Promise<void> {
  const folder = usualStateFolder();
  if (folder === undefined) {
    throw new ConfigError("There is no place to keep the key: set HOME or XDG_STATE_HOME");
  }
  const { key, path } = await stateKey(privateFiles(), folder);
  const handler = await mcpHandler({
    tools: cli.tools,
    about: ABOUT_MCP,
    onError: (error) => messages.warn(error.message),
  });
  try {
    const app = mcpApp({ handler, token: key });
    const server = serve((request) => app.fetch(request), { port });
    if (!cli.sandboxed) {
      messages.warn("without a sandbox, commands can read the key of this server");
    }
    // The key is for the user's eyes, not for logs.
    const shown = terminals().stderr ? key : `$(cat ${path})`;
    messages.say(`${server.url}/mcp answers to "Authorization: Bearer ${shown}"`);
    await Promise.race([server.finished, fired(signal)]);
    await handler.close();
    await server.stop(GRACE);
  } finally {
    await handler.close();
  }
}
