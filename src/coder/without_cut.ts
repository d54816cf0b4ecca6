import { isRecord } from "../base/mod.ts";

/** The fields that {@linkcode withoutCut} reads; records of other kinds may be between. */
export interface CuttableRecord {
  /** Its kind. */
  readonly type: string;
  /** That of a `message`. */
  readonly message?: unknown;
  /** The number of turns that a `cut` leaves. */
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
  /** The index in `left` of each turn's beginning. */
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

/** True for the message at the beginning of a turn. */
export function beginsTurn({ type, message }: CuttableRecord): boolean {
  return type === "message" && isRecord(message) && message.role === "user";
}

/**
 * True for a record that stays though its turn is cut: usage was spent, and a title is not of a
 * turn.
 */
function stays(record: CuttableRecord): boolean {
  if (record.type === "title") return true;
  const event: unknown = Reflect.get(record, "event");
  return isRecord(event) && event.type === "usage";
}
