import { clip, messageOf } from "../../base/mod.ts";
import { listenLocal, type LocalConnection, localSockets } from "../../sys/mod.ts";
import type { PtySession, SessionManager, TerminalSize } from "../sessions/sessions.ts";
import { type AttachFrame, readFrames, sendBytes, sendMessage } from "./frames.ts";

/** The version of the protocol; both ends must have the same. */
export const ATTACH_VERSION = 1;
/** Most persons in one session at a time. */
const MOST_PERSONS = 8;
/** Most open connections at a time. */
const MOST_CONNECTIONS = 64;
/** Milliseconds in which a new connection must send its first frame. */
const PATIENCE = 10_000;
/** The smallest and the largest size of a session's terminal. */
const LEAST: TerminalSize = { columns: 20, rows: 5 };
const MOST: TerminalSize = { columns: 500, rows: 200 };

/** Options of {@linkcode AttachServer}. */
export interface AttachServerOptions {
  /** The sessions that persons may join. */
  readonly sessions: () => Pick<SessionManager, "running">;
  /** The folder of the socket, absolute; created if it is missing. */
  readonly folder: string;
  /** The program, such as `llmcmd mcp`. */
  readonly program: string;
  /** The id of this process. */
  readonly pid: number;
}

/**
 * Lets persons of this user join terminal sessions, over a Unix socket in a private folder. Their
 * input goes to the session's terminal and nowhere else. Disposing removes the socket and closes
 * all connections.
 */
export class AttachServer implements AsyncDisposable {
  readonly #options: AttachServerOptions;
  readonly #connections = new Set<LocalConnection>();
  #socket: Promise<AsyncDisposable> | undefined;
  #closed = false;

  /** Makes a server; it listens from {@linkcode AttachServer.listen} on. */
  constructor(options: AttachServerOptions) {
    this.#options = options;
  }

  /**
   * Listens, unless it already does, and removes sockets of killed programs.
   *
   * @throws {FileError | PermissionError} It can't listen in the folder.
   */
  async listen(): Promise<void> {
    await (this.#socket ??= this.#listen());
  }

  /** Removes the socket, and closes all connections. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#closed = true;
    const socket = await this.#socket?.catch(() => undefined);
    for (const connection of this.#connections) connection.close();
    await socket?.[Symbol.asyncDispose]();
  }

  /** Serves one connection to its end. Never rejects. */
  async serve(connection: LocalConnection): Promise<void> {
    if (this.#closed || this.#connections.size >= MOST_CONNECTIONS) return connection.close();
    this.#connections.add(connection);
    const timer = setTimeout(() => connection.close(), PATIENCE);
    const frames = readFrames(connection);
    try {
      const first = await frames.next();
      clearTimeout(timer);
      if (!first.done) await this.#answer(connection, first.value, frames);
    } catch (error) {
      await sendMessage(connection, { event: "failed", message: messageOf(error) }).catch(() => {});
    } finally {
      clearTimeout(timer);
      connection.close();
      await frames.return();
      this.#connections.delete(connection);
    }
  }

  async #listen(): Promise<AsyncDisposable> {
    const { folder, pid } = this.#options;
    const name = `${pid}-${crypto.randomUUID().slice(0, 8)}.sock`;
    const socket = await listenLocal(folder, name, (connection) => void this.serve(connection));
    await localSockets(folder).catch(() => {});
    return socket;
  }

  async #answer(
    connection: LocalConnection,
    frame: AttachFrame,
    frames: AsyncGenerator<AttachFrame>,
  ) {
    if (frame.kind !== "message") throw new SyntaxError("The first frame is not a message");
    const { version, op, sessionId, owner } = frame.message;
    if (version !== ATTACH_VERSION) {
      throw new RangeError(
        `its server speaks version ${ATTACH_VERSION} of the protocol, not ${version}: ` +
          "use the release that started it",
      );
    }
    if (op === "list") return await sendMessage(connection, await this.#list());
    const found = this.#options.sessions().running().find((it) =>
      it.session.sessionId === sessionId && it.owner === owner
    );
    if (op !== "attach" || found === undefined) throw new RangeError("it has ended");
    const { session } = found;
    if (session.attached >= MOST_PERSONS) {
      throw new RangeError(`${MOST_PERSONS} persons have joined it, which is the limit`);
    }
    await this.#join(connection, session, frames, readSize(frame.message));
  }

  async #list(): Promise<Record<string, unknown>> {
    const { program, pid } = this.#options;
    const running = this.#options.sessions().running();
    const sessions = await Promise.all(running.map(async ({ owner, session }) => {
      const state = await session.look();
      return {
        ...{ owner, program, pid, sessionId: session.sessionId },
        command: clip(session.command ?? session.shell, 500),
        folder: clip(session.workingDirectory, 1000),
        startedAt: session.startedAt.toISOString(),
        attached: session.attached,
        state: stateText(state),
      };
    }));
    return { event: "sessions", sessions };
  }

  async #join(
    connection: LocalConnection,
    session: PtySession,
    frames: AsyncGenerator<AttachFrame>,
    size: TerminalSize,
  ): Promise<void> {
    await sendMessage(connection, { event: "attached" });
    const joined = await session.join({
      write: (bytes) => sendBytes(connection, bytes),
    }, size);
    try {
      await Promise.race([joined.over, follow(session, frames, (size) => joined.resize(size))]);
      if (session.state.isRunning || this.#closed) return;
      await sendMessage(connection, { event: "ended", exitCode: session.state.exitCode });
    } finally {
      joined.leave();
    }
  }
}

/** Passes a person's input to the session until they leave. */
async function follow(
  session: PtySession,
  frames: AsyncGenerator<AttachFrame>,
  resize: (size: TerminalSize) => void,
): Promise<void> {
  try {
    for (;;) {
      const { value: frame, done } = await frames.next();
      if (done || frame === undefined) return;
      if (frame.kind === "bytes") await session.typed(frame.bytes);
      else if (frame.message["op"] === "size") resize(readSize(frame.message));
    }
  } catch {
    // The connection was closed, or a frame broke the protocol.
  }
}

/** The size in a message, limited to sizes that a session's terminal may have. */
function readSize({ columns, rows }: Record<string, unknown>): TerminalSize {
  const within = (value: unknown, usual: number, side: keyof TerminalSize) =>
    Math.round(
      Math.min(MOST[side], Math.max(LEAST[side], typeof value === "number" ? value : usual)),
    );
  return { columns: within(columns, 80, "columns"), rows: within(rows, 24, "rows") };
}

/** The current state of a session, for people. */
function stateText(state: PtySession["state"]): string {
  const { isRunning, atPrompt, waitingForInput, inputMode, foreground } = state;
  if (!isRunning) return "has ended";
  if (atPrompt) return "at its prompt";
  const name = foreground === null ? "" : ` (${foreground})`;
  if (!waitingForInput) return `running${name}`;
  return `waits for ${inputMode === "password" ? "a password" : "input"}${name}`;
}
