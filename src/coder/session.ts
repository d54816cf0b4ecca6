import type { Message } from "../llm/mod.ts";
import { clip } from "../base/mod.ts";
import { repairMessages } from "./repair.ts";
import type { SessionRecord } from "./session_log.ts";
import { beginsTurn, withoutCut } from "./without_cut.ts";
import { messageText } from "./tokens.ts";

/** A conversation that goes on over many turns. */
export interface Session {
  /** The session's name, also that of its file. */
  readonly id: string;
  /** When it began, ISO 8601. */
  readonly created: string;
  /** The working folder. */
  readonly root: string;
  /** The model it began with. */
  readonly model: string;
  /** For lists; absent before there is one. */
  title?: string;
  /** The conversation, ready for the next turn. */
  messages: Message[];
  /** Tokens of all turns. */
  usage: { prompt_tokens: number; completion_tokens: number };
  /** True where its log ends within a turn: its program was killed, or still runs it. */
  interrupted?: true;
}

/** The options of a new session. */
export interface NewSession {
  /** Default: a random one that sorts by time. */
  readonly id?: string | undefined;
  /** The working folder. */
  readonly root: string;
  /** The model. */
  readonly model: string;
  /** Milliseconds since the epoch. Default `Date.now`. */
  readonly now?: (() => number) | undefined;
}

/** A new session, and the record that its log begins with. */
export function newSession({ id, root, model, now = Date.now }: NewSession): {
  session: Session;
  record: SessionRecord;
} {
  const time = new Date(now()).toISOString();
  const random = crypto.randomUUID().slice(0, 8);
  const name = id ?? `${time.replace(/\..*/, "").replaceAll(/[-:]/g, "")}-${random}`;
  return {
    session: { id: name, created: time, root, model, messages: [], usage: noTokens() },
    record: { type: "session_start", version: 1, id: name, time, root, model },
  };
}

/**
 * Restores a session from its log. If the program was killed in the middle of a turn, the logged
 * part is kept, and calls without a result are answered as interrupted, so that the conversation
 * can go on.
 *
 * Throws a `RangeError` when the log does not begin with `session_start`.
 *
 * @example
 * ```ts
 * import { newSession, resume } from "@llmcmd/llmcmd/coder";
 *
 * const { record } = newSession({ root: "/work", model: "m" });
 * const call = { id: "c1", type: "function" as const, function: { name: "bash", arguments: "{}" } };
 * const time = "2026-11-27T10:00:00Z";
 * const session = resume([
 *   record,
 *   { type: "message", time, message: { role: "user", content: "Build it" } },
 *   { type: "message", time, message: { role: "assistant", content: null, tool_calls: [call] } },
 * ]);
 * const answer = session.messages[2];
 * if (answer?.role !== "tool" || answer.tool_call_id !== "c1") throw new Error("not answered");
 * ```
 */
export function resume(records: readonly SessionRecord[]): Session {
  const [first] = records;
  if (first?.type !== "session_start") {
    throw new RangeError("Cannot resume the session: its log does not begin with session_start");
  }
  const { id, time, root, model } = first;
  const session: Session = { id, created: time, root, model, messages: [], usage: noTokens() };
  for (const record of withoutCut(records)) apply(session, record);
  session.messages = repairMessages(session.messages);
  if (endsWithin(records)) session.interrupted = true;
  return session;
}

/** True where the last turn of a log has no end. */
function endsWithin(records: readonly SessionRecord[]): boolean {
  const last = records.findLast((record) =>
    record.type === "clear" || beginsTurn(record) ||
    record.type === "event" && record.event.type === "end"
  );
  return last?.type === "message";
}

function apply(session: Session, record: SessionRecord): void {
  switch (record.type) {
    case "message":
      session.messages.push(record.message);
      break;
    case "compaction":
    case "clear":
      session.messages = [...record.messages];
      break;
    case "title":
      session.title = record.title;
      break;
    case "event":
      if (record.event.type === "usage") {
        session.usage.prompt_tokens += record.event.prompt_tokens;
        session.usage.completion_tokens += record.event.completion_tokens;
      }
  }
}

/** The name of a session in lists: its title, or the beginning of its first message. */
export function sessionLabel({ title, messages }: Session): string {
  if (title !== undefined && title !== "") return title;
  const first = messages.find(({ role }) => role === "user");
  return first === undefined ? "" : firstLine(messageText(first));
}

/** The beginning of a message's first line, as a name for lists: at most 60 characters. */
export function firstLine(text: string): string {
  const line = text.trim().split("\n")[0] ?? "";
  return line.length > 60 ? `${clip(line, 57)}...` : line;
}

function noTokens(): Session["usage"] {
  return { prompt_tokens: 0, completion_tokens: 0 };
}
