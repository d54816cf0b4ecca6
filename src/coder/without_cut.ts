import { isRecord } from "../base/mod.ts";

/** What {@linkcode withoutCut} looks at; records of other kinds may stand between them. */
export interface CuttableRecord {
  /** Its kind. */
  readonly type: string;
  /** That of a `message`. */
  readonly message?: unknown;
  /** How many turns a `cut` leaves. */
  readonly turns?: number;
}

/**
 * The records of a session's log that still count: without those of turns that were cut, and
 * without the cuts. A turn begins with the message of a user. Tokens that a cut turn took still
 * count.
 *
 * @example
 * ```ts
 * import { withoutCut } from "@llmcmd/llmcmd/coder";
 *
 * const time = "2026-11-27T10:00:00Z";
 * const said = (content: string) =>
 *   ({ type: "message" as const, time, message: { role: "user" as const, content } });
 * const left = withoutCut([said("a"), said("b"), { type: "cut" as const, time, turns: 1 }, said("c")]);
 * const texts = left.map((it) => it.type === "message" && it.message.content);
 * if (texts.join() !== "a,c") throw new Error(texts.join());
 * ```
 */
export function withoutCut<Kind extends CuttableRecord>(records: readonly Kind[]): Kind[] {
  if (!records.some(({ type }) => type === "cut")) return [...records];
  let left: Kind[] = [];
  /** Where each turn begins in `left`. */
  let turns: number[] = [];
  for (const record of records) {
    if (record.type === "cut") {
      const from = turns[record.turns ?? 0];
      if (from === undefined) continue;
      left = [...left.slice(0, from), ...left.slice(from).filter(stays)];
      turns = turns.slice(0, record.turns);
      continue;
    }
    if (record.type === "clear") turns = [];
    else if (beginsTurn(record)) turns.push(left.length);
    left.push(record);
  }
  return left;
}

/** Whether a record of a log is the message that a turn begins with. */
export function beginsTurn({ type, message }: CuttableRecord): boolean {
  return type === "message" && isRecord(message) && message.role === "user";
}

/** Whether a record stays though its turn is cut: what was spent stays spent, a title is no turn. */
function stays(record: CuttableRecord): boolean {
  if (record.type === "title") return true;
  const event: unknown = Reflect.get(record, "event");
  return isRecord(event) && event.type === "usage";
}
