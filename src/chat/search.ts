import { itemsOf } from "./items.ts";
import { parseLines } from "./records.ts";
import type { ListedSession } from "./listed_session.ts";

/** A session that was found. */
export interface FoundSession extends ListedSession {
  /** The text around the first place; absent where the title has the words. */
  readonly excerpt?: string;
}

/** The result of a search. */
export interface FoundSessions {
  readonly sessions: FoundSession[];
  /** True if the search stopped at its limit, so that there may be more. */
  readonly more: boolean;
}

/** Most sessions that are found. */
const MOST_FOUND = 50;
/** Characters of an excerpt before the first of the words, and in all. */
const BEFORE = 30;
const EXCERPT = 120;

/**
 * Finds the sessions whose title, or a message of the user or the agent, has all the words,
 * in whatever case. What was cleared or cut is not found.
 *
 * @param words Separated by blanks.
 * @param linesOf Reads the lines of a session.
 */
export async function searchChats(
  sessions: readonly ListedSession[],
  words: string,
  linesOf: (id: string) => Promise<readonly string[]>,
  signal: AbortSignal,
): Promise<FoundSessions> {
  const wanted = words.toLowerCase().split(/\s+/).filter((word) => word !== "");
  const found: FoundSession[] = [];
  for (const session of sessions) {
    signal.throwIfAborted();
    if (found.length >= MOST_FOUND) return { sessions: found, more: true };
    if (hasAll(session.title, wanted)) {
      found.push(session);
      continue;
    }
    // Messages of other folders stay hidden.
    if (!session.here) continue;
    const excerpt = excerptOf(await linesOf(session.id), wanted);
    if (excerpt !== undefined) found.push({ ...session, excerpt });
  }
  return { sessions: found, more: false };
}

function excerptOf(lines: readonly string[], words: readonly string[]): string | undefined {
  // Most sessions do not have the words: their lines need no parsing.
  const encoded = words.map((word) => JSON.stringify(word).slice(1, -1));
  if (!lines.some((line) => hasAll(line, encoded))) return undefined;
  for (const item of itemsOf(parseLines(lines))) {
    if (item.type !== "user" && item.type !== "text") continue;
    if (hasAll(item.content, words)) return around(item.content, words[0] ?? "");
  }
  return undefined;
}

function hasAll(text: string, words: readonly string[]): boolean {
  const lower = text.toLowerCase();
  return words.every((word) => lower.includes(word));
}

/** The text around a word, on one line. */
function around(text: string, word: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  // Some letters have another length in lower case: then the place is a little off.
  const at = Math.max(0, line.toLowerCase().indexOf(word) - BEFORE);
  const excerpt = line.slice(at, at + EXCERPT).toWellFormed().replaceAll("\ufffd", "");
  return `${at > 0 ? "\u2026" : ""}${excerpt}${at + EXCERPT < line.length ? "\u2026" : ""}`;
}
