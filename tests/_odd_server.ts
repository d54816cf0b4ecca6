/**
 * A server that answers with exactly the given bytes, even those that no HTTP library would send.
 */

/** An answer: a head, bytes, and the way they end. */
export interface OddReply {
  /** Default 200. */
  readonly status?: number;
  /** Sent without changes; there are no other headers, not even a content type. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string;
  /** Bytes that are sent at once; all if absent. */
  readonly pieces?: number;
  /**
   * The end of the body: regular; the connection is cut before it; nothing more comes until the
   * client leaves.
   */
  readonly end?: "clean" | "cut" | "stall";
}

/** A request that the server has received. */
export interface OddRequest {
  readonly headers: ReadonlyMap<string, string>;
  /** The body, and its text. */
  readonly body: Record<string, unknown>;
  readonly text: string;
}

/** Returns the answer to request number `index`, from 0, with this path. */
export type OddHandler = (path: string, index: number, request: OddRequest) => OddReply;

/** The server, on a free port of 127.0.0.1. */
export class OddServer implements AsyncDisposable {
  readonly #listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  readonly #handler: OddHandler;
  readonly #seen = new Map<string, OddRequest[]>();
  readonly #connections = new Set<Promise<void>>();
  readonly #serving: Promise<void>;

  constructor(handler: OddHandler) {
    this.#handler = handler;
    this.#serving = this.#serve();
  }

  /** `127.0.0.1:PORT` */
  get address(): string {
    return `127.0.0.1:${this.#listener.addr.port}`;
  }

  /** The requests to a path, in order. */
  requests(path: string): readonly OddRequest[] {
    return this.#seen.get(path) ?? [];
  }

  async #serve(): Promise<void> {
    for await (const connection of this.#listener) {
      const done: Promise<void> = this.#answer(connection).catch(() => {}).finally(() => {
        connection.close();
        this.#connections.delete(done);
      });
      this.#connections.add(done);
    }
  }

  async #answer(connection: Deno.TcpConn): Promise<void> {
    const { path, request } = await readRequest(connection);
    const seen = this.#seen.get(path) ?? [];
    this.#seen.set(path, [...seen, request]);
    const reply = this.#handler(path, seen.length, request);
    const { status = 200, headers = {}, end = "clean" } = reply;
    const body = new TextEncoder().encode(reply.body);
    // The end of the connection ends the body, unless the length promises more.
    const cut = end === "cut" ? { "content-length": `${body.length + 100}` } : {};
    const lines = Object.entries({ connection: "close", ...cut, ...headers })
      .map(([name, value]) => `${name}: ${value}\r\n`);
    await send(
      connection,
      new TextEncoder().encode(`HTTP/1.1 ${status} Odd\r\n${lines.join("")}\r\n`),
    );
    const size = reply.pieces ?? Math.max(1, body.length);
    for (let at = 0; at < body.length; at += size) {
      await send(connection, body.subarray(at, at + size));
      // Otherwise the system joins the pieces.
      if (reply.pieces !== undefined) await new Promise((resolve) => setTimeout(resolve, 0));
    }
    if (end === "stall") await connection.read(new Uint8Array(1));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#listener.close();
    await this.#serving;
    await Promise.all(this.#connections);
  }
}

async function send(connection: Deno.TcpConn, bytes: Uint8Array): Promise<void> {
  for (let rest = bytes; rest.length > 0;) rest = rest.subarray(await connection.write(rest));
}

async function readRequest(
  connection: Deno.TcpConn,
): Promise<{ path: string; request: OddRequest }> {
  let bytes = new Uint8Array(0);
  const block = new Uint8Array(65_536);
  const more = async () => {
    const read = await connection.read(block);
    if (read === null) throw new Error("The client left");
    bytes = new Uint8Array([...bytes, ...block.subarray(0, read)]);
  };
  const latin1 = new TextDecoder("latin1");
  let end = -1;
  for (; end < 0; end = latin1.decode(bytes).indexOf("\r\n\r\n")) await more();
  const [first = "", ...lines] = latin1.decode(bytes.subarray(0, end)).split("\r\n");
  const headers = new Map(lines.map((line) => {
    const at = line.indexOf(":");
    return [line.slice(0, at).toLowerCase(), line.slice(at + 1).trim()] as const;
  }));
  const length = Number(headers.get("content-length") ?? 0);
  while (bytes.length < end + 4 + length) await more();
  const text = new TextDecoder().decode(bytes.subarray(end + 4));
  return { path: first.split(" ")[1] ?? "", request: { headers, text, body: JSON.parse(text) } };
}
