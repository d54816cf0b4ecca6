import assert from "node:assert/strict";
import { openDatabase } from "../sys/mod.ts";
import { type SqlDatabase, sqliteSessionStore } from "./mod.ts";

/** A database that counts its transactions, and fails where a test tells it to. */
async function watched(path = ":memory:", fail: (sql: string) => void = () => {}) {
  const real = await openDatabase(path);
  const seen = { commits: 0 };
  const database: SqlDatabase = {
    exec(sql) {
      fail(sql);
      if (sql === "COMMIT") seen.commits++;
      real.exec(sql);
    },
    prepare: (sql) => real.prepare(sql),
    close: () => real.close(),
  };
  return { database, seen };
}

Deno.test("sqliteSessionStore commits what many sessions write at once in one transaction", async () => {
  const { database, seen } = await watched();
  const store = sqliteSessionStore(database);
  const before = seen.commits;
  const ids = Array.from({ length: 200 }, (_, at) => `s${at}`);
  await Promise.all(ids.flatMap((id) => [
    store.create({ id, owner: "me", time: 1, first: { line: "start", title: id } }),
    store.append(id, "one", 2, "begin"),
    store.append(id, "two", 3),
  ]));
  assert.equal(seen.commits - before, 1);
  for (const id of ids) assert.deepEqual(await store.lines(id), ["start", "one", "two"]);
  assert.equal((await store.get("s7"))?.turns, 1);
  await store.close();
});

Deno.test("sqliteSessionStore resolves only what another connection sees", async () => {
  const folder = await Deno.makeTempDir();
  try {
    const store = sqliteSessionStore(await openDatabase(`${folder}/web.sqlite`));
    const other = await openDatabase(`${folder}/web.sqlite`);
    const count = other.prepare("SELECT count(*) AS n FROM lines");
    await store.create({ id: "a", owner: "me", time: 1 });
    for (let n = 1; n <= 50; n++) {
      const lines = Array.from({ length: 4 }, () => store.append("a", `line ${n}`, n));
      assert.equal(count.get()?.n, (n - 1) * 4, "nothing is locked or shown before its time");
      await Promise.race(lines);
      assert.equal(count.get()?.n, n * 4);
    }
    other.close();
    await store.close();
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("sqliteSessionStore reads what was written before, also when that is not committed yet", async () => {
  const store = sqliteSessionStore(await openDatabase(":memory:"));
  await store.create({ id: "b", owner: "me", time: 0 });
  const writes = [
    store.create({ id: "a", owner: "me", time: 1 }),
    store.append("a", "one", 5),
    store.setTitle("a", "Title"),
  ];
  const [lines, session, list, other] = await Promise.all([
    store.lines("a"),
    store.get("a"),
    store.list({ owner: "me" }, 9),
    store.get("b"),
  ]);
  assert.deepEqual(lines, ["one"]);
  assert.equal(session?.title, "Title");
  assert.deepEqual(list.map(({ id }) => id), ["a", "b"]);
  assert.equal(other?.updated, 0);
  await Promise.all(writes);
  const removed = store.remove("a");
  assert.deepEqual(await store.lines("a"), []);
  await removed;
  await store.close();
});

Deno.test("sqliteSessionStore: a write that fails takes nothing else of its transaction with it", async () => {
  const store = sqliteSessionStore(await openDatabase(":memory:"));
  await store.create({ id: "a", owner: "me", time: 1 });
  const results = await Promise.allSettled([
    store.append("a", "one", 2, "begin"),
    store.append("gone", "x", 2),
    store.append("a", "two", 3),
  ]);
  assert.deepEqual(results.map(({ status }) => status), ["fulfilled", "rejected", "fulfilled"]);
  assert.deepEqual(await store.lines("a"), ["one", "two"]);
  assert.equal((await store.get("a"))?.turns, 1, "done once, though tried twice");
  await store.close();
});

Deno.test("sqliteSessionStore says that a line is kept only when the commit succeeded", async () => {
  let full = 0;
  const { database } = await watched(":memory:", (sql) => {
    if (sql === "COMMIT" && full-- > 0) throw new Error("database or disk is full");
  });
  const store = sqliteSessionStore(database);
  await store.create({ id: "a", owner: "me", time: 1 });
  // The common transaction fails, and that of the first line.
  full = 2;
  const results = await Promise.allSettled([
    store.append("a", "one", 2),
    store.append("a", "two", 3),
  ]);
  assert.deepEqual(results.map(({ status }) => status), ["rejected", "fulfilled"]);
  assert.deepEqual(await store.lines("a"), ["two"]);
  await store.close();
});

Deno.test("sqliteSessionStore.close keeps what was written before", async () => {
  const folder = await Deno.makeTempDir();
  try {
    const store = sqliteSessionStore(await openDatabase(`${folder}/web.sqlite`));
    await store.create({ id: "a", owner: "me", time: 1 });
    const line = store.append("a", "last", 2);
    await store.close();
    await line;
    await assert.rejects(() => store.append("a", "too late", 3));
    const later = sqliteSessionStore(await openDatabase(`${folder}/web.sqlite`));
    assert.deepEqual(await later.lines("a"), ["last"]);
    await later.close();
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
