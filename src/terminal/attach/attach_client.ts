import { isRecord } from "../../base/mod.ts";
import { connectLocal, type LocalConnection, localSockets } from "../../sys/mod.ts";
import type { TerminalSize } from "../sessions/sessions.ts";
import { ATTACH_VERSION } from "./attach_server.ts";
import { type AttachFrame, readFrames, sendBytes, sendMessage } from "./frames.ts";

/** A session that can be joined. */
export interface AttachableSession {
  /** The socket of its server. */
  readonly path: string;
  /** Its owner within its server. */
  readonly owner: string;
  /** Its id. */
  readonly sessionId: string;
  /** The server's program, such as `llmcmd mcp`. */
  readonly program: string;
  /** The server's process id. */
  readonly pid: number;
  /** The command it was started with, or its shell. */
  readonly command: string;
  /** The folder it was started in. */
  readonly folder: string;
  /** Time of its start, in ISO 8601. */
  readonly startedAt: string;
  /** Number of persons who have joined. */
  readonly attached: number;
  /** Its current state, in a few words. */
  readonly state: string;
}

/** Milliseconds that a server may take to list its sessions; a suspended one never answers. */
const PATIENCE = 3000;

/**
 * The sessions that can be joined by sockets in these folders, oldest first. Sockets of servers that
 * have died are removed.
 *
 * @throws {FileError | PermissionError} As for `localSockets`.
 */
export async function attachableSessions(
  folders: readonly string[],
): Promise<AttachableSession[]> {
  const paths = (await Promise.all(folders.map(localSockets))).flat();
  const lists = await Promise.all(paths.map(sessionsOf));
  return lists.flat().sort((a, b) => a.startedAt < b.startedAt ? -1 : 1);
}

async function sessionsOf(path: string): Promise<AttachableSession[]> {
  const connection = await connectLocal(path);
  if (connection === undefined) return [];
  const timer = setTimeout(() => connection.close(), PATIENCE);
  const frames = readFrames(connection);
  try {
    await sendMessage(connection, { version: ATTACH_VERSION, op: "list" });
    const { value: frame } = await frames.next();
    const list = frame?.kind === "message" ? frame.message["sessions"] : undefined;
    return Array.isArray(list) ? list.flatMap((it) => readSession(path, it)) : [];
  } catch {
    // It ended meanwhile, or speaks another version.
    return [];
  } finally {
    clearTimeout(timer);
    connection.close();
    await frames.return();
  }
}

function readSession(path: string, value: unknown): AttachableSession[] {
  if (!isRecord(value)) return [];
  const text = (name: string) => {
    const found = value[name];
    return typeof found === "string" ? found : "";
  };
  const number = (name: string) => Number(value[name] ?? 0);
  if (text("sessionId") === "") return [];
  return [{
    ...{ path, owner: text("owner"), sessionId: text("sessionId"), program: text("program") },
    ...{ pid: number("pid"), command: text("command"), folder: text("folder") },
    ...{ startedAt: text("startedAt"), attached: number("attached"), state: text("state") },
  }];
}

/** An event of a joined session. */
export type AttachEvent =
  | { readonly kind: "bytes"; readonly bytes: Uint8Array<ArrayBuffer> }
  /** Its program has ended; `null` when it was killed. */
  | { readonly kind: "ended"; readonly exitCode: number | null }
  /** It can't be joined. */
  | { readonly kind: "failed"; readonly message: string };

/** A session that was joined. */
export interface Attachment {
  /** Events, with back-pressure. Ends with the connection, also if the server died. */
  readonly events: AsyncIterable<AttachEvent>;
  /** Types bytes. Resolves when the system has taken them; rejects when the server has gone. */
  type(bytes: Uint8Array): Promise<void>;
  /** Reports the size of the person's terminal. */
  resize(size: TerminalSize): Promise<void>;
  /** Leaves the session. */
  close(): void;
}

/** Joins a session; `undefined` if its server has gone. */
export async function attach(
  { path, owner, sessionId }: Pick<AttachableSession, "path" | "owner" | "sessionId">,
  size: TerminalSize,
): Promise<Attachment | undefined> {
  const connection = await connectLocal(path);
  if (connection === undefined) return undefined;
  await sendMessage(connection, {
    ...{ version: ATTACH_VERSION, op: "attach", owner, sessionId, ...size },
  });
  // One frame is written at a time.
  let last: Promise<void> = Promise.resolve();
  const inOrder = (write: () => Promise<void>) => {
    const done = last.then(write);
    last = done.catch(() => {});
    return done;
  };
  return {
    events: eventsOf(connection),
    type: (bytes) => inOrder(() => sendBytes(connection, bytes)),
    resize: (size) => inOrder(() => sendMessage(connection, { op: "size", ...size })),
    close: () => connection.close(),
  };
}

async function* eventsOf(connection: LocalConnection): AsyncGenerator<AttachEvent, void, void> {
  for await (const frame of readFrames(connection)) {
    const event = eventOf(frame);
    if (event !== undefined) yield event;
  }
}

function eventOf(frame: AttachFrame): AttachEvent | undefined {
  if (frame.kind === "bytes") return frame;
  const { event, exitCode, message } = frame.message;
  if (event === "ended") {
    return { kind: "ended", exitCode: typeof exitCode === "number" ? exitCode : null };
  }
  return event === "failed" ? { kind: "failed", message: `${message}` } : undefined;
}
