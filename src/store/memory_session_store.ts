import type { SessionFilter, SessionStore, StoredSession, TurnChange } from "./session_store.ts";

interface Kept {
  info: StoredSession;
  lines: string[];
}

/**
 * Keeps sessions in memory, so they are gone when the program ends.
 *
 * @example
 * ```ts
 * import { memorySessionStore } from "@llmcmd/llmcmd/store";
 *
 * const store = memorySessionStore();
 * await store.create({ id: "a", owner: "me", time: 1 });
 * await store.append("a", "one", 2);
 * await store.append("a", "two", 3);
 * if ((await store.lines("a")).join() !== "one,two") throw new Error("lines are lost");
 * const [latest] = await store.list({ owner: "me" }, 10);
 * if (latest?.updated !== 3) throw new Error("not updated");
 * ```
 */
export function memorySessionStore(): SessionStore {
  const sessions = new Map<string, Kept>();
  return {
    create({ id, owner, root = "", time, first, writer }) {
      const kept = sessions.get(id) ?? {
        info: {
          ...{ id, owner, root, title: "", created: time, updated: time, turns: 0 },
          ...{ failed: false, writer },
        },
        lines: [],
      };
      sessions.set(id, kept);
      if (first !== undefined && kept.lines.length === 0) {
        kept.lines.push(first.line);
        kept.info = { ...kept.info, title: first.title };
      }
      return Promise.resolve(kept.info);
    },
    get: (id) => Promise.resolve(sessions.get(id)?.info),
    list(which, limit) {
      const own = [...sessions.values()].map(({ info }) => info).filter((it) => fits(it, which));
      own.sort((a, b) => b.updated - a.updated || (a.id < b.id ? 1 : -1));
      return Promise.resolve(own.slice(0, limit));
    },
    append(id, line, time, turn) {
      const kept = sessions.get(id);
      if (kept === undefined) return Promise.reject(noSession(id));
      kept.lines.push(line);
      kept.info = { ...kept.info, updated: time, ...turnsAfter(kept.info, turn) };
      return Promise.resolve();
    },
    lines: (id) => Promise.resolve([...sessions.get(id)?.lines ?? []]),
    setTitle(id, title) {
      const kept = sessions.get(id);
      if (kept !== undefined) kept.info = { ...kept.info, title };
      return Promise.resolve();
    },
    setTurns(id, turns) {
      const kept = sessions.get(id);
      if (kept !== undefined) kept.info = { ...kept.info, turns };
      return Promise.resolve();
    },
    claim(id, writer, gone) {
      const kept = sessions.get(id);
      if (kept === undefined) return Promise.resolve(undefined);
      const { writer: now = writer } = kept.info;
      if (now === writer || now === gone) kept.info = { ...kept.info, writer };
      return Promise.resolve(kept.info.writer);
    },
    release(id, writer) {
      const kept = sessions.get(id);
      if (kept?.info.writer === writer) kept.info = { ...kept.info, writer: undefined };
      return Promise.resolve();
    },
    // No other program has it.
    changes: () => Promise.resolve(0),
    remove(id) {
      sessions.delete(id);
      return Promise.resolve();
    },
    close: () => Promise.resolve(),
  };
}

function fits(session: StoredSession, { owner, root, notRoot }: SessionFilter): boolean {
  return (owner === undefined || session.owner === owner) &&
    (root === undefined || session.root === root) && session.root !== notRoot;
}

/**
 * The turns after a line. Their number stays `undefined` until a line resets the count.
 */
function turnsAfter(
  { turns, failed }: StoredSession,
  change: TurnChange | undefined,
): Pick<StoredSession, "turns" | "failed"> {
  switch (change) {
    case "begin":
      return { turns: turns === undefined ? undefined : turns + 1, failed: false };
    case "fail":
      return { turns, failed: true };
    case "clear":
      return { turns: 0, failed: false };
    case undefined:
      return { turns, failed };
  }
}

/** The error for a line without a session. */
export function noSession(id: string): RangeError {
  return new RangeError(`Cannot add to the session ${JSON.stringify(id)}: it does not exist`);
}
