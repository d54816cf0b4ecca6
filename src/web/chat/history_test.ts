import assert from "node:assert/strict";
import { encodeRecord, type SessionRecord } from "../../coder/mod.ts";
import { memorySessionStore, sqliteSessionStore } from "../../store/mod.ts";
import { openDatabase } from "../../sys/mod.ts";
import { parseScenarios } from "../../mock/mod.ts";
import { memoryVfs } from "../../vfs/mod.ts";
import {
  ask,
  coderChat,
  cookieOf,
  ECHO,
  EventReader,
  eventsOf,
  PlayedTurns,
  type SeenEvent,
} from "./_fixtures_test.ts";
import { eventually } from "../http/_testing.ts";
import type { FetchApp } from "../http/mod.ts";

const call = (id: string, name: string, input: unknown) => ({
  response: {
    tool_calls: [{
      id,
      function: { name, arguments: typeof input === "string" ? input : JSON.stringify(input) },
    }],
  },
});
/** Two turns whose calls have the same ids. */
const SCENARIOS = parseScenarios({
  scenarios: [
    {
      name: "write",
      trigger: "write it",
      steps: [
        call("call_1", "write_file", { path: "a.txt", content: "one\n" }),
        call("call_2", "edit_file", { path: "a.txt", old_string: "one", new_string: "two" }),
        { response: { content: "Written." } },
      ],
    },
    {
      name: "fail",
      trigger: "fail at it",
      steps: [
        call("call_1", "edit_file", { path: "a.txt", old_string: "none", new_string: "x" }),
        call("call_2", "bash", { command: "false" }),
        call("call_3", "bash", '{"command":'),
        { response: { content: "Failed." } },
      ],
    },
  ],
}, "history.json");

const show = async (app: FetchApp, session: string) =>
  await (await ask(app, "GET", `/sessions/${session}`)).json();

/** Live events in the form of history's items: pieces of text joined, ends and tokens left out. */
function asItems(message: string, events: SeenEvent[]) {
  const items: Record<string, unknown>[] = [{ type: "user", content: message }];
  for (const { event, data } of events) {
    const last = items.at(-1);
    if (event === "text" && last?.type === "text") last.content += data.content;
    else if (event !== "usage" && event !== "done") items.push({ type: event, ...data });
  }
  return items.map(({ details, error, ...item }) => {
    const { diff } = (details ?? {}) as { diff?: string };
    return {
      ...item,
      ...(error === true ? { error } : {}),
      ...(diff === undefined ? {} : { details: { diff } }),
    };
  });
}

Deno.test("GET /sessions/:id shows the diffs and failures that the events showed", async () => {
  const path = await Deno.makeTempFile();
  try {
    const before = sqliteSessionStore(await openDatabase(path));
    const app = coderChat({
      store: before,
      scenarios: SCENARIOS,
      vfs: memoryVfs({ root: "/work" }),
      runner: { run: async (command) => ({ ...await ECHO.run(command), exitCode: 1 }) },
    });
    const live: unknown[] = [];
    for (const message of ["write it", "fail at it"]) {
      const response = await ask(app, "POST", "/chat", { message, session: "s" });
      live.push(...asItems(message, await eventsOf(response)));
    }
    await app.stop();
    await before.close();
    const after = sqliteSessionStore(await openDatabase(path));
    const { items } = await show(coderChat({ store: after }), "s");
    assert.deepEqual(items, live);
    const results = (items as Record<string, unknown>[]).filter(({ type }) =>
      type === "tool_result"
    );
    assert.deepEqual(
      results.map(({ error, details }) => [error, details]),
      [
        [undefined, { diff: "--- a.txt\n+++ a.txt\n@@ -0,0 +1 @@\n+one\n" }],
        [undefined, { diff: "--- a.txt\n+++ a.txt\n@@ -1 +1 @@\n-one\n+two\n" }],
        [true, undefined],
        [true, undefined],
        [true, undefined],
      ],
    );
    const calls = (items as Record<string, unknown>[]).filter(({ type }) => type === "tool");
    assert.equal(calls.at(-1)?.input, '{"command":');
    await after.close();
  } finally {
    for (const end of ["", "-wal", "-shm"]) await Deno.remove(path + end).catch(() => {});
  }
});

Deno.test("GET /sessions/:id tells errors as the events did, a stopped turn among them", async () => {
  const turns = new PlayedTurns();
  const app = coderChat({ startTurn: turns.start });
  const play = async (name: string, message: string, ownFirst: boolean) => {
    const response = await ask(app, "POST", "/chat", { message: "x", session: "s" });
    const turn = await eventually(() => turns.turns.pop());
    const { log } = turn.given;
    const time = "";
    await log.append({ type: "message", time, message: { role: "user", content: name } });
    // The session's own log has it too, before or after.
    const own = () => log.append({ type: "event", time, event: { type: "error", message } });
    if (ownFirst) await own();
    turn.say({
      type: "error",
      error: { name, message, ...(name === "LlmError" && { code: "c" }) },
    });
    await eventually(() => turn.waiting === 0 ? true : undefined);
    await new Promise((resolve) => setTimeout(resolve, 5));
    if (!ownFirst) await own();
    turn.end();
    await eventsOf(response);
  };
  await play("LlmError", "Endpoint answered 500", true);
  await play("TypeError", "/home/me/.ssh is not iterable", false);
  await play("AbortError", "secret", true);
  assert.deepEqual((await show(app, "s")).items, [
    { type: "user", content: "LlmError" },
    { type: "error", message: "Endpoint answered 500", code: "c" },
    { type: "user", content: "TypeError" },
    { type: "error", message: "The turn failed for an internal reason" },
    { type: "user", content: "AbortError" },
    { type: "error", message: "The turn was stopped", code: "stopped" },
  ]);
});

Deno.test("DELETE /sessions/:id stops the session's turn, and nothing of it comes back", async () => {
  const turns = new PlayedTurns();
  const store = memorySessionStore();
  const app = coderChat({ startTurn: turns.start, store });
  const response = await ask(app, "POST", "/chat", { message: "Go", session: "s" });
  const reader = new EventReader(response);
  const turn = await eventually(() => turns.turns[0]);
  turn.text("a");
  assert.equal((await reader.next())?.data.content, "a");
  const removed = ask(app, "DELETE", "/sessions/s");
  // Meanwhile no other turn can begin in it.
  const between = await ask(app, "POST", "/chat", { message: "Again", session: "s" });
  assert.deepEqual([between.status, between.headers.get("retry-after")], [409, "2"]);
  assert.deepEqual(await (await removed).json(), { status: "ok" });
  assert.equal((turn.stopped as Error).name, "AbortError");
  assert.deepEqual((await reader.rest()).map(({ event }) => event), ["error", "done"]);
  assert.equal(app.running, 0);
  assert.equal((await ask(app, "GET", "/sessions/s")).status, 404);
  assert.deepEqual(await store.lines("s"), []);
  assert.equal((await ask(app, "DELETE", "/sessions/s")).status, 404);
  assert.equal((await ask(app, "DELETE", "/sessions/..%2fx")).status, 404);
  const next = await ask(app, "POST", "/chat", { message: "New", session: "s" });
  (await eventually(() => turns.turns[1])).end();
  await eventsOf(next);
  assert.deepEqual(turns.turns[1]?.given.messages, []);
});

Deno.test("DELETE /sessions/:id is refused to other origins, sites and hosts", async () => {
  const app = coderChat({ startTurn: new PlayedTurns().start });
  const token = coderChat({ startTurn: new PlayedTurns().start, token: "open sesame" });
  const remove = async (headers: Record<string, string>, it: FetchApp = app) =>
    (await ask(it, "DELETE", "/sessions/s", undefined, headers)).status;
  assert.equal(await remove({ origin: "http://evil.example" }), 403);
  assert.equal(await remove({ "sec-fetch-site": "cross-site" }), 403);
  assert.equal(await remove({ host: "evil.example" }), 421);
  assert.equal(await remove({ "content-type": "text/plain" }), 415);
  assert.equal(await remove({}, token), 401);
  assert.equal(await remove({}), 404);
});

Deno.test("GET /sessions tells the turns of each session, and reads no log for that", async () => {
  const store = memorySessionStore();
  const app = coderChat({ store, scenarios: SCENARIOS, vfs: memoryVfs({ root: "/work" }) });
  const first = await ask(app, "POST", "/chat", { message: "write it" });
  const cookie = cookieOf(first);
  await eventsOf(first);
  await eventsOf(await ask(app, "POST", "/chat", { message: "fail at it" }, { cookie }));
  const lines = store.lines;
  store.lines = () => assert.fail("it read a log");
  const list = async () =>
    (await (await ask(app, "GET", "/sessions", undefined, { cookie })).json()).sessions;
  assert.deepEqual(
    (await list()).map(({ title, turns }: Record<string, unknown>) => [title, turns]),
    [["write it", 2]],
  );
  store.lines = lines;
  await ask(app, "POST", "/clear", undefined, { cookie });
  assert.equal((await list())[0].turns, 0);
});

Deno.test("GET /sessions counts what was kept before turns were counted, once", async () => {
  const time = "";
  const message = (role: "user" | "assistant"): SessionRecord => ({
    ...{ type: "message", time, message: { role, content: "x" } },
  });
  const records: SessionRecord[] = [
    { type: "session_start", version: 1, id: "s", time, root: "/", model: "m" },
    ...[message("user"), message("assistant")],
    { type: "clear", time, messages: [] },
    ...[message("user"), message("assistant"), message("user")],
  ];
  const database = await openDatabase(":memory:");
  const store = sqliteSessionStore(database);
  const cookie = "llmcmd_browser=0123456789abcdef";
  await store.create({ id: "s", owner: "0123456789abcdef", time: 1 });
  for (const record of records) await store.append("s", encodeRecord(record), 1);
  database.exec("UPDATE sessions SET turns = NULL");
  const app = coderChat({ store });
  for (let round = 0; round < 2; round++) {
    const { sessions } = await (await ask(app, "GET", "/sessions", undefined, { cookie })).json();
    assert.equal(sessions[0].turns, 2);
    assert.equal((await store.get("s"))?.turns, 2);
    store.lines = () => assert.fail("it read a log again");
  }
  await store.close();
});
