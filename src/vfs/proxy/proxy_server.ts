import type { Vfs, VfsMode } from "../types.ts";
import type { Duplex } from "./protocol.ts";
import { Connection, type ServeOptions, type ServeSummary } from "./server.ts";

/** A client, with the field names of the specification. */
export interface ProxyClientRow {
  /** Its name. */
  readonly id: string;
  /** Name of the connection. */
  readonly pipe_id: string;
  /** Its open handles. */
  readonly open_files: readonly number[];
  /** Time of the connection, in ISO 8601. */
  readonly connected_at: string;
}

/** An open handle, with the field names of the specification. */
export interface ProxyFileRow {
  /** The handle's number, which counts for each client separately. */
  readonly fileno: number;
  /** The path, as the client gave it. */
  readonly filename: string;
  /** The mode in which it was opened; `list` is a listing in progress. */
  readonly mode: VfsMode | "list";
  /** The client that opened it. */
  readonly client_id: string;
  /** Time of the opening, in ISO 8601. */
  readonly opened_at: string;
  /** False if a client of the text protocol said so. */
  readonly is_top_level: boolean;
}

/** Tables of the connected clients and the open handles. */
export interface ProxyTables {
  /** The clients, in the order of their connection. */
  readonly clients: readonly ProxyClientRow[];
  /** Their open handles. */
  readonly files: readonly ProxyFileRow[];
}

/** Serves the same files to several clients. */
export interface ProxyServer {
  /**
   * Serves a client until its end, as `serve()` does. `client` is its name, `pipe` that of its
   * connection; by default both are numbered.
   */
  serve(
    duplex: Duplex,
    options?: {
      readonly client?: string | undefined;
      readonly pipe?: string | undefined;
      readonly signal?: AbortSignal | undefined;
    },
  ): Promise<ServeSummary>;
  /** Returns the clients connected now, and their open handles. */
  clients(): ProxyTables;
}

/**
 * A server for several clients, which lists them and their open handles. The options apply to all
 * of them.
 *
 * @example
 * ```ts
 * import { connect, memoryVfs, proxyServer } from "@llmcmd/llmcmd/vfs";
 *
 * const [up, down] = [new TransformStream<Uint8Array>(), new TransformStream<Uint8Array>()];
 * const server = proxyServer(memoryVfs({ files: { "a.txt": "hello" } }));
 * const served = server.serve({ readable: up.readable, writable: down.writable });
 * const client = await connect({ readable: down.readable, writable: up.writable });
 * await client.open("a.txt", "r");
 * const { clients, files } = server.clients();
 * if (clients[0]?.open_files[0] !== 3 || files[0]?.filename !== "a.txt") throw new Error("it is open");
 * await client.close();
 * await served;
 * if (server.clients().clients.length !== 0) throw new Error("it is gone");
 * ```
 */
export function proxyServer(vfs: Vfs, options: ServeOptions = {}): ProxyServer {
  const connected = new Map<Connection, string>();
  let count = 0;
  return {
    async serve(duplex, { client, pipe, signal = options.signal } = {}) {
      count++;
      const name = client ?? `client ${count}`;
      const connection = new Connection(vfs, duplex, { ...options, client: name, signal });
      connected.set(connection, pipe ?? `pipe ${count}`);
      try {
        return await connection.run();
      } finally {
        connected.delete(connection);
      }
    },
    clients: () => ({
      clients: [...connected].map(([{ client, handles, connectedAt }, pipe]) => ({
        id: client,
        pipe_id: pipe,
        open_files: handles.open.map(({ handle }) => handle),
        connected_at: new Date(connectedAt).toISOString(),
      })),
      files: [...connected.keys()].flatMap(({ client, handles }) =>
        handles.open.map(({ handle, path, mode, openedAt, topLevel }) => ({
          fileno: handle,
          filename: path,
          mode,
          client_id: client,
          opened_at: new Date(openedAt).toISOString(),
          is_top_level: topLevel,
        }))
      ),
    }),
  };
}
