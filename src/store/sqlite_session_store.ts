import { GroupCommit } from "./_group_commit.ts";
import { noSession } from "./memory_session_store.ts";
import type { SessionStore, StoredSession, TurnChange } from "./session_store.ts";
import type { SqlDatabase } from "./sql_database.ts";

/** The version of the tables, kept in the file. */
const VERSION = 2;

/**
 * With write-ahead logging a killed program loses nothing; a power cut may lose the latest
 * transactions.
 */
const SETTINGS = `
PRAGMA journal_mode = WAL;
PRAGMA synchronous = NORMAL;
PRAGMA busy_timeout = 5000;
PRAGMA foreign_keys = ON;
`;

/**
 * Each step changes the tables of one version into those of the next. Version 2 counts turns: null
 * where they were not counted yet.
 */
const STEPS = [
  `
CREATE TABLE IF NOT EXISTS sessions (
  id TEXT PRIMARY KEY,
  owner TEXT NOT NULL,
  title TEXT NOT NULL DEFAULT '',
  created INTEGER NOT NULL,
  updated INTEGER NOT NULL
) STRICT;
CREATE INDEX IF NOT EXISTS sessions_of_owner ON sessions (owner, updated DESC);
CREATE TABLE IF NOT EXISTS lines (
  session TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
  number INTEGER NOT NULL,
  line TEXT NOT NULL,
  PRIMARY KEY (session, number)
) STRICT, WITHOUT ROWID;
`,
  `
ALTER TABLE sessions ADD COLUMN turns INTEGER;
`,
];

/**
 * Keeps sessions in an SQLite database, whose tables it creates or updates and which `close()`
 * closes. Each line is committed before `append` resolves, so that nothing is lost when the program
 * is killed; lines that are added in the same turn of the event loop are committed together.
 *
 * @throws {RangeError} The database is of a later version of this program.
 *
 * @example
 * ```ts
 * import { sqliteSessionStore } from "@llmcmd/llmcmd/store";
 * import { openDatabase } from "@llmcmd/llmcmd/sys";
 *
 * const store = sqliteSessionStore(await openDatabase(":memory:"));
 * await store.create({ id: "a", owner: "me", time: 1 });
 * await store.append("a", "one", 2);
 * if ((await store.lines("a")).join() !== "one") throw new Error("the line is lost");
 * await store.close();
 * ```
 */
export function sqliteSessionStore(database: SqlDatabase): SessionStore {
  prepareTables(database);
  const columns = "id, owner, title, created, updated, turns";
  const insert = database.prepare(
    "INSERT OR IGNORE INTO sessions (id, owner, created, updated, turns) VALUES (?, ?, ?, ?, 0)",
  );
  const select = database.prepare(`SELECT ${columns} FROM sessions WHERE id = ?`);
  const selectOwn = database.prepare(
    `SELECT ${columns} FROM sessions WHERE owner = ? ORDER BY updated DESC, id DESC LIMIT ?`,
  );
  const touch = database.prepare("UPDATE sessions SET updated = ? WHERE id = ?");
  const count = {
    begin: database.prepare("UPDATE sessions SET turns = turns + 1 WHERE id = ?"),
    clear: database.prepare("UPDATE sessions SET turns = 0 WHERE id = ?"),
  };
  const setTurns = database.prepare("UPDATE sessions SET turns = ? WHERE id = ?");
  const addLine = database.prepare(
    "INSERT INTO lines (session, number, line) SELECT ?1, " +
      "(SELECT coalesce(max(number), 0) + 1 FROM lines WHERE session = ?1), ?2",
  );
  const addFirst = database.prepare(
    "INSERT INTO lines (session, number, line) SELECT ?1, 1, ?2 " +
      "WHERE NOT EXISTS (SELECT 1 FROM lines WHERE session = ?1)",
  );
  const selectLines = database.prepare("SELECT line FROM lines WHERE session = ? ORDER BY number");
  const entitle = database.prepare("UPDATE sessions SET title = ? WHERE id = ?");
  const remove = database.prepare("DELETE FROM sessions WHERE id = ?");
  const append = (id: string, line: string, time: number, turn?: TurnChange): void => {
    if (Number(touch.run(time, id).changes) === 0) throw noSession(id);
    addLine.run(id, line);
    if (turn !== undefined) count[turn].run(id);
  };
  const get = (id: string): StoredSession | undefined => {
    const row = select.get(id);
    return row === undefined ? undefined : asSession(row);
  };
  const group = new GroupCommit(database);
  return {
    create: ({ id, owner, time, first }) =>
      group.write(id, () => {
        insert.run(id, owner, time, time);
        if (first !== undefined && Number(addFirst.run(id, first.line).changes) > 0) {
          entitle.run(first.title, id);
        }
        return get(id) ?? { id, owner, title: "", created: time, updated: time, turns: 0 };
      }),
    get: (id) => group.read(id, () => get(id)),
    list: (owner, limit) => group.read(undefined, () => selectOwn.all(owner, limit).map(asSession)),
    append: (id, line, time, turn) => group.write(id, () => append(id, line, time, turn)),
    lines: (id) => group.read(id, () => selectLines.all(id).map(({ line }) => String(line))),
    setTitle: (id, title) => group.write(id, () => void entitle.run(title, id)),
    setTurns: (id, turns) => group.write(id, () => void setTurns.run(turns, id)),
    remove: (id) => group.write(id, () => void remove.run(id)),
    close: () =>
      new Promise((resolve) => {
        group.flush();
        resolve(database.close());
      }),
  };
}

function prepareTables(database: SqlDatabase): void {
  database.exec(SETTINGS);
  if (versionOf(database) === VERSION) return;
  database.exec("BEGIN IMMEDIATE");
  try {
    // Another program may have been here first.
    const version = versionOf(database);
    if (version > VERSION) {
      throw new RangeError(
        `Cannot use the sessions: they are of version ${version}, this program knows ${VERSION}`,
      );
    }
    for (const step of STEPS.slice(version)) database.exec(step);
    database.exec(`PRAGMA user_version = ${VERSION}`);
    database.exec("COMMIT");
  } catch (error) {
    database.exec("ROLLBACK");
    throw error;
  }
}

function versionOf(database: SqlDatabase): number {
  return Number(database.prepare("PRAGMA user_version").get()?.user_version);
}

function asSession(row: Record<string, unknown>): StoredSession {
  return {
    id: String(row.id),
    owner: String(row.owner),
    title: String(row.title),
    created: Number(row.created),
    updated: Number(row.updated),
    turns: row.turns === null ? undefined : Number(row.turns),
  };
}
