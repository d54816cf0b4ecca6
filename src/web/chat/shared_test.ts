/** The chat and another program, such as `llmcmd agent`, on one store. */
import assert from "node:assert/strict";
import { follow } from "../../agent/mod.ts";
import { Conversations, type Writer, type Writers } from "../../coder/mod.ts";
import { openaiClient } from "../../llm/mod.ts";
import { parseScenarios } from "../../mock/mod.ts";
import { memorySessionStore, type SessionStore, sqliteSessionStore } from "../../store/mod.ts";
import { openDatabase } from "../../sys/mod.ts";
import { memoryVfs } from "../../vfs/mod.ts";
import {
  ask,
  coderChat,
  cookieOf,
  ECHO,
  EventReader,
  eventsOf,
  PlayedTurns,
} from "./_fixtures_test.ts";
import { eventually } from "../http/_testing.ts";
import type { FetchApp } from "../http/mod.ts";
import { mockApp } from "../mock/mod.ts";
import type { ChatApp } from "./mod.ts";

const SCENARIOS = parseScenarios({
  scenarios: [
    {
      name: "work",
      trigger: "write it",
      steps: [
        {
          response: {
            tool_calls: [
              ["write_file", { path: "a.txt", content: "one\n" }],
              ["edit_file", { path: "a.txt", old_string: "none", new_string: "x" }],
            ].map(([name, input]) => ({ function: { name, arguments: JSON.stringify(input) } })),
          },
        },
        { response: { content: "Written." } },
      ],
    },
    { name: "other", trigger: "", steps: [{ response: { content: "Yes." } }] },
  ],
}, "shared.json");

/** A terminal beside the server, on the same store. */
class Beside {
  readonly store: SessionStore;
  readonly #dead = new Set<number>();

  constructor(store: SessionStore = memorySessionStore()) {
    this.store = store;
  }

  writers(program: string, pid: number): Writers {
    const own: Writer = { program, pid, lock: String(pid) };
    return {
      own: () => Promise.resolve(own),
      isAlive: ({ pid }) => Promise.resolve(!this.#dead.has(pid)),
    };
  }

  kill(pid: number): void {
    this.#dead.add(pid);
  }

  agent(root = "/work", pid = 7): Conversations {
    const writers = this.writers("llmcmd agent", pid);
    return new Conversations({ store: this.store, root, model: "mock", writers });
  }

  chat(options: Parameters<typeof coderChat>[0] = {}): ChatApp {
    const writers = this.writers("llmcmd serve", 8);
    return coderChat({ store: this.store, scenarios: SCENARIOS, writers, ...options });
  }
}

async function say(conversation: ReturnType<Conversations["create"]>, input: string) {
  const mock = mockApp({ scenarios: SCENARIOS, strict: true });
  const client = openaiClient({
    apiKey: "sk-secret",
    baseUrl: "http://mock/v1",
    fetch: async (url, init) => await mock.fetch(new Request(url, init)),
  });
  const vfs = memoryVfs({ root: "/work" });
  return await follow(conversation.turn({ input, client, model: "mock", vfs, runner: ECHO }));
}

const json = async (response: Promise<Response>) => await (await response).json();
const listed = async (app: FetchApp) => (await json(ask(app, "GET", "/sessions"))).sessions;

Deno.test("a session of llmcmd agent is listed, shown with its diffs and failures, and continued", async () => {
  const beside = new Beside();
  const conversation = beside.agent().create();
  await say(conversation, "write it");
  await conversation[Symbol.asyncDispose]();
  const { id } = conversation.session;
  const app = beside.chat();
  const [session] = await listed(app);
  assert.deepEqual([session.id, session.title, session.turns], [id, "write it", 1]);
  assert.deepEqual([session.here, session.folder, session.writer], [true, "/work", null]);
  const { items } = await json(ask(app, "GET", `/sessions/${id}`));
  const results = items.filter(({ type }: { type: string }) => type === "tool_result");
  assert.deepEqual(
    results.map(({ error, details }: Record<string, unknown>) => [error, details]),
    [[undefined, { diff: "--- a.txt\n+++ a.txt\n@@ -0,0 +1 @@\n+one\n" }], [true, undefined]],
  );
  await eventsOf(await ask(app, "POST", "/chat", { message: "Go on", session: id }));
  const again = await beside.agent().open(id);
  assert.deepEqual(again.session.messages.map(({ role }) => role), [
    ...["system", "user", "assistant", "tool", "tool", "assistant", "user", "assistant"],
  ]);
});

Deno.test("a session that llmcmd agent has open is shown, and says who has it", async () => {
  const beside = new Beside();
  const app = beside.chat();
  const conversation = beside.agent().create();
  await say(conversation, "Hello");
  const { id } = conversation.session;
  const writer = { program: "llmcmd agent", pid: 7 };
  assert.deepEqual((await listed(app))[0].writer, writer);
  const view = await json(ask(app, "GET", `/sessions/${id}`));
  assert.deepEqual([view.items.length, view.writer], [2, writer]);
  const before = await beside.store.lines(id);
  const message =
    "This session is open in llmcmd agent (pid 7): end that first, or begin a new one";
  for (
    const [method, path, body] of [
      ["POST", "/chat", { message: "Me too", session: id }],
      ["POST", "/clear", { session: id }],
      ["DELETE", `/sessions/${id}`, undefined],
    ] as const
  ) {
    const response = await ask(app, method, path, body);
    assert.deepEqual([response.status, await response.json()], [409, { error: { message } }], path);
  }
  assert.deepEqual(await beside.store.lines(id), before);
  // Killed, it has nothing any more.
  beside.kill(7);
  assert.equal((await listed(app))[0].writer, null);
  await eventsOf(await ask(app, "POST", "/chat", { message: "Me too", session: id }));
  assert.equal((await beside.store.get(id))?.turns, 2);
  assert.equal((await beside.store.get(id))?.writer, undefined);
});

Deno.test("a session is the server's for as long as its turn runs", async () => {
  const beside = new Beside();
  const turns = new PlayedTurns();
  const app = beside.chat({ startTurn: turns.start });
  const response = await ask(app, "POST", "/chat", { message: "x", session: "s" });
  const turn = await eventually(() => turns.turns[0]);
  const message = /open in llmcmd serve \(pid 8\)/;
  await assert.rejects(() => beside.agent().open("s"), { name: "SessionError", message });
  turn.end();
  await eventsOf(response);
  await (await beside.agent().open("s"))[Symbol.asyncDispose]();
});

Deno.test("sessions of other folders come last in the list, and nothing is done in them here", async () => {
  const beside = new Beside();
  const app = beside.chat();
  const first = await ask(app, "POST", "/chat", { message: "Mine" });
  await eventsOf(first);
  const conversation = beside.agent("/home/me/other").create();
  await say(conversation, "Theirs");
  await conversation[Symbol.asyncDispose]();
  const { id } = conversation.session;
  assert.deepEqual(
    (await listed(app)).map(({ title, here, folder }: Record<string, unknown>) => [
      ...[title, here, folder],
    ]),
    [["Mine", true, "/work"], ["Theirs", false, "/home/me/other"]],
  );
  const before = await beside.store.lines(id);
  const message = "This session belongs to /home/me/other: to go on with it, start llmcmd serve " +
    "there (cd /home/me/other && llmcmd serve)";
  for (
    const [method, path, body] of [
      ["GET", `/sessions/${id}`, undefined],
      ["POST", "/chat", { message: "Here", session: id }],
      ["POST", "/clear", { session: id }],
    ] as const
  ) {
    const response = await ask(app, method, path, body);
    assert.deepEqual([response.status, await response.json()], [409, { error: { message } }], path);
  }
  assert.deepEqual(await beside.store.lines(id), before);
  // A browser that was in the other folder last begins a new session here.
  const cookie = cookieOf(first);
  const { owner } = await beside.store.get(first.headers.get("x-session-id") ?? "") ?? {};
  const old = { id: "old", owner: owner ?? "", root: "/other", time: Date.now() + 1000 };
  await beside.store.create(old);
  const next = await ask(app, "POST", "/chat", { message: "More" }, { cookie });
  await eventsOf(next);
  assert.equal(next.headers.get("x-session-id"), first.headers.get("x-session-id"));
  assert.equal((await ask(app, "DELETE", `/sessions/${id}`)).status, 200);
  assert.equal(await beside.store.get(id), undefined);
});

Deno.test("a chat whose last turn failed is listed as failed also by the next server", async () => {
  const beside = new Beside();
  const failing = parseScenarios({
    scenarios: [{
      ...{ name: "broken", trigger: "" },
      steps: [{ fault: { status: 400 }, response: { content: "" } }],
    }],
  }, "failing.json");
  const first = beside.chat({ scenarios: failing });
  await eventsOf(await ask(first, "POST", "/chat", { message: "Go", session: "s" }));
  assert.equal((await listed(first))[0].state, "failed");
  const next = beside.chat();
  assert.equal((await listed(next))[0].state, "failed");
  await eventsOf(await ask(next, "POST", "/chat", { message: "Go on", session: "s" }));
  assert.equal((await listed(next))[0].state, "idle");
  assert.equal((await listed(beside.chat()))[0].state, "idle");
});

Deno.test("GET /events tells what another program does in a session, and whether it has it", async () => {
  const folder = await Deno.makeTempDir();
  const path = `${folder}/web.sqlite`;
  const own = sqliteSessionStore(await openDatabase(path));
  const beside = new Beside(sqliteSessionStore(await openDatabase(path)));
  const app = beside.chat({ store: own, limits: { others: 1 } });
  const list = new EventReader(await ask(app, "GET", "/events"));
  assert.deepEqual((await list.next())?.data, { sessions: [] });
  const heard = async (fits: (session: Record<string, unknown>) => boolean) => {
    for (;;) {
      const { event, data } = await list.next() ?? assert.fail("The list has ended");
      if (event === "session" && fits(data)) return data;
    }
  };
  try {
    const conversation = beside.agent().create();
    const { id } = conversation.session;
    await say(conversation, "write it");
    const writer = { program: "llmcmd agent", pid: 7 };
    const first = await heard(({ turns }) => turns === 1);
    assert.deepEqual([first.id, first.title, first.writer], [id, "write it", writer]);
    await say(conversation, "More");
    const second = await heard(({ turns }) => turns === 2);
    assert.ok(second.version > first.version, "the conversation is another one");
    await conversation[Symbol.asyncDispose]();
    const free = await heard(({ writer }) => writer === null);
    // Killed, a program says nothing.
    await beside.agent("/work", 9).open(id);
    await heard(({ writer }) => writer !== null);
    beside.kill(9);
    const last = await heard(({ writer }) => writer === null);
    assert.equal(last.version, free.version);
    // What this server does itself is no change of others.
    await eventsOf(await ask(app, "POST", "/chat", { message: "Mine", session: id }));
    await beside.agent().remove(id);
    let event = await list.next();
    let version = free.version;
    while (event?.event === "session") {
      version = event.data.version;
      event = await list.next();
    }
    assert.deepEqual([event?.event, event?.data], ["removed", { id }]);
    assert.equal(version, free.version + 1);
  } finally {
    await app.stop();
    await own.close();
    await beside.store.close();
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("nobody looks for changes of other programs when no list is being watched", async () => {
  const turn = Promise.withResolvers<void>();
  let looks = 0;
  const store: SessionStore = {
    ...memorySessionStore(),
    changes() {
      if (++looks === 3) turn.resolve();
      return Promise.resolve(looks);
    },
  };
  const app = new Beside(store).chat({ limits: { others: 1 } });
  await ask(app, "GET", "/sessions").then((response) => response.body?.cancel());
  assert.equal(looks, 0);
  const list = new EventReader(await ask(app, "GET", "/events"));
  await list.next();
  await turn.promise;
  await app.stop();
  assert.equal(await list.next(), undefined);
  const before = looks;
  await new Promise((resolve) => setTimeout(resolve, 30));
  assert.ok(looks <= before + 1);
});

Deno.test("a session whose program was killed within a turn is shown as interrupted", async () => {
  const beside = new Beside();
  const conversation = beside.agent().create();
  await say(conversation, "Hello");
  const { id } = conversation.session;
  const app = beside.chat();
  const shown = async () => (await json(ask(app, "GET", `/sessions/${id}`))).interrupted;
  assert.equal(await shown(), false);
  const time = new Date().toISOString();
  const message = { role: "user" as const, content: "More" };
  await conversation.log.append({ type: "message", time, message });
  beside.kill(7);
  assert.equal(await shown(), true);
  await eventsOf(await ask(app, "POST", "/chat", { message: "Go on", session: id }));
  assert.equal(await shown(), false);
});
