import type { ByteSink } from "../../streams/mod.ts";
import { type RawTerminal, stdoutSink } from "../../sys/mod.ts";
import {
  attach,
  type AttachableSession,
  type AttachEvent,
  type Attachment,
  TerminalModes,
} from "../../terminal/mod.ts";
import { STATUS } from "../failure/mod.ts";
import type { Messages } from "../messages/mod.ts";
import { fired } from "../signals/signals.ts";
import { type DetachKey, detachKeyFinder, howToLeave } from "./detach_key.ts";

/** Most bytes of input that wait for the session; more is refused with the bell. */
const MOST_WAITING = 1024 ** 2;
/** Milliseconds that the terminal may take to show the last output before it is restored. */
const PATIENCE = 1000;

/** Sequences for the title of the window, which shows how to leave. */
const TITLE = { set: (text: string) => `\x1b[22;2t\x1b]2;${text}\x07`, restore: "\x1b[23;2t" };

/** Options of {@linkcode joinSession}. */
export interface JoinOptions {
  /** The user's terminal, which is released at the end. */
  readonly terminal: RawTerminal;
  /** Standard error. */
  readonly messages: Messages;
  /** The key that leaves. */
  readonly key: DetachKey;
  /** Leaves the session when it fires. */
  readonly signal: AbortSignal;
  /** Receives the screen; standard output if absent. */
  readonly screen?: ByteSink | undefined;
}

/** The reason why the attachment ended. */
type End = AttachEvent & { kind: "ended" | "failed" } | { kind: "left" | "died" | "stopped" };

/**
 * Joins a session until the user leaves or it ends; resolves to the exit status. Restores the
 * terminal.
 */
export async function joinSession(
  session: AttachableSession,
  { terminal, messages, key, signal, screen = stdoutSink() }: JoinOptions,
): Promise<number> {
  const attachment = await attach(session, terminal.size());
  const { sessionId, program, pid } = session;
  if (attachment === undefined) return died();
  const left = Promise.withResolvers<End>();
  const modes = new TerminalModes();
  const encoder = new TextEncoder();
  let last: Promise<void> = Promise.resolve();
  const draw = (bytes: Uint8Array<ArrayBuffer>): Promise<void> => {
    modes.note(bytes);
    return last = screen.write(bytes);
  };
  const bell = () => void screen.write(encoder.encode("\x07")).catch(() => {});
  terminal.take({
    onBytes: typist(attachment, detachKeyFinder(key), bell, () => left.resolve({ kind: "left" })),
    onChange: () => void attachment.resize(terminal.size()).catch(() => {}),
    onEnd: () => left.resolve({ kind: "left" }),
  });
  let end: End;
  try {
    messages.say(`joined ${sessionId}; ${howToLeave(key)}`);
    await messages.flush();
    // Scrolls the present text up, so that the user can scroll back to it.
    const { rows } = terminal.size();
    await draw(
      encoder.encode("\r\n".repeat(rows) + TITLE.set(`${sessionId} - ${howToLeave(key)}`)),
    );
    const stopped = fired(signal).then((): End => ({ kind: "stopped" }));
    end = await Promise.race([left.promise, stopped, follow(attachment, draw)]);
    await settled(last);
  } finally {
    attachment.close();
    await settled(screen.write(encoder.encode(`${modes.restore()}${TITLE.restore}\r\n`)));
    terminal.release();
  }
  switch (end.kind) {
    case "stopped":
      return STATUS.general;
    case "left":
      messages.say(`left ${sessionId}, which goes on`);
      return 0;
    case "ended":
      messages.say(
        `${sessionId} has ended (${
          end.exitCode === null ? "it was killed" : `exit code ${end.exitCode}`
        })`,
      );
      return 0;
    case "failed":
      messages.say(`Cannot join ${sessionId}: ${end.message}`);
      return STATUS.general;
    case "died":
      return died();
  }

  function died(): number {
    messages.say(`the server of ${sessionId} (${program} ${pid}) has ended`);
    return STATUS.general;
  }
}

/** Draws the output until it ends. */
async function follow(
  { events }: Attachment,
  draw: (bytes: Uint8Array<ArrayBuffer>) => Promise<void>,
): Promise<End> {
  for await (const event of events) {
    if (event.kind !== "bytes") return event;
    await draw(event.bytes);
  }
  return { kind: "died" };
}

/** Sends typed bytes, until the key that leaves. */
function typist(
  attachment: Attachment,
  find: (bytes: Uint8Array) => number | undefined,
  bell: () => void,
  leave: () => void,
): (bytes: Uint8Array) => void {
  let waiting = 0;
  let left = false;
  return (bytes) => {
    if (left) return;
    const key = find(bytes);
    left = key !== undefined;
    // A copy, as the bytes are lent and may wait.
    const typed = bytes.slice(0, key);
    if (waiting + typed.length > MOST_WAITING) bell();
    else if (typed.length > 0) {
      waiting += typed.length;
      // If the server is gone, the reader of its events reports it.
      void attachment.type(typed).catch(() => {}).finally(() => {
        waiting -= typed.length;
        if (left && waiting === 0) leave();
      });
    }
    // Input that a stuck program does not read is dropped after a while.
    if (left) setTimeout(leave, waiting === 0 ? 0 : PATIENCE);
  };
}

async function settled(write: Promise<void>): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<void>((resolve) => timer = setTimeout(resolve, PATIENCE));
  await Promise.race([write.catch(() => {}), late]);
  clearTimeout(timer);
}
