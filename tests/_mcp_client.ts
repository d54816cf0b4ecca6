import { Client } from "@modelcontextprotocol/client";
import * as format from "@modelcontextprotocol/server";
import assert from "node:assert/strict";
import { StreamTransport } from "../src/mcp/stream_transport.ts";
import { PROGRAM } from "./_program.ts";

/** Arguments of Deno that run the command. */
export const RUN = ["run", "--quiet", "--no-prompt", "--no-check", "--allow-all", PROGRAM];
/** Options for the negotiation of the protocol's revision. */
export const CLIENT_OPTIONS = { versionNegotiation: { mode: "auto" as const } };

/** Options of a server and its client. */
export interface McpClientOptions {
  /** The arguments of `llmcmd mcp`. */
  readonly args?: readonly string[];
  /** Variables of the server besides those of the test. */
  readonly env?: Readonly<Record<string, string>>;
  /** Called with everything that the server sends. */
  readonly onText?: (text: string) => void;
}

/** A client and its server. */
export interface McpClient {
  readonly client: Client;
  readonly child: Deno.ChildProcess;
  /** The server's standard error, once it has ended. */
  readonly said: Promise<string>;
  /** Calls a tool; resolves to the data of the result, which must not be an error. */
  call(
    name: string,
    input?: Record<string, unknown>,
    options?: Parameters<Client["callTool"]>[1],
  ): Promise<Record<string, unknown>>;
  /** Calls a tool; resolves to the text of the result, which must be an error. */
  failure(name: string, input: Record<string, unknown>): Promise<string>;
}

/**
 * Connects a client to a new `llmcmd mcp` over standard streams. It works in `folder` and stores
 * its state there.
 */
export async function connectMcp(
  folder: string,
  { args = [], env = {}, onText = () => {} }: McpClientOptions = {},
): Promise<McpClient> {
  const child = new Deno.Command(Deno.execPath(), {
    args: [...RUN, "mcp", ...args],
    cwd: folder,
    env: { XDG_STATE_HOME: `${folder}/.state`, ...env },
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const said = new Response(child.stderr).text();
  const decoder = new TextDecoder();
  const shown = child.stdout.pipeThrough(
    new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
      transform(chunk, controller) {
        onText(decoder.decode(chunk, { stream: true }));
        controller.enqueue(chunk);
      },
    }),
  );
  const client = new Client({ name: "test", version: "1" }, CLIENT_OPTIONS);
  await client.connect(new StreamTransport(shown, child.stdin, format));
  return {
    ...{ client, child, said },
    async call(name, input, options) {
      const called = await client.callTool({ name, arguments: input ?? {} }, options);
      assert.equal(called.isError ?? false, false, JSON.stringify(called.content));
      return called.structuredContent as Record<string, unknown>;
    },
    async failure(name, input) {
      const { isError, content: [first] } = await client.callTool({ name, arguments: input });
      assert(isError === true && first?.type === "text", JSON.stringify(first));
      return first.text;
    },
  };
}

/** Calls `use` with a temporary folder. */
export async function inFolder(use: (folder: string) => Promise<void>): Promise<void> {
  const folder = await Deno.realPath(await Deno.makeTempDir({ prefix: "mcp-" }));
  try {
    await use(folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}
