import assert from "node:assert/strict";
import { parseScenarios } from "../../mock/mod.ts";
import { memorySessionStore } from "../../store/mod.ts";
import {
  ask,
  coderChat,
  cookieOf,
  ECHO,
  EventReader,
  eventsOf,
  type PlayedTurn,
  PlayedTurns,
} from "./_fixtures_test.ts";
import { eventually } from "../http/_testing.ts";
import type { ChatApp, ChatAppOptions } from "./mod.ts";

const COOKIE = "llmcmd_browser=0123456789abcdef";

/** A browser, its list of sessions as it hears of it, and turns that the test plays. */
class Browser {
  readonly turns: PlayedTurns = new PlayedTurns();
  readonly app: ChatApp;
  readonly list: EventReader;

  constructor(app: ChatApp, list: EventReader, turns: PlayedTurns) {
    this.app = app;
    this.list = list;
    this.turns = turns;
  }

  static async open(options: Partial<ChatAppOptions> = {}): Promise<Browser> {
    const turns = new PlayedTurns();
    const app = coderChat({ startTurn: turns.start, ...options });
    const list = new EventReader(
      await ask(app, "GET", "/events", undefined, { cookie: COOKIE }),
    );
    assert.deepEqual(await list.next(), { event: "sessions", id: 0, data: { sessions: [] } });
    return new Browser(app, list, turns);
  }

  ask(method: "GET" | "POST" | "PATCH" | "DELETE", path: string, body?: unknown) {
    return ask(this.app, method, path, body, { cookie: COOKIE });
  }

  async json(method: "GET" | "POST" | "PATCH" | "DELETE", path: string, body?: unknown) {
    return await (await this.ask(method, path, body)).json();
  }

  /** Begins a turn, which has told its log what the user said. */
  async begin(message: string, session = "s", more = {}): Promise<[PlayedTurn, Response]> {
    const number = this.turns.turns.length + 1;
    const response = await this.ask("POST", "/chat", { message, session, ...more });
    assert.equal(response.status, 200);
    return [await this.turn(number), response];
  }

  /** The turn of that number, from 1. */
  async turn(number: number): Promise<PlayedTurn> {
    const turn = await eventually(() => this.turns.turns[number - 1]);
    const content = turn.given.message;
    await turn.given.log.append({ type: "message", time: "", message: { role: "user", content } });
    return turn;
  }

  /** What the list is told, up to the first that fits. */
  async heard(state: string, more: (data: Record<string, unknown>) => boolean = () => true) {
    for (;;) {
      const { event, data } = await this.list.next() ?? assert.fail("The list has ended");
      if (event === "session" && data.state === state && more(data)) return data;
    }
  }
}

const FAILURE = { type: "error" as const, error: { name: "LlmError", message: "broken" } };

Deno.test("GET /events tells a browser of its sessions' states, titles and ends, as they change", async () => {
  const browser = await Browser.open();
  const [turn, response] = await browser.begin("Go");
  turn.say({ type: "turn_start", turn: 1 });
  const running = await browser.heard("running", ({ title }) => title === "Go");
  assert.equal(running.running, response.headers.get("x-run-id"));
  turn.say(FAILURE);
  turn.end();
  const failed = await browser.heard("failed");
  assert.deepEqual([failed.running, failed.turns], [null, 1]);
  // The turn was the one change of the conversation.
  assert.equal(failed.version, running.version);
  const [next] = await browser.begin("Again");
  const again = await browser.heard("running");
  assert.equal(again.version, failed.version + 1);
  next.end();
  await browser.heard("idle");
  await browser.ask("PATCH", "/sessions/s", { title: "  Mine\n now " });
  await browser.heard("idle", ({ title }) => title === "Mine now");
  assert.equal((await browser.json("GET", "/sessions/s")).version, again.version);
  await browser.ask("POST", "/clear", { session: "s" });
  await browser.heard("idle", ({ version }) => version === again.version + 1);
  await browser.ask("DELETE", "/sessions/s");
  let last = await browser.list.next();
  while (last?.event === "session") last = await browser.list.next();
  assert.deepEqual([last?.event, last?.data], ["removed", { id: "s" }]);
  await browser.app.stop();
  assert.equal(await browser.list.next(), undefined);
});

Deno.test("GET /events tells of sessions that others begin in the folder", async () => {
  const browser = await Browser.open();
  const other = await ask(browser.app, "POST", "/chat", { message: "x" });
  (await browser.turn(1)).end();
  await eventsOf(other);
  const id = other.headers.get("x-session-id");
  const told = await browser.heard("idle");
  assert.deepEqual([told.id, told.here, told.folder, told.writer], [id, true, "/work", null]);
  await browser.app.stop();
});

Deno.test("GET /events has a limit of readers, and lets go of those that leave", async () => {
  const browser = await Browser.open({ limits: { watchers: 1 } });
  assert.equal((await browser.ask("GET", "/events")).status, 429);
  await browser.list.leave();
  const again = await browser.ask("GET", "/events");
  assert.equal(again.status, 200);
  await again.body?.cancel();
});

Deno.test("a turn goes on to its end without readers, however much it says", async () => {
  const browser = await Browser.open();
  const [turn, response] = await browser.begin("Go");
  await response.body?.cancel();
  for (let n = 0; n < 40; n++) turn.text("x".repeat(64 * 1024));
  await eventually(() => turn.waiting === 0 ? true : undefined);
  turn.end();
  await browser.heard("idle");
  assert.equal(turn.stopped, undefined);
});

Deno.test("messages wait for the end of a turn and are said one after the other", async () => {
  const browser = await Browser.open();
  const [turn] = await browser.begin("one");
  const add = (message: string) => browser.json("POST", "/sessions/s/queue", { message });
  const ids = [];
  for (const message of ["two", "three", "four"]) ids.push((await add(message)).id);
  const { queued } = await browser.heard("running", (it) => (it.queued as string[]).length === 3);
  assert.deepEqual(queued, ids);
  assert.deepEqual((await browser.json("GET", "/sessions/s/queue")).queued[1], {
    id: ids[1],
    message: "three",
  });
  assert.deepEqual(await browser.json("DELETE", `/sessions/s/queue/${ids[1]}`), {
    id: ids[1],
    message: "three",
  });
  assert.equal((await browser.ask("DELETE", `/sessions/s/queue/${ids[1]}`)).status, 404);
  turn.end();
  const second = await browser.turn(2);
  assert.equal(second.given.message, "two");
  assert.equal(second.given.messages.length, 1);
  second.end();
  const third = await browser.turn(3);
  assert.equal(third.given.message, "four");
  third.end();
  await browser.heard("idle", (it) => it.turns === 3);
  assert.deepEqual((await browser.json("GET", "/sessions/s/queue")).queued, []);
});

Deno.test("messages wait on when a turn fails or is stopped, also over a restart", async () => {
  const store = memorySessionStore();
  const browser = await Browser.open({ store });
  const [turn] = await browser.begin("one");
  const { id } = await browser.json("POST", "/sessions/s/queue", { message: "two" });
  turn.say(FAILURE);
  turn.end();
  await browser.heard("failed");
  assert.equal(browser.turns.turns.length, 1);
  await browser.app.stop();
  const later = await Browser.open({ store: { ...store, list: () => Promise.resolve([]) } });
  const view = await later.json("GET", "/sessions/s");
  assert.deepEqual(view.queued, [{ id, message: "two" }]);
  // It is not shown as a part of the conversation.
  assert.deepEqual(view.items.map(({ type }: { type: string }) => type), ["user", "error"]);
  const [next] = await later.begin("three");
  next.end();
  assert.equal((await later.turn(2)).given.message, "two");
  await later.app.stop();
});

Deno.test("messages wait up to a limit, and only in sessions that are there", async () => {
  const browser = await Browser.open({ limits: { queued: 1 } });
  const add = async (message: string, session = "s") =>
    (await browser.ask("POST", `/sessions/${session}/queue`, { message })).status;
  assert.equal(await add("x"), 404);
  const [turn] = await browser.begin("one");
  assert.equal(await add("two"), 202);
  assert.equal(await add("three"), 429);
  assert.equal(await add(""), 400);
  assert.equal(await add("x", "..%2f"), 404);
  await browser.ask("POST", `/sessions/s/queue`, {});
  turn.end();
  (await browser.turn(2)).end();
  await browser.heard("idle", (it) => it.turns === 2);
  // Where no turn runs, it is said at once.
  assert.equal(await add("four"), 202);
  (await browser.turn(3)).end();
  await browser.heard("idle", (it) => it.turns === 3);
});

Deno.test("a browser's cookie is what its list goes by", async () => {
  const app = coderChat();
  const response = await ask(app, "POST", "/chat", { message: "one" });
  await eventsOf(response);
  const list = new EventReader(
    await ask(app, "GET", "/events", undefined, { cookie: cookieOf(response) }),
  );
  const { sessions } = (await list.next())?.data ?? assert.fail();
  assert.deepEqual(
    sessions.map((it: Record<string, unknown>) => [it.id, it.state, it.queued]),
    [[response.headers.get("x-session-id"), "idle", []]],
  );
  await list.leave();
});

Deno.test("a command's output is shown while it runs, its end only", async () => {
  const go = Promise.withResolvers<void>();
  const bash = parseScenarios({
    scenarios: [{
      name: "run",
      trigger: "",
      steps: [
        {
          response: {
            tool_calls: [{ function: { name: "bash", arguments: '{"command":"make"}' } }],
          },
        },
        { response: { content: "Done." } },
      ],
    }],
  }, "bash.json");
  const app = coderChat({
    scenarios: bash,
    limits: { liveOutput: 12 },
    runner: {
      async run(command, options) {
        const bytes = new TextEncoder().encode("first line\nsecond \u00e9\nthird\n");
        for (const byte of bytes) await options?.onOutput?.(Uint8Array.of(byte));
        await go.promise;
        return await ECHO.run(command);
      },
    },
  });
  const reader = new EventReader(await ask(app, "POST", "/chat", { message: "x", session: "s" }));
  let event = await reader.next();
  while (event !== undefined && event.event !== "tool_output") event = await reader.next();
  assert.deepEqual(event?.data, { content: "third\n" });
  go.resolve();
  const rest = (await reader.rest()).map(({ event }) => event);
  assert.deepEqual([rest[0], rest.at(-1)], ["tool_result", "done"]);
});
