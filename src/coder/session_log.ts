import * as z from "zod";
import type { EventError } from "../agent/mod.ts";
import type { Message } from "../llm/mod.ts";
import { encodeNdjson } from "../streams/mod.ts";

/**
 * A line of a session's log. From the records in order the session can be restored, wherever the
 * program was killed:
 *
 * - `session_start` is the first;
 * - `message` adds a message: the system prompt, what the user said, an answer as soon as it is
 *   complete, the result of each call as soon as it is there;
 * - `compaction` and `clear` put other messages in the place of all before;
 * - `cut` takes back all messages from one of the user's on;
 * - `title` gives the session a title; `event` has other events, for people and for statistics.
 */
export type SessionRecord =
  | {
    type: "session_start";
    /** The version of this format. */
    version: 1;
    id: string;
    /** ISO 8601. */
    time: string;
    /** The working folder. */
    root: string;
    model: string;
  }
  | { type: "message"; time: string; message: Message }
  | { type: "compaction"; time: string; messages: Message[]; before: number; after: number }
  | { type: "clear"; time: string; messages: Message[] }
  | {
    type: "cut";
    time: string;
    /** The number of turns that stay, of those since the session began or was cleared. */
    turns: number;
  }
  | { type: "title"; time: string; title: string }
  | { type: "event"; time: string; event: SessionEvent };

/** Events of a turn that a log keeps besides the messages. */
export type SessionEvent =
  /** Tokens of one answer. */
  | { type: "usage"; model: string; prompt_tokens: number; completion_tokens: number }
  | { type: "notice"; message: string }
  | { type: "warning"; message: string }
  /** The failure of a turn. Logs of earlier versions have the message only. */
  | ({ type: "error"; message: string } & Partial<EventError>)
  /** The result of a call that has more than its message. */
  | { type: "result"; id: string; error: boolean; diff?: string }
  /** A turn is over. */
  | { type: "end"; reason: string; seconds: number };

/** Stores records one after the other. */
export interface SessionLog {
  /** Stores a record. Resolves when it survives the end of the program. */
  append(record: SessionRecord): Promise<void>;
}

/** The contents of a log. */
export interface ParsedLog {
  /** The records that could be read, in order. */
  readonly records: SessionRecord[];
  /**
   * Messages for the user about lines that could not be read. An incomplete last line is not one of
   * them.
   */
  readonly problems: string[];
  /** True where the last line is incomplete, because the program was killed while writing it. */
  readonly torn: boolean;
}

/** A record as a line of JSONL. */
export function encodeRecord(record: SessionRecord): string {
  return encodeNdjson(record);
}

/** The beginning of lines that only the page of the chat reads. */
const OF_PAGE = '{"type":"page_';

/**
 * Reads a log. A last line without its end is left out; a line that is damaged, or of a kind that
 * this version does not know, is left out and reported. What only the page of the chat reads (types
 * that begin with `page_`) is left out.
 *
 * @example
 * ```ts
 * import { parseSessionLog } from "@llmcmd/llmcmd/coder";
 *
 * const log = '{"type":"title","time":"2026-11-27T10:00:00Z","title":"Hello"}\n{"type":"mess';
 * const { records, problems, torn } = parseSessionLog(log);
 * if (records.length !== 1 || problems.length !== 0 || !torn) throw new Error("unexpected");
 * ```
 */
export function parseSessionLog(text: string): ParsedLog {
  const lines = text.split("\n");
  const last = lines.pop() ?? "";
  const records: SessionRecord[] = [];
  const problems: string[] = [];
  lines.forEach((line, index) => {
    if (line.trim() === "" || line.startsWith(OF_PAGE)) return;
    const parsed = parseLine(line);
    if (typeof parsed === "string") problems.push(`Line ${index + 1}: ${parsed}`);
    else records.push(parsed);
  });
  // A last line that lacks only its newline is read.
  const rest = last.trim() === "" ? undefined : parseLine(last);
  if (typeof rest === "object") records.push(rest);
  return { records, problems, torn: typeof rest === "string" };
}

function parseLine(line: string): SessionRecord | string {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return "not JSON";
  }
  const { success, data, error } = recordSchema.safeParse(value);
  if (success) return data;
  const [issue] = error.issues;
  return `not a record of a session (${issue?.path.join(".") || "type"}: ${issue?.message})`;
}

/** Made when a session is read: a new one does not need it. */
const recordSchema: z.ZodType<SessionRecord> = z.lazy(() => {
  const callSchema = z.object({
    id: z.string(),
    type: z.literal("function").default("function"),
    function: z.object({ name: z.string(), arguments: z.string() }),
  });
  const partsSchema = z.union([
    z.string(),
    z.array(z.looseObject({ type: z.string() })),
  ]);
  const fieldsSchema = z.record(z.string(), z.unknown());
  const extrasSchema = z.object({
    origin: z.string(),
    message: fieldsSchema.exactOptional(),
    calls: z.record(z.string(), fieldsSchema).exactOptional(),
  });
  const messageSchema = z.discriminatedUnion("role", [
    z.object({ role: z.literal("system"), content: partsSchema }),
    z.object({ role: z.literal("developer"), content: partsSchema }),
    z.object({ role: z.literal("user"), content: partsSchema }),
    z.object({
      role: z.literal("assistant"),
      content: z.string().nullable().exactOptional(),
      refusal: z.string().nullable().exactOptional(),
      tool_calls: z.array(callSchema).exactOptional(),
      extras: extrasSchema.exactOptional(),
    }),
    z.object({ role: z.literal("tool"), tool_call_id: z.string(), content: partsSchema }),
  ]);
  const time = z.string();
  const eventSchema = z.discriminatedUnion("type", [
    z.object({
      type: z.literal("usage"),
      model: z.string(),
      prompt_tokens: z.number(),
      completion_tokens: z.number(),
    }),
    z.object({ type: z.enum(["notice", "warning"]), message: z.string() }),
    z.object({
      type: z.literal("error"),
      message: z.string(),
      name: z.string().exactOptional(),
      status: z.number().exactOptional(),
      code: z.string().exactOptional(),
      limit: z.string().exactOptional(),
    }),
    z.object({
      type: z.literal("result"),
      id: z.string(),
      error: z.boolean(),
      diff: z.string().exactOptional(),
    }),
    z.object({ type: z.literal("end"), reason: z.string(), seconds: z.number() }),
  ]);
  return z.discriminatedUnion("type", [
    z.object({
      type: z.literal("session_start"),
      version: z.literal(1),
      id: z.string().min(1),
      time,
      root: z.string(),
      model: z.string(),
    }),
    z.object({ type: z.literal("message"), time, message: messageSchema }),
    z.object({
      type: z.literal("compaction"),
      time,
      messages: z.array(messageSchema),
      before: z.number(),
      after: z.number(),
    }),
    z.object({ type: z.literal("clear"), time, messages: z.array(messageSchema) }),
    z.object({ type: z.literal("cut"), time, turns: z.number().int().nonnegative() }),
    z.object({ type: z.literal("title"), time, title: z.string() }),
    z.object({ type: z.literal("event"), time, event: eventSchema }),
  ]);
});
