import type { Registry } from "../tool/mod.ts";
import { type McpAbout, mcpFactory } from "./mcp_server.ts";
import { StreamTransport } from "./stream_transport.ts";

/** Options of {@linkcode serveStreams}. */
export interface ServeStreamsOptions {
  /** The tools. */
  readonly tools: Registry;
  /** Name, version and instructions of the server. */
  readonly about: McpAbout;
  /** The client's messages. */
  readonly readable: ReadableStream<Uint8Array>;
  /** The messages to the client. Nothing else may be written there. */
  readonly writable: WritableStream<Uint8Array>;
  /** Ends serving. */
  readonly signal: AbortSignal;
  /** Receives errors that happen outside of calls, such as a line that is not a message. */
  readonly onError: (error: Error) => void;
}

/**
 * Serves one client over a pair of streams: MCP's stdio transport, for revision 2026-07-28 and
 * earlier ones. Resolves when the client has closed its end or the signal fires; calls that are
 * still running are aborted.
 */
export async function serveStreams(options: ServeStreamsOptions): Promise<void> {
  const { tools, about, readable, writable, signal, onError } = options;
  const [factory, { serveStdio }, format] = await Promise.all([
    mcpFactory(tools, about),
    import("@modelcontextprotocol/server/stdio"),
    import("@modelcontextprotocol/server"),
  ]);
  const transport = new StreamTransport(readable, writable, format);
  const handle = serveStdio(factory, { transport, onerror: onError });
  const close = () => void handle.close().catch(onError);
  if (signal.aborted) close();
  signal.addEventListener("abort", close, { once: true });
  try {
    await transport.closed;
  } finally {
    signal.removeEventListener("abort", close);
  }
}
