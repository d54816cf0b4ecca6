import assert from "node:assert/strict";
import { openDatabase } from "../sys/mod.ts";
import { memorySessionStore, type SessionStore, sqliteSessionStore } from "./mod.ts";

/** Runs a test on every kind of store. */
function onEveryStore(name: string, test: (store: SessionStore) => Promise<void>): void {
  Deno.test(`${name} (memory)`, () => test(memorySessionStore()));
  Deno.test(`${name} (SQLite)`, async () => {
    const store = sqliteSessionStore(await openDatabase(":memory:"));
    try {
      await test(store);
    } finally {
      await store.close();
    }
  });
}

onEveryStore("SessionStore keeps the lines of each session in order and apart", async (store) => {
  await store.create({ id: "a", owner: "me", time: 1 });
  await store.create({ id: "b", owner: "me", time: 2 });
  for (let n = 0; n < 20; n++) {
    await store.append(n % 2 === 0 ? "a" : "b", `line ${n}\n\u{1f41f}`, n);
  }
  const numbers = (lines: string[]) => lines.map((line) => Number(/\d+/.exec(line)?.[0]));
  assert.deepEqual(numbers(await store.lines("a")), [0, 2, 4, 6, 8, 10, 12, 14, 16, 18]);
  assert.deepEqual(numbers(await store.lines("b")), [1, 3, 5, 7, 9, 11, 13, 15, 17, 19]);
  assert.equal((await store.lines("b"))[0], "line 1\n\u{1f41f}");
  assert.deepEqual(await store.lines("c"), []);
});

onEveryStore("SessionStore.create gives the session that is there", async (store) => {
  const first = await store.create({ id: "a", owner: "me", time: 1 });
  assert.deepEqual(first, {
    ...{ id: "a", owner: "me", root: "", title: "", created: 1, updated: 1, turns: 0 },
    ...{ failed: false, writer: undefined },
  });
  assert.deepEqual(await store.create({ id: "a", owner: "you", time: 2 }), first);
  assert.equal(await store.get("b"), undefined);
});

onEveryStore(
  "SessionStore.create begins a session that has no lines, and no other",
  async (store) => {
    const session = { id: "a", owner: "me", time: 1 };
    const first = { line: "start", title: "First" };
    assert.equal((await store.create(session)).title, "");
    assert.deepEqual(await store.create({ ...session, time: 2, first }), {
      ...{ id: "a", owner: "me", root: "", title: "First", created: 1, updated: 1, turns: 0 },
      ...{ failed: false, writer: undefined },
    });
    const again = { line: "again", title: "Again" };
    assert.equal((await store.create({ ...session, first: again })).title, "First");
    assert.deepEqual(await store.lines("a"), ["start"]);
    assert.equal((await store.create({ ...session, id: "b", first })).title, "First");
    assert.deepEqual(await store.lines("b"), ["start"]);
    await store.append("b", "next", 3);
    assert.deepEqual(await store.lines("b"), ["start", "next"]);
  },
);

onEveryStore("SessionStore.list gives an owner's sessions, the latest first", async (store) => {
  for (const [time, id] of ["a", "b", "c"].entries()) {
    await store.create({ id, owner: id === "c" ? "you" : "me", time });
  }
  await store.append("a", "x", 9);
  await store.setTitle("a", "A title");
  await store.setTitle("none", "nothing");
  const plain = { owner: "me", root: "", turns: 0, failed: false, writer: undefined };
  assert.deepEqual(await store.list({ owner: "me" }, 10), [
    { ...plain, id: "a", title: "A title", created: 0, updated: 9 },
    { ...plain, id: "b", title: "", created: 1, updated: 1 },
  ]);
  assert.equal((await store.list({ owner: "me" }, 1)).length, 1);
  await store.remove("a");
  await store.remove("a");
  assert.deepEqual(await store.lines("a"), []);
  assert.deepEqual((await store.list({ owner: "me" }, 10)).map(({ id }) => id), ["b"]);
});

onEveryStore("SessionStore.list tells the sessions of a folder from all others", async (store) => {
  for (
    const [time, [id, owner, root]] of [
      ["a", "me", "/one"],
      ["b", "you", "/one"],
      ["c", "me", "/two"],
      ["d", "me", undefined],
    ].entries()
  ) await store.create({ id: id ?? "", owner: owner ?? "", root, time });
  const ids = async (...given: Parameters<SessionStore["list"]>) =>
    (await store.list(...given)).map(({ id }) => id);
  assert.deepEqual(await ids({ root: "/one" }, 9), ["b", "a"]);
  assert.deepEqual(await ids({ root: "/one", owner: "me" }, 9), ["a"]);
  assert.deepEqual(await ids({ notRoot: "/one" }, 9), ["d", "c"]);
  assert.deepEqual(await ids({ notRoot: "/one" }, 1), ["d"]);
  assert.deepEqual(await ids({}, 9), ["d", "c", "b", "a"]);
  assert.equal((await store.get("c"))?.root, "/two");
});

onEveryStore("SessionStore.claim gives a session to one writer at a time", async (store) => {
  assert.equal(await store.claim("a", "one"), undefined, "there is none");
  await store.create({ id: "a", owner: "me", time: 1 });
  assert.equal(await store.claim("a", "one"), "one");
  assert.equal(await store.claim("a", "one"), "one");
  assert.equal(await store.claim("a", "two"), "one");
  assert.equal((await store.list({}, 9))[0]?.writer, "one");
  await store.release("a", "two");
  assert.equal(await store.claim("a", "two", "three"), "one", "another is gone");
  assert.equal(await store.claim("a", "two", "one"), "two");
  await store.release("a", "two");
  assert.equal((await store.get("a"))?.writer, undefined);
  assert.equal(await store.claim("a", "three", "two"), "three", "released meanwhile");
  const made = await store.create({ id: "b", owner: "me", time: 1, writer: "one" });
  assert.equal(made.writer, "one");
  assert.equal(
    (await store.create({ id: "b", owner: "me", time: 1, writer: "two" })).writer,
    "one",
  );
});

onEveryStore("SessionStore.append refuses a session that there is not", async (store) => {
  await assert.rejects(() => store.append("gone", "x", 1), {
    name: "RangeError",
    message: 'Cannot add to the session "gone": it does not exist',
  });
  await store.create({ id: "gone", owner: "me", time: 1 });
  await store.append("gone", "y", 2);
  assert.deepEqual(await store.lines("gone"), ["y"]);
});

onEveryStore("SessionStore counts the turns of a session", async (store) => {
  const turns = async () => (await store.get("a"))?.turns;
  await store.create({ id: "a", owner: "me", time: 1 });
  await store.append("a", "start", 1);
  assert.equal(await turns(), 0);
  await store.append("a", "one", 2, "begin");
  await store.append("a", "answer", 3);
  await store.append("a", "two", 4, "begin");
  assert.equal(await turns(), 2);
  assert.equal((await store.list({ owner: "me" }, 9))[0]?.turns, 2);
  await store.setTurns("a", 7);
  await store.setTurns("none", 7);
  assert.equal(await turns(), 7);
  await store.append("a", "cleared", 5, "clear");
  assert.equal(await turns(), 0);
  assert.equal((await store.lines("a")).length, 5);
});

onEveryStore("SessionStore keeps that the last turn of a session failed", async (store) => {
  const failed = async () => (await store.get("a"))?.failed;
  await store.create({ id: "a", owner: "me", time: 1 });
  await store.append("a", "one", 2, "begin");
  assert.equal(await failed(), false);
  await store.append("a", "no", 3, "fail");
  await store.append("a", "a title", 4);
  assert.equal(await failed(), true);
  const [listed] = await store.list({ owner: "me" }, 9);
  assert.deepEqual([listed?.failed, listed?.turns], [true, 1]);
  await store.append("a", "two", 5, "begin");
  assert.equal(await failed(), false);
  await store.append("a", "no", 6, "fail");
  await store.append("a", "cleared", 7, "clear");
  assert.equal(await failed(), false);
});

/** The tables of version 1 of this program. */
const VERSION_1 = `
CREATE TABLE sessions (
  id TEXT PRIMARY KEY,
  owner TEXT NOT NULL,
  title TEXT NOT NULL DEFAULT '',
  created INTEGER NOT NULL,
  updated INTEGER NOT NULL
) STRICT;
CREATE INDEX sessions_of_owner ON sessions (owner, updated DESC);
CREATE TABLE lines (
  session TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
  number INTEGER NOT NULL,
  line TEXT NOT NULL,
  PRIMARY KEY (session, number)
) STRICT, WITHOUT ROWID;
PRAGMA user_version = 1;
INSERT INTO sessions VALUES ('a', 'me', 'Old', 1, 2), ('b', 'me', '', 3, 3);
INSERT INTO lines VALUES ('a', 1, 'one'), ('a', 2, 'two');
INSERT INTO lines VALUES ('b', 1, '{"type":"session_start","root":"/work"}' || char(10));
`;

Deno.test("sqliteSessionStore takes over a file of the version before", async () => {
  const folder = await Deno.makeTempDir();
  try {
    const path = `${folder}/web.sqlite`;
    const before = await openDatabase(path);
    before.exec(VERSION_1);
    before.close();
    // Two programs at the same time: the second finds the tables already changed.
    const store = sqliteSessionStore(await openDatabase(path));
    const other = sqliteSessionStore(await openDatabase(path));
    const [b, a] = await store.list({ owner: "me" }, 9);
    assert.deepEqual(a, {
      ...{ id: "a", owner: "me", root: "", title: "Old", created: 1, updated: 2 },
      ...{ turns: undefined, failed: false, writer: undefined },
    });
    assert.deepEqual([b?.id, b?.root], ["b", "/work"]);
    assert.deepEqual(await other.lines("a"), ["one", "two"]);
    await store.append("a", "three", 3, "begin");
    assert.equal((await store.get("a"))?.turns, undefined, "what was not counted stays so");
    await store.setTurns("a", 2);
    await other.append("a", "four", 4, "begin");
    assert.equal((await store.get("a"))?.turns, 3);
    await store.close();
    await other.close();
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("sqliteSessionStore lists sessions from an index, however long they are", async () => {
  const database = await openDatabase(":memory:");
  const store = sqliteSessionStore(database);
  await store.create({ id: "a", owner: "me", time: 1 });
  const plan = database.prepare(
    "EXPLAIN QUERY PLAN SELECT id, owner, root, title, created, updated, turns, failed, writer " +
      "FROM sessions WHERE root = ? ORDER BY updated DESC, id DESC LIMIT ?",
  ).all("/work", 10).map(({ detail }) => String(detail));
  assert.match(plan[0] ?? "", /SEARCH sessions USING INDEX sessions_of_root \(root=\?\)/);
  assert.equal(plan.some((detail) => detail.includes("lines")), false);
  await store.close();
});

Deno.test("sqliteSessionStore goes on with a file, which only its owner may read", async () => {
  const folder = await Deno.makeTempDir();
  try {
    const path = `${folder}/state/web.sqlite`;
    const first = sqliteSessionStore(await openDatabase(path));
    await first.create({ id: "a", owner: "me", time: 1 });
    await first.append("a", "one", 2);
    // A second program at the same time, and no close(): as after kill -9.
    const second = sqliteSessionStore(await openDatabase(path));
    await second.append("a", "two", 3);
    assert.deepEqual(await second.lines("a"), ["one", "two"]);
    assert.deepEqual(await first.lines("a"), ["one", "two"]);
    for await (const { name } of Deno.readDir(`${folder}/state`)) {
      const { mode } = await Deno.stat(`${folder}/state/${name}`);
      assert.equal((mode ?? 0) & 0o777, 0o600, name);
    }
    assert.equal(((await Deno.stat(`${folder}/state`)).mode ?? 0) & 0o777, 0o700);
    await first.close();
    await second.close();
    const later = await openDatabase(path);
    later.exec("PRAGMA user_version = 99");
    assert.throws(
      () => sqliteSessionStore(later),
      /their format has version 99, and this program reads up to 4/,
    );
    later.close();
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("openDatabase says what is wrong with a path", async () => {
  await assert.rejects(() => openDatabase("/dev/null/web.sqlite"), {
    name: "FileError",
    message: /^Cannot open \/dev\/null\/web\.sqlite: /,
  });
});
