/** A minimal MCP client over standard streams, so that mainly the server is measured. */
import * as z from "zod";

const message = z.looseObject({
  id: z.number().optional(),
  result: z.record(z.string(), z.unknown()).optional(),
  error: z.looseObject({ message: z.string() }).optional(),
});

const toolResult = z.looseObject({
  content: z.array(z.looseObject({ text: z.string().default("") })),
  structuredContent: z.record(z.string(), z.unknown()).optional(),
});

/** A server process, called with one line of JSON at a time. */
export class LineClient {
  readonly #child: Deno.ChildProcess;
  readonly #writer: WritableStreamDefaultWriter<Uint8Array>;
  readonly #waiting = new Map<number, PromiseWithResolvers<Record<string, unknown>>>();
  readonly #reading: Promise<void>;
  #count = 0;

  /** Starts a server; its standard error is dropped. */
  constructor([program = "", ...args]: readonly string[], options: Deno.CommandOptions) {
    this.#child = new Deno.Command(program, {
      ...options,
      args,
      stdin: "piped",
      stdout: "piped",
      stderr: "null",
    }).spawn();
    this.#writer = this.#child.stdin.getWriter();
    this.#reading = this.#read();
  }

  async #read(): Promise<void> {
    let rest = "";
    for await (const text of this.#child.stdout.pipeThrough(new TextDecoderStream())) {
      const lines = (rest + text).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) this.#take(line);
    }
    for (const { reject } of this.#waiting.values()) reject(new Error("The server has ended"));
  }

  #take(line: string): void {
    const { id, result, error } = message.parse(JSON.parse(line));
    const waiting = id === undefined ? undefined : this.#waiting.get(id);
    if (error !== undefined) waiting?.reject(new Error(error.message));
    else waiting?.resolve(result ?? {});
  }

  /** Sends a request; resolves to its result. */
  async request(method: string, params: unknown): Promise<Record<string, unknown>> {
    const id = ++this.#count;
    const waiting = Promise.withResolvers<Record<string, unknown>>();
    this.#waiting.set(id, waiting);
    const line = JSON.stringify({ jsonrpc: "2.0", id, method, params }) + "\n";
    await this.#writer.write(new TextEncoder().encode(line));
    return await waiting.promise;
  }

  /** Does the handshake of MCP. */
  async initialize(): Promise<void> {
    await this.request("initialize", {
      protocolVersion: "2025-06-18",
      capabilities: {},
      clientInfo: { name: "bench", version: "1" },
    });
  }

  /** Calls a tool; resolves to the joined texts of the result, and its data. */
  async call(
    name: string,
    input: unknown,
  ): Promise<{ text: string; structuredContent?: Record<string, unknown> | undefined }> {
    const result = await this.request("tools/call", { name, arguments: input });
    const { content, structuredContent } = toolResult.parse(result);
    return { text: content.map(({ text }) => text).join("\n"), structuredContent };
  }

  /**
   * Ends the server as the MCP specification says: it gets 2 seconds to end, and 2 more after
   * SIGTERM.
   */
  async close(): Promise<void> {
    await this.#writer.close().catch(() => {});
    const timers = [
      setTimeout(() => this.#child.kill("SIGTERM"), 2000),
      setTimeout(() => this.#child.kill("SIGKILL"), 4000),
    ];
    await this.#child.status;
    timers.forEach(clearTimeout);
    await this.#reading;
  }
}
