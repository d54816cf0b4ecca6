import { permissionError, reasonOf } from "./errors.ts";

/** A running server. */
export interface Server extends AsyncDisposable {
  /** The address it listens on, such as `http://127.0.0.1:8000`. */
  readonly url: string;
  /** The port; the one that was chosen if 0 was asked for. */
  readonly port: number;
  /** Resolves when the server has stopped. */
  readonly finished: Promise<void>;
  /**
   * Accepts no more connections, and gives open requests `grace` milliseconds (default 1,000) to
   * end.
   */
  stop(grace?: number): Promise<void>;
}

/** An address can't be listened on: it is in use, or does not belong to this machine. */
export class ListenError extends Error {
  /** The error's name. */
  override readonly name = "ListenError";
}

/** Options of {@linkcode serve}. */
export interface ServeOptions {
  /** Port; 0 takes a free one. */
  port: number;
  /** Address to listen on. Default `127.0.0.1`. */
  host?: string;
}

/**
 * Serves HTTP.
 *
 * @throws {ListenError} The port is in use, or the address does not belong to this machine.
 * @throws {PermissionError} `--allow-net` doesn't cover the address.
 */
export function serve(
  handler: (request: Request) => Response | Promise<Response>,
  options: ServeOptions,
): Server {
  const hostname = options.host ?? "127.0.0.1";
  const where = `${hostname.includes(":") ? `[${hostname}]` : hostname}:${options.port}`;
  const end = new AbortController();
  let server: Deno.HttpServer<Deno.NetAddr>;
  try {
    server = Deno.serve({
      hostname,
      port: options.port,
      signal: end.signal,
      onListen() {},
    }, handler);
  } catch (error) {
    const action = `listen on ${where}`;
    if (error instanceof Deno.errors.NotCapable) throw permissionError(action, error);
    throw new ListenError(`Cannot ${action}: ${reasonOf(error)}`, { cause: error });
  }
  const { port } = server.addr;
  const speakAgain = withoutAbortWarning();
  server.finished.finally(speakAgain).catch(() => {});
  let stopped: Promise<void> | undefined;
  const stop = (grace = 1000): Promise<void> =>
    stopped ??= (async () => {
      const timer = setTimeout(() => end.abort(), grace);
      try {
        await server.shutdown();
        await server.finished;
      } finally {
        clearTimeout(timer);
      }
    })();
  return {
    url: `http://${where.replace(/:\d+$/, "")}:${port}`,
    port,
    finished: server.finished,
    stop,
    [Symbol.asyncDispose]: () => stop(),
  };
}

/** The runtime's warning, given once, after a handler has used a request's signal. */
const ABORT_WARNING = "Deno.serve: request.signal aborts on successful responses";

/**
 * Hides the runtime's warning about `request.signal`, which is of no use here: handlers use that
 * signal only until they respond. Returns the function that shows it again.
 */
function withoutAbortWarning(): () => void {
  const host = globalThis.console;
  const { warn } = host;
  const quieter = (...data: unknown[]): void => {
    if (!String(data[0]).startsWith(ABORT_WARNING)) warn.apply(host, data);
  };
  host.warn = quieter;
  return () => {
    if (host.warn === quieter) host.warn = warn;
  };
}
