import * as z from "zod";
import type { AgentEvent } from "../agent/mod.ts";
import { parseSessionLog, type SessionRecord } from "../coder/mod.ts";
import { encodeNdjson } from "../streams/mod.ts";
import type { ChatEvent } from "./events.ts";

/**
 * A line of a session that only the page needs: what it showed of a turn besides the messages. The
 * readers of session logs in `coder/` skip such lines.
 */
export type PageRecord =
  /** The end of the call of that id, the last one if several have it. */
  | { type: "page_result"; id: string; error: boolean; diff?: string | undefined }
  /** The error that the page showed. */
  | { type: "page_error"; message: string; code?: string | undefined }
  /** The queued messages, which replace those before. */
  | { type: "page_queue"; messages: readonly QueuedMessage[] };

/** A queued message. */
export interface QueuedMessage {
  /** Names it, within its session. */
  readonly id: string;
  readonly message: string;
}

const pageSchema: z.ZodType<PageRecord> = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("page_result"),
    id: z.string(),
    error: z.boolean(),
    diff: z.string().exactOptional(),
  }),
  z.object({
    type: z.literal("page_error"),
    message: z.string(),
    code: z.string().exactOptional(),
  }),
  z.object({
    type: z.literal("page_queue"),
    messages: z.array(z.object({ id: z.string(), message: z.string() })),
  }),
]);

/**
 * The line that stores what the page shows of an event, if the session's messages do not contain
 * it.
 */
export function pageLine(event: AgentEvent, shown: ChatEvent | undefined): string | undefined {
  if (shown?.type === "error") {
    const { message, code } = shown.data;
    return encoded({ type: "page_error", message, code });
  }
  if (shown?.type !== "tool_result" || event.type !== "tool_end") return undefined;
  const { error, details } = shown.data;
  const diff = typeof details === "object" && details !== null
    ? Reflect.get(details, "diff")
    : undefined;
  if (typeof diff === "string") return encoded({ type: "page_result", id: event.id, error, diff });
  return error ? encoded({ type: "page_result", id: event.id, error }) : undefined;
}

/** The line that stores which messages wait. */
export function queueLine(messages: readonly QueuedMessage[]): string {
  return encoded({ type: "page_queue", messages });
}

/** The messages that wait according to the lines of a session. */
export function lastQueue(lines: readonly string[]): QueuedMessage[] {
  const line = lines.findLast((line) => line.startsWith('{"type":"page_queue"'));
  const [record] = line === undefined ? [] : pageRecord(line) ?? [];
  return record?.type === "page_queue" ? [...record.messages] : [];
}

/**
 * The records in the lines of a session, including those for the page. Lines that can't be parsed
 * are skipped.
 */
export function parseLines(lines: readonly string[]): (SessionRecord | PageRecord)[] {
  return lines.flatMap((line): (SessionRecord | PageRecord)[] =>
    pageRecord(line) ?? parseSessionLog(line).records
  );
}

/** The lines of a session without those of the page. */
export function parseSession(lines: readonly string[]): SessionRecord[] {
  return parseSessionLog(lines.filter((line) => !isOfPage(line)).join("")).records;
}

function isOfPage(line: string): boolean {
  return line.startsWith('{"type":"page_');
}

function pageRecord(line: string): PageRecord[] | undefined {
  if (!isOfPage(line)) return undefined;
  try {
    const { data } = pageSchema.safeParse(JSON.parse(line));
    return data === undefined ? [] : [data];
  } catch {
    return [];
  }
}

function encoded(record: PageRecord): string {
  return encodeNdjson(record);
}
