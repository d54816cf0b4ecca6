import type {
  McpServer,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server";
import { isRecord } from "../base/mod.ts";

/** Most open connections; a new one replaces the one that was idle for longest. */
const MOST = 64;

interface Connection {
  readonly transport: WebStandardStreamableHTTPServerTransport;
  /** Requests that are being answered. */
  busy: number;
}

/**
 * HTTP connections of clients with revisions before 2026-07-28. Later requests name the
 * connection's id; without it, a request to cancel a call would reach a server that does not know
 * the call.
 */
export class LegacyConnections {
  readonly #factory: () => McpServer;
  readonly #onError: (error: Error) => void;
  /** By id, the least recently used first. */
  readonly #connections = new Map<string, Connection>();

  constructor(factory: () => McpServer, onError: (error: Error) => void) {
    this.#factory = factory;
    this.#onError = onError;
  }

  /** Answers a request that opens a connection. */
  async open(request: Request, parsedBody: unknown): Promise<Response> {
    const { WebStandardStreamableHTTPServerTransport } = await import(
      "@modelcontextprotocol/server"
    );
    const transport: WebStandardStreamableHTTPServerTransport =
      new WebStandardStreamableHTTPServerTransport({
        sessionIdGenerator: () => crypto.randomUUID(),
        onsessioninitialized: (id) => this.#add(id, { transport, busy: 0 }),
        onsessionclosed: (id) => void this.#connections.delete(id),
      });
    const server = this.#factory();
    server.server.onerror = this.#onError;
    await server.connect(transport);
    return await transport.handleRequest(request, { parsedBody });
  }

  /** Answers a request of a connection; `undefined` if the id is unknown. */
  async handle(id: string, request: Request, parsedBody: unknown): Promise<Response | undefined> {
    const connection = this.#connections.get(id);
    if (connection === undefined) return undefined;
    this.#connections.delete(id);
    this.#connections.set(id, connection);
    connection.busy++;
    try {
      const response = await connection.transport.handleRequest(
        request,
        parsedBody === undefined ? {} : { parsedBody },
      );
      return onEnd(response, (whole) => {
        connection.busy--;
        if (!whole) cancel(connection.transport, parsedBody);
      });
    } catch (error) {
      connection.busy--;
      throw error;
    }
  }

  /** Ends all connections, and aborts their calls. */
  async close(): Promise<void> {
    const connections = [...this.#connections.values()];
    this.#connections.clear();
    await Promise.all(connections.map(({ transport }) => transport.close()));
  }

  #add(id: string, connection: Connection): void {
    this.#connections.set(id, connection);
    if (this.#connections.size <= MOST) return;
    for (const [other, { busy, transport }] of this.#connections) {
      if (busy > 0 || other === id) continue;
      this.#connections.delete(other);
      transport.close().catch(this.#onError);
      return;
    }
  }
}

/** Cancels the calls of a request whose client has disconnected: answers are not kept for later. */
function cancel(transport: WebStandardStreamableHTTPServerTransport, body: unknown): void {
  for (const message of Array.isArray(body) ? body : [body]) {
    if (!isRecord(message) || typeof message.method !== "string") continue;
    const { id } = message;
    if (typeof id !== "string" && typeof id !== "number") continue;
    const params = { requestId: id, reason: "The client has gone" };
    transport.onmessage?.({ jsonrpc: "2.0", method: "notifications/cancelled", params });
  }
}

/** Calls `ended` when the body of a response has ended: `true` if all of it was read. */
function onEnd(response: Response, ended: (whole: boolean) => void): Response {
  if (response.body === null) {
    ended(true);
    return response;
  }
  const { readable, writable } = new TransformStream();
  response.body.pipeTo(writable).then(() => ended(true), () => ended(false));
  return new Response(readable, response);
}
