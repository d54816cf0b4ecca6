import { Client } from "@modelcontextprotocol/client";
import * as format from "@modelcontextprotocol/server";
import { StreamTransport } from "../src/mcp/stream_transport.ts";

/** A server process and its client. */
export interface McpServer {
  readonly child: Deno.ChildProcess;
  readonly client: Client;
  /** The data of a tool's result. */
  call(name: string, input: Record<string, unknown>): Promise<Record<string, unknown>>;
}

/** Starts `llmcmd mcp` of a bundle in a folder that also holds its state. */
export async function startMcpServer(
  program: string,
  folder: string,
  ...args: readonly string[]
): Promise<McpServer> {
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "--quiet", "--no-prompt", "--allow-all", program, "mcp", ...args],
    cwd: folder,
    env: { XDG_STATE_HOME: `${folder}/.state` },
    stdin: "piped",
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
  const client = new Client({ name: "bench", version: "1" });
  await client.connect(new StreamTransport(child.stdout, child.stdin, format));
  const call = async (name: string, input: Record<string, unknown>) => {
    const { structuredContent, isError, content } = await client.callTool(
      { name, arguments: input },
      { timeout: 600_000 },
    );
    if (isError === true) throw new Error(JSON.stringify(content));
    return structuredContent as Record<string, unknown>;
  };
  return { child, client, call };
}
