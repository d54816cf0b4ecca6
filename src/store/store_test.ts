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
  assert.deepEqual(first, { id: "a", owner: "me", title: "", created: 1, updated: 1 });
  assert.deepEqual(await store.create({ id: "a", owner: "you", time: 2 }), first);
  assert.equal(await store.get("b"), undefined);
});

onEveryStore("SessionStore.list gives an owner's sessions, the latest first", async (store) => {
  for (const [time, id] of ["a", "b", "c"].entries()) {
    await store.create({ id, owner: id === "c" ? "you" : "me", time });
  }
  await store.append("a", "x", 9);
  await store.setTitle("a", "A title");
  await store.setTitle("none", "nothing");
  assert.deepEqual(await store.list("me", 10), [
    { id: "a", owner: "me", title: "A title", created: 0, updated: 9 },
    { id: "b", owner: "me", title: "", created: 1, updated: 1 },
  ]);
  assert.equal((await store.list("me", 1)).length, 1);
  await store.remove("a");
  await store.remove("a");
  assert.deepEqual(await store.lines("a"), []);
  assert.deepEqual((await store.list("me", 10)).map(({ id }) => id), ["b"]);
});

onEveryStore("SessionStore.append refuses a session that there is not", async (store) => {
  await assert.rejects(() => store.append("gone", "x", 1), {
    name: "RangeError",
    message: 'Cannot add to the session "gone": there is none',
  });
  await store.create({ id: "gone", owner: "me", time: 1 });
  await store.append("gone", "y", 2);
  assert.deepEqual(await store.lines("gone"), ["y"]);
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
    assert.throws(() => sqliteSessionStore(later), /they are of version 99, this program knows 1/);
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
