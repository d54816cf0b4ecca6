import type { SqlDatabase, SqlStatement } from "../ports/mod.ts";
import { turnEventLoop } from "../streams/mod.ts";
import { GroupCommit } from "./_group_commit.ts";
import { noSession } from "./memory_session_store.ts";
import type { SessionFilter, SessionStore, StoredSession, TurnChange } from "./session_store.ts";

/** The version of the tables, kept in the file. */
const VERSION = 4;

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
 * where they were not counted yet. Version 3 has the folder of a session, which until then only the
 * first line had, and its writer. Version 4 has the failure of the last turn.
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
  `
ALTER TABLE sessions ADD COLUMN root TEXT NOT NULL DEFAULT '';
ALTER TABLE sessions ADD COLUMN writer TEXT;
UPDATE sessions SET root = coalesce((
  SELECT CASE WHEN json_valid(line) THEN json_extract(line, '$.root') END
  FROM lines WHERE session = id AND number = 1
), '');
DROP INDEX IF EXISTS sessions_of_owner;
CREATE INDEX sessions_of_root ON sessions (root, updated DESC);
`,
  `
ALTER TABLE sessions ADD COLUMN failed INTEGER NOT NULL DEFAULT 0;
`,
];

/** Options of {@linkcode sqliteSessionStore}. */
export interface SqliteStoreOptions {
  /**
   * Resolves when the changes made meanwhile are to be committed, in one transaction. Default: a
   * turn of the event loop, for many sessions at once. A program with one session does not need to
   * gather, and saves loading the code for it.
   */
  readonly gather?: (() => Promise<void>) | undefined;
}

/**
 * Keeps sessions in an SQLite database, whose tables it creates or updates and which `close()`
 * closes. Each line is committed before `append` resolves, so that nothing is lost when the program
 * is killed; lines that are added in the same turn of the event loop (or what `gather` says) are
 * committed together.
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
export function sqliteSessionStore(
  database: SqlDatabase,
  { gather = turnEventLoop }: SqliteStoreOptions = {},
): SessionStore {
  prepareTables(database);
  const prepare = (sql: string) => prepared(database, sql);
  const insert = prepare(
    "INSERT OR IGNORE INTO sessions (id, owner, root, created, updated, turns, writer) " +
      "VALUES (?, ?, ?, ?, ?, 0, ?)",
  );
  const select = prepare(`SELECT ${COLUMNS} FROM sessions WHERE id = ?`);
  const touch = prepare("UPDATE sessions SET updated = ? WHERE id = ?");
  const count = {
    begin: prepare("UPDATE sessions SET turns = turns + 1, failed = 0 WHERE id = ?"),
    fail: prepare("UPDATE sessions SET failed = 1 WHERE id = ?"),
    clear: prepare("UPDATE sessions SET turns = 0, failed = 0 WHERE id = ?"),
  };
  const setTurns = prepare("UPDATE sessions SET turns = ? WHERE id = ?");
  const addLine = prepare(
    "INSERT INTO lines (session, number, line) SELECT ?1, " +
      "(SELECT coalesce(max(number), 0) + 1 FROM lines WHERE session = ?1), ?2",
  );
  const addFirst = prepare(
    "INSERT INTO lines (session, number, line) SELECT ?1, 1, ?2 " +
      "WHERE NOT EXISTS (SELECT 1 FROM lines WHERE session = ?1)",
  );
  const selectLines = prepare("SELECT line FROM lines WHERE session = ? ORDER BY number");
  const entitle = prepare("UPDATE sessions SET title = ? WHERE id = ?");
  const claim = prepare(
    "UPDATE sessions SET writer = ?2 WHERE id = ?1 AND (writer IS NULL OR writer = ?3)",
  );
  const release = prepare("UPDATE sessions SET writer = NULL WHERE id = ? AND writer = ?");
  const changes = prepare("PRAGMA data_version");
  const remove = prepare("DELETE FROM sessions WHERE id = ?");
  const append = (id: string, line: string, time: number, turn?: TurnChange): void => {
    if (Number(touch.run(time, id).changes) === 0) throw noSession(id);
    addLine.run(id, line);
    if (turn !== undefined) count[turn].run(id);
  };
  const get = (id: string): StoredSession | undefined => {
    const row = select.get(id);
    return row === undefined ? undefined : asSession(row);
  };
  const group = new GroupCommit(database, gather);
  return {
    create: ({ id, owner, root = "", time, first, writer }) =>
      group.write(id, () => {
        insert.run(id, owner, root, time, time, writer ?? null);
        if (first !== undefined && Number(addFirst.run(id, first.line).changes) > 0) {
          entitle.run(first.title, id);
        }
        return get(id) ??
          {
            id,
            owner,
            root,
            title: "",
            created: time,
            updated: time,
            turns: 0,
            failed: false,
            writer,
          };
      }),
    get: (id) => group.read(id, () => get(id)),
    list: (which, limit) =>
      group.read(undefined, () => {
        const { sql, values } = selection(which);
        return database.prepare(sql).all(...values, limit).map(asSession);
      }),
    append: (id, line, time, turn) => group.write(id, () => append(id, line, time, turn)),
    lines: (id) => group.read(id, () => selectLines.all(id).map(({ line }) => String(line))),
    setTitle: (id, title) => group.write(id, () => void entitle.run(title, id)),
    setTurns: (id, turns) => group.write(id, () => void setTurns.run(turns, id)),
    claim: (id, writer, gone) =>
      group.write(id, () => {
        claim.run(id, writer, gone ?? null);
        return get(id)?.writer;
      }),
    release: (id, writer) => group.write(id, () => void release.run(id, writer)),
    changes: () => new Promise((resolve) => resolve(Number(changes.get()?.data_version))),
    remove: (id) => group.write(id, () => void remove.run(id)),
    close: () =>
      new Promise((resolve) => {
        group.flush();
        resolve(database.close());
      }),
  };
}

/** A statement that is prepared when it is first run, as a short program runs few. */
function prepared(database: SqlDatabase, sql: string): SqlStatement {
  let statement: SqlStatement | undefined;
  const it = () => statement ??= database.prepare(sql);
  return {
    run: (...values) => it().run(...values),
    get: (...values) => it().get(...values),
    all: (...values) => it().all(...values),
  };
}

const COLUMNS = "id, owner, root, title, created, updated, turns, failed, writer";

function selection(which: SessionFilter): { sql: string; values: string[] } {
  const { owner, root, notRoot } = which;
  const terms = [["owner = ?", owner], ["root = ?", root], ["root <> ?", notRoot]] as const;
  const given = terms.flatMap(([term, value]) => value === undefined ? [] : [{ term, value }]);
  const where = given.length === 0 ? "" : `WHERE ${given.map(({ term }) => term).join(" AND ")}`;
  return {
    sql: `SELECT ${COLUMNS} FROM sessions ${where} ORDER BY updated DESC, id DESC LIMIT ?`,
    values: given.map(({ value }) => value),
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
        `Cannot use the sessions: their format has version ${version}, and this program reads up to ${VERSION}`,
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
    root: String(row.root),
    title: String(row.title),
    created: Number(row.created),
    updated: Number(row.updated),
    turns: row.turns === null ? undefined : Number(row.turns),
    failed: row.failed === 1,
    writer: row.writer === null ? undefined : String(row.writer),
  };
}
