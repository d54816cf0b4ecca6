import assert from "node:assert/strict";
import { parseScenarios } from "../../mock/mod.ts";
import { memorySessionStore, sqliteSessionStore } from "../../store/mod.ts";
import { openDatabase } from "../../sys/mod.ts";
import { memoryVfs, readFile } from "../../vfs/mod.ts";
import { ask, coderChat, cookieOf, eventsOf, PlayedTurns } from "./_fixtures_test.ts";
import { eventually } from "../http/_testing.ts";

Deno.test("POST /chat streams the hello-world scenario as text, tool and done events", async () => {
  const vfs = memoryVfs({ root: "/work" });
  const app = coderChat({ vfs });
  const response = await ask(app, "POST", "/chat", { message: "Please do a hello world" });
  assert.match(response.headers.get("x-run-id") ?? "", /^[0-9a-f-]{36}$/);
  assert.match(response.headers.get("x-session-id") ?? "", /^[0-9a-f-]{36}$/);
  assert.equal(response.headers.get("cache-control"), "no-store");
  const events = await eventsOf(response);
  const shown = events.filter(({ event }) => event !== "usage" && event !== "text");
  assert.deepEqual(shown.map(({ event, data }) => ({ event, data })), [
    {
      event: "tool",
      data: {
        name: "write_file",
        input: { path: "hello.py", content: "print('Hello, World!')" },
      },
    },
    {
      event: "tool_result",
      data: {
        name: "write_file",
        content: "OK",
        error: false,
        details: {
          path: "hello.py",
          created: true,
          bytes: 22,
          diff: "--- hello.py\n+++ hello.py\n@@ -0,0 +1 @@\n+print('Hello, World!')\n" +
            "\\ No newline at end of file\n",
        },
      },
    },
    { event: "tool", data: { name: "bash", input: { command: "python hello.py" } } },
    {
      event: "tool_result",
      data: {
        name: "bash",
        content: "ran python hello.py\n[Exit code 0, no sandbox]",
        error: false,
        details: {
          exitCode: 0,
          timedOut: false,
          aborted: false,
          sandbox: { kind: "none", reason: "a test" },
          seconds: 0.001,
        },
      },
    },
    { event: "done", data: {} },
  ]);
  const text = events.filter(({ event }) => event === "text").map(({ data }) => data.content);
  assert.equal(
    text.join(""),
    "I'll create a hello world Python script for you." +
      "I've created hello.py. Let me run it to verify it works." +
      "Done! The script works correctly and outputs 'Hello, World!'",
  );
  assert.equal(events.filter(({ event }) => event === "usage").length, 3);
  assert.deepEqual(events.map(({ id }) => id), events.map((_, index) => index + 1));
  assert.equal(
    new TextDecoder().decode(await readFile(vfs, "hello.py")),
    "print('Hello, World!')",
  );
});

Deno.test("a browser's conversation goes on by its cookie, and POST /clear ends it", async () => {
  const turns = new PlayedTurns();
  const scenarios = parseScenarios({
    scenarios: [{ name: "a", trigger: "", steps: [{ response: { content: "Yes." } }] }],
  }, "test.json");
  const app = coderChat({ scenarios });
  const first = await ask(app, "POST", "/chat", { message: "One" });
  const setCookie = first.headers.get("set-cookie") ?? "";
  assert.match(setCookie, /^llmcmd_browser=[0-9a-f-]{36}; Path=\/; .*HttpOnly; SameSite=Strict$/);
  const cookie = cookieOf(first);
  const session = first.headers.get("x-session-id");
  await eventsOf(first);
  const second = await ask(app, "POST", "/chat", { message: "Two" }, { cookie });
  assert.equal(second.headers.get("x-session-id"), session);
  assert.equal(second.headers.get("set-cookie"), null);
  await eventsOf(second);
  const shown = async () => await (await ask(app, "GET", `/sessions/${session}`)).json();
  const { items, title, run } = await shown();
  assert.deepEqual(items, [
    { type: "user", content: "One" },
    { type: "text", content: "Yes." },
    { type: "user", content: "Two" },
    { type: "text", content: "Yes." },
  ]);
  assert.equal(title, "One");
  assert.equal(run, null);
  const other = await ask(app, "POST", "/chat", { message: "Other" });
  assert.notEqual(other.headers.get("x-session-id"), session);
  await eventsOf(other);
  const cleared = await ask(app, "POST", "/clear", undefined, { cookie });
  assert.deepEqual([cleared.status, await cleared.json()], [200, { status: "ok" }]);
  assert.deepEqual((await shown()).items, []);
  const third = await ask(app, "POST", "/chat", { message: "Three" }, { cookie });
  await eventsOf(third);
  assert.deepEqual((await shown()).items[0], { type: "user", content: "Three" });
  assert.deepEqual(await (await ask(app, "POST", "/clear")).json(), { status: "ok" });
  assert.equal(turns.turns.length, 0);
});

Deno.test("POST /chat goes on with the session that its body names", async () => {
  const turns = new PlayedTurns();
  const app = coderChat({ startTurn: turns.start });
  for (const session of ["a", "b", "a"]) {
    const response = await ask(app, "POST", "/chat", { message: "Hi", session });
    assert.equal(response.headers.get("x-session-id"), session);
    assert.equal(response.headers.get("set-cookie"), null);
    const turn = await eventually(() => turns.turns.at(-1));
    await turn.given.log.append({
      type: "message",
      time: "",
      message: { role: "user", content: `in ${session}` },
    });
    turn.end();
    await eventsOf(response);
    turns.turns.pop();
  }
  const { items } = await (await ask(app, "GET", "/sessions/a")).json();
  assert.deepEqual(items.map(({ content }: { content: string }) => content), ["in a", "in a"]);
  assert.equal((await ask(app, "GET", "/sessions/none")).status, 404);
  assert.equal((await ask(app, "GET", "/sessions/..%2fx")).status, 404);
});

Deno.test("a session runs one turn at a time, and is free as soon as done was sent", async () => {
  const turns = new PlayedTurns();
  const app = coderChat({ startTurn: turns.start });
  const both = await Promise.all(
    ["One", "Two"].map((message) =>
      ask(app, "POST", "/chat", { message }, { cookie: "llmcmd_browser=0123456789abcdef" })
    ),
  );
  assert.deepEqual(both.map(({ status }) => status), [200, 409]);
  const [first, refused] = both;
  assert.equal(refused?.headers.get("retry-after"), "2");
  assert.deepEqual(await refused?.json(), {
    error: { message: "Another turn of this session is running" },
  });
  const elsewhere = await ask(app, "POST", "/chat", { message: "x", session: "other" });
  await eventually(() => turns.turns[1]);
  for (const turn of turns.turns) turn.end();
  await eventsOf(first ?? assert.fail());
  const next = await ask(app, "POST", "/chat", { message: "Three" }, {
    cookie: "llmcmd_browser=0123456789abcdef",
  });
  assert.equal(next.status, 200);
  (await eventually(() => turns.turns[2])).end();
  await Promise.all([eventsOf(next), eventsOf(elsewhere)]);
  assert.equal(app.running, 0);
});

Deno.test("sessions, their lists and titles survive a restart", async () => {
  const path = await Deno.makeTempFile();
  try {
    const scenarios = parseScenarios({
      scenarios: [{ name: "a", trigger: "", steps: [{ response: { content: "Yes." } }] }],
    }, "test.json");
    const before = sqliteSessionStore(await openDatabase(path));
    const makeTitle = () => Promise.resolve("A title");
    const app = coderChat({ store: before, scenarios, makeTitle });
    const first = await ask(app, "POST", "/chat", { message: "One" });
    const cookie = cookieOf(first);
    await eventsOf(first);
    const session = first.headers.get("x-session-id");
    await app.stop();
    assert.equal((await ask(app, "POST", "/chat", { message: "Late" }, { cookie })).status, 503);
    await before.close();
    const after = sqliteSessionStore(await openDatabase(path));
    const again = coderChat({ store: after, scenarios });
    const { sessions } = await (await ask(again, "GET", "/sessions", undefined, { cookie })).json();
    assert.deepEqual(
      sessions.map(({ id, title, running }: Record<string, unknown>) => ({ id, title, running })),
      [{ id: session, title: "A title", running: null }],
    );
    const second = await ask(again, "POST", "/chat", { message: "Two" }, { cookie });
    assert.equal(second.headers.get("x-session-id"), session);
    await eventsOf(second);
    const view = await (await ask(again, "GET", `/sessions/${session}`)).json();
    assert.equal(view.items.length, 4);
    assert.equal((await ask(again, "DELETE", `/sessions/${session}`)).status, 200);
    assert.equal((await ask(again, "DELETE", `/sessions/${session}`)).status, 404);
    await after.close();
  } finally {
    for (const end of ["", "-wal", "-shm"]) await Deno.remove(path + end).catch(() => {});
  }
});

Deno.test("done is last after an error, and errors tell no paths, keys or internals", async () => {
  const turns = new PlayedTurns();
  const app = coderChat({ startTurn: turns.start });
  const play = async (name: string, message: string) => {
    const response = await ask(app, "POST", "/chat", { message: "x", session: "s" });
    const turn = await eventually(() => turns.turns.pop());
    turn.say({ type: "error", error: { name, message, status: 500, code: "c" } });
    turn.end();
    return (await eventsOf(response)).map(({ event, data }) => [event, data]);
  };
  assert.deepEqual(await play("LlmError", "Endpoint answered 500"), [
    ["error", { message: "Endpoint answered 500", status: 500, code: "c" }],
    ["done", {}],
  ]);
  assert.deepEqual(await play("TypeError", "/home/me/.ssh is not iterable"), [
    ["error", { message: "The turn failed for an internal reason" }],
    ["done", {}],
  ]);
  const errors: unknown[] = [];
  const broken = coderChat({
    startTurn: () => {
      throw new Error("/home/me/secret");
    },
    onError: (error) => errors.push(error),
  });
  const events = await eventsOf(await ask(broken, "POST", "/chat", { message: "x" }));
  assert.deepEqual(events.map(({ event, data }) => [event, data]), [
    ["error", { message: "The turn failed for an internal reason" }],
    ["done", {}],
  ]);
  assert.equal(String(errors), "Error: /home/me/secret");
  const store = memorySessionStore();
  store.list = () => Promise.reject(new Error("/var/db: disk full"));
  const full = coderChat({ store, onError: (error) => errors.push(error) });
  const failed = await ask(full, "POST", "/chat", { message: "x" });
  assert.equal(failed.status, 500);
  assert.deepEqual(await failed.json(), { error: { message: "Something went wrong inside" } });
  assert.equal(errors.length, 2);
});

Deno.test("chatApp refuses bodies that are no message, or too long", async () => {
  const app = coderChat({ limits: { bodyBytes: 100 } });
  const status = async (body: string) => {
    const response = await ask(app, "POST", "/chat", body);
    return [response.status, (await response.json()).error.message];
  };
  assert.deepEqual(await status("{"), [400, "The body is not JSON"]);
  assert.deepEqual(await status('{"message": " "}'), [
    400,
    "The body does not fit: message: Expected some text",
  ]);
  assert.equal((await status('{"message": 1}'))[0], 400);
  assert.deepEqual(await status('{"message": "x", "session": "../x"}'), [
    400,
    "The body does not fit: session: 1 to 64 letters, digits, - and _",
  ]);
  assert.deepEqual(await status(JSON.stringify({ message: "x".repeat(100) })), [
    413,
    "The body is larger than 100 bytes",
  ]);
  const torn = await app.fetch(
    new Request("http://localhost/chat", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: new Uint8Array([34, 255, 34]),
    }),
  );
  assert.equal(torn.status, 400);
  assert.equal((await ask(app, "GET", "/nothing")).status, 404);
});

Deno.test("chatApp caps the turns at once and a minute", async () => {
  const turns = new PlayedTurns();
  let now = 0;
  const app = coderChat({
    startTurn: turns.start,
    now: () => now,
    limits: { turns: 2, turnsPerMinute: 3 },
  });
  const chat = (session: string) => ask(app, "POST", "/chat", { message: "x", session });
  const running = [await chat("a"), await chat("b")];
  const full = await chat("c");
  assert.equal(full.status, 503);
  assert.equal(full.headers.get("retry-after"), "5");
  await eventually(() => turns.turns[1]);
  for (const turn of turns.turns) turn.end();
  for (const response of running) await eventsOf(response);
  const third = await chat("c");
  (await eventually(() => turns.turns[2])).end();
  await eventsOf(third);
  const tooMany = await chat("c");
  assert.equal(tooMany.status, 429);
  assert.equal(tooMany.headers.get("retry-after"), "20");
  now = 20_000;
  const later = await chat("c");
  assert.equal(later.status, 200);
  (await eventually(() => turns.turns[3])).end();
  await eventsOf(later);
});
