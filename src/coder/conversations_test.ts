import assert from "node:assert/strict";
import { follow } from "../agent/mod.ts";
import { memorySessionStore } from "../store/mod.ts";
import { memoryVfs } from "../vfs/mod.ts";
import { FakeRunner, ScriptedClient, type Step } from "./_testing.ts";
import {
  type Conversation,
  Conversations,
  SessionError,
  turnChange,
  type Writer,
  type Writers,
} from "./mod.ts";

/** Programs on one store, each in its folder; they are alive until they are killed. */
class Programs {
  readonly store = memorySessionStore();
  readonly #dead = new Set<string>();
  #time = Date.parse("2026-11-27T10:00:00Z");

  start(name: string, root = "/work"): Conversations {
    const own: Writer = { program: name, pid: name.length, lock: name };
    const writers: Writers = {
      own: () => Promise.resolve(own),
      isAlive: ({ lock }) => Promise.resolve(!this.#dead.has(lock)),
    };
    const warn = (message: string) => this.warnings.push(message);
    const now = () => this.#time += 1000;
    return new Conversations({ store: this.store, root, model: "m", writers, warn, now });
  }

  readonly warnings: string[] = [];

  kill(name: string): void {
    this.#dead.add(name);
  }
}

const say = async (conversation: Conversation, input: string, ...steps: Step[]) =>
  await follow(conversation.turn({
    ...{ input, client: new ScriptedClient(...steps), model: "m" },
    vfs: memoryVfs({ root: "/work" }),
    runner: new FakeRunner(),
    facts: { platform: "linux", sandbox: { kind: "none", reason: "a test" } },
  }));

const close = (conversation: Conversation) => conversation[Symbol.asyncDispose]();

async function problem(action: Promise<unknown>) {
  try {
    await action;
  } catch (error) {
    if (error instanceof SessionError) return [error.problem.kind, error.message];
    throw error;
  }
  return assert.fail("nothing is wrong");
}

Deno.test("Conversations: what one program began is listed and continued by another", async () => {
  const programs = new Programs();
  const agent = programs.start("agent");
  const first = agent.create();
  assert.deepEqual(await agent.list(9), [], "nothing was said yet");
  const result = await say(first, "Fix it\nplease", { text: "Fixed.", tokens: 100 });
  const { id, usage, created } = first.session;
  assert.deepEqual(usage, { prompt_tokens: 100, completion_tokens: 0 });
  await close(first);

  const serve = programs.start("serve");
  const [listed] = await serve.list(9);
  assert.deepEqual([listed?.id, listed?.title, listed?.turns], [id, "Fix it", 1]);
  const second = await serve.open(id);
  assert.equal(second.lines, (await programs.store.lines(id)).length);
  assert.deepEqual(second.session, {
    ...{ id, created, root: "/work", model: "m", usage },
    messages: result.messages,
  });
  await say(second, "Go on", { text: "Done.", tokens: 30 });
  const live = structuredClone(second.session);
  await close(second);

  const third = await agent.open(id);
  assert.deepEqual(third.session, live);
  assert.deepEqual(third.session.usage, { prompt_tokens: 130, completion_tokens: 0 });
  const roles = third.session.messages.map(({ role }) => role);
  assert.deepEqual(roles, ["system", "user", "assistant", "user", "assistant"]);
  await close(third);
  assert.equal((await agent.get(id))?.turns, 2);
  assert.deepEqual(programs.warnings, []);
});

Deno.test("Conversation: compactions, titles and all tokens come back as they were", async () => {
  const programs = new Programs();
  const all = programs.start("agent");
  const conversation = all.create();
  const long = "word ".repeat(9000);
  await say(conversation, long, { text: long, tokens: 100 });
  await say(conversation, "again", { text: "Here.", tokens: 200 });
  const small = {
    model: "s",
    client: new ScriptedClient({ text: "Short", tokens: 7 }, "A title."),
  };
  await conversation.compact({ ...small, keepTokens: 100 });
  await conversation.giveTitle(small);
  await conversation.giveTitle(small);
  assert.equal(small.client.requests.length, 2, "it has a title");
  const before = structuredClone(conversation.session);
  assert.equal(before.title, "A title");
  assert.deepEqual(before.usage, { prompt_tokens: 307, completion_tokens: 0 });
  await close(conversation);
  const again = await all.open(before.id);
  assert.deepEqual(again.session, before);
  assert.equal((await all.get(before.id))?.title, "A title");
  await close(again);
});

Deno.test("Conversation: a turn that compacts counts the summary's tokens, then and later", async () => {
  const all = new Programs().start("agent");
  const conversation = all.create();
  const long = "word ".repeat(9000);
  await say(conversation, long, { text: long, tokens: 100 });
  const { session } = conversation;
  const client = new ScriptedClient({ text: "Short", tokens: 11 }, { text: "Here.", tokens: 5 });
  const result = await follow(conversation.turn({
    ...{ input: "again", client, model: "m", limits: { contextTokens: 20_000, keepTokens: 100 } },
    vfs: memoryVfs({ root: "/work" }),
    runner: new FakeRunner(),
  }));
  assert.equal(result.compactions, 1);
  assert.deepEqual(session.usage, { prompt_tokens: 116, completion_tokens: 0 });
  await close(conversation);
  assert.deepEqual((await all.read(session.id)).usage, session.usage);
});

Deno.test("Conversations: one program writes a session, and others are told which", async () => {
  const programs = new Programs();
  const [agent, serve] = [programs.start("agent"), programs.start("serve!")];
  const mine = agent.create();
  await say(mine, "Hello", "Hi.");
  const { id } = mine.session;
  const busy = [
    "busy",
    "This session is open in agent (pid 5): end that first, or begin a new one",
  ];
  assert.deepEqual(await problem(serve.open(id)), busy);
  assert.deepEqual(await problem(serve.open(id, "browser")), busy);
  assert.deepEqual(await problem(serve.remove(id)), busy);
  const stored = await serve.get(id) ?? assert.fail();
  assert.equal((await serve.problemOf(stored))?.message, busy[1]);
  assert.equal((await serve.otherWriter(stored))?.program, "agent");
  assert.equal(await agent.problemOf(stored), undefined, "its own");
  // Others can read it.
  assert.deepEqual((await serve.read(id)).messages, mine.session.messages);
  await close(mine);
  const theirs = await serve.open(id);
  assert.equal((await problem(agent.open(id)))[0], "busy");
  // One that was killed has nothing any more.
  programs.kill("serve!");
  const again = await agent.open(id);
  assert.equal((await agent.get(id))?.writer?.includes("agent"), true);
  await close(theirs);
  assert.equal(
    (await agent.get(id))?.writer?.includes("agent"),
    true,
    "not the dead one's to free",
  );
  await close(again);
  await agent.remove(id);
  assert.deepEqual(await problem(agent.remove(id)), ["missing", `There is no session '${id}'`]);
  assert.deepEqual((await problem(agent.read(id)))[0], "missing");
  assert.deepEqual((await problem(agent.open(id)))[0], "missing");
});

Deno.test("Conversations: of two programs that begin a session of one name, one gets it", async () => {
  const programs = new Programs();
  const all = [programs.start("a"), programs.start("bb")];
  const opened = await Promise.allSettled(all.map((it) => it.open("s", "browser")));
  assert.deepEqual(opened.map(({ status }) => status), ["fulfilled", "rejected"]);
  programs.kill("a");
  const after = await Promise.allSettled([all[1]?.open("s", "browser")]);
  assert.equal(after[0]?.status, "fulfilled");
});

Deno.test("Conversations: a session of another folder is listed apart, read, and not continued", async () => {
  const programs = new Programs();
  const here = programs.start("llmcmd serve", "/home/me/a");
  const there = programs.start("llmcmd serve", "/home/me/it's b");
  const theirs = there.create();
  await say(theirs, "Hello", "Hi.");
  await close(theirs);
  const { id } = theirs.session;
  const before = await programs.store.lines(id);
  assert.deepEqual(await here.list(9), []);
  assert.deepEqual((await here.listElsewhere(9)).map(({ id, root }) => [id, root]), [
    [id, "/home/me/it's b"],
  ]);
  assert.deepEqual(await problem(here.open(id, "browser")), [
    "elsewhere",
    "This session belongs to /home/me/it's b: to go on with it, start llmcmd serve there " +
    "(cd '/home/me/it'\\''s b' && llmcmd serve)",
  ]);
  assert.deepEqual(await programs.store.lines(id), before);
  assert.equal((await here.get(id))?.writer, undefined);
  assert.equal((await here.read(id)).messages.length, 3);
  // Its folder may be gone.
  await here.remove(id);
  assert.equal(await here.get(id), undefined);
});

Deno.test("Conversations: a line that is broken is told and left out, lines of the page are not missed", async () => {
  const programs = new Programs();
  const all = programs.start("agent");
  const conversation = all.create();
  await say(conversation, "Hello", "Hi.");
  const { id, messages } = conversation.session;
  await close(conversation);
  await programs.store.append(id, '{"type":"page_error","message":"x"}\n', 1);
  await programs.store.append(id, '{"type":"mess\n', 1);
  const again = await all.open(id);
  assert.deepEqual(again.session.messages, messages);
  assert.deepEqual(programs.warnings, [`session ${id}: Line ${again.lines}: not JSON`]);
});

Deno.test("Conversation: what the store can't keep is told, and the talk goes on", async () => {
  const programs = new Programs();
  const { create } = programs.store;
  programs.store.create = () => Promise.reject(new Error("disk full"));
  const all = programs.start("agent");
  const conversation = all.create();
  const events: string[] = [];
  const turn = () =>
    follow(
      conversation.turn({
        ...{ input: "Hello", client: new ScriptedClient({ text: "Hi.", tokens: 9 }), model: "m" },
        vfs: memoryVfs({ root: "/work" }),
        runner: new FakeRunner(),
      }),
      (event) => void (event.type === "warning" && events.push(event.message)),
    );
  assert.equal((await turn()).text, "Hi.");
  assert.deepEqual(events, ["The session is no longer saved: disk full"]);
  assert.equal(conversation.session.usage.prompt_tokens, 9);
  programs.store.create = create;
  assert.equal((await turn()).messages.length, 5);
  assert.equal(conversation.session.usage.prompt_tokens, 18);
  assert.equal(events.length, 1);
  await close(conversation);
});

Deno.test("turnChange tells a turn that failed from one that was stopped", () => {
  const time = "2026-11-27T10:00:00Z";
  const error = (name?: string) =>
    turnChange({
      ...{ type: "event", time },
      event: { type: "error", message: "x", ...(name === undefined ? {} : { name }) },
    });
  assert.equal(error("LlmError"), "fail");
  assert.equal(error(), "fail");
  assert.equal(error("AbortError"), undefined);
  assert.equal(turnChange({ type: "clear", time, messages: [] }), "clear");
});
