/** The engine without HTTP; its behaviour behind a server is tested in src/web/chat/. */
import assert from "node:assert/strict";
import { SessionError } from "../coder/mod.ts";
import { type BusReader, memorySessionStore } from "../store/mod.ts";
import { PlayedTurns } from "../web/chat/_fixtures_test.ts";
import { eventually } from "../web/http/_testing.ts";
import { ChatEngine, ChatError, type ChatErrorKind, type ListReader } from "./mod.ts";

/** A chat whose turns are played by the test. */
function playedChat(limits: ConstructorParameters<typeof ChatEngine>[0]["limits"] = {}) {
  const played = new PlayedTurns();
  const about = { root: "/work", model: "mock" };
  const store = memorySessionStore();
  const chat = new ChatEngine({ startTurn: played.start, store, about, limits });
  return { chat, played };
}

const refusal = (kind: ChatErrorKind, retryAfter?: number) => (error: unknown) => {
  assert.ok(error instanceof ChatError, String(error));
  assert.deepEqual([error.kind, error.retryAfter], [kind, retryAfter]);
  return true;
};

/** All events of a turn, as `type data`. */
async function allEvents(reader: BusReader): Promise<string[]> {
  const seen: string[] = [];
  for (let some = await reader.next(); some.length > 0; some = await reader.next()) {
    seen.push(...some.map(({ type, data }) => `${type} ${data}`));
  }
  reader.return();
  return seen;
}

Deno.test("ChatEngine runs a turn that nobody reads, and gives its events to who comes later", async () => {
  const { chat, played } = playedChat();
  const run = await chat.begin({ owner: "ada", message: "hello" });
  const turn = await eventually(() => played.turns[0]);
  assert.equal(turn.given.message, "hello");
  assert.equal(chat.running, 1);
  turn.text("Hi");
  turn.end();
  assert.equal(await run.ended, "done");
  assert.equal(chat.running, 0);
  assert.deepEqual(await allEvents(chat.read(run.id, 0)), ['text {"content":"Hi"}', "done {}"]);
  assert.deepEqual(await allEvents(chat.read(run.id, 1)), ["done {}"]);
  const [session] = await chat.list();
  assert.deepEqual([session?.id, session?.state], [run.session, "idle"]);
});

Deno.test("ChatEngine refuses a second turn of a session, and one too many of all", async () => {
  const { chat, played } = playedChat({ turns: 2, readers: 1 });
  const first = await chat.begin({ session: "a", owner: "", message: "1" });
  await assert.rejects(
    chat.begin({ session: "a", owner: "", message: "2" }),
    refusal("conflict", 2),
  );
  await chat.begin({ session: "b", owner: "", message: "3" });
  await assert.rejects(
    chat.begin({ session: "c", owner: "", message: "4" }),
    refusal("overloaded", 5),
  );
  const reader = chat.read(first.id, 0);
  assert.throws(() => chat.read(first.id, 0), refusal("limit", 5));
  reader.return();
  reader.return();
  chat.read(first.id, 0).return();
  await eventually(() => played.turns[1]);
  await chat.stop();
  await assert.rejects(
    chat.begin({ session: "c", owner: "", message: "5" }),
    refusal("stopping"),
  );
});

Deno.test("ChatEngine says what does not exist", async () => {
  const { chat } = playedChat();
  const missing = refusal("missing");
  assert.throws(() => chat.run("none"), missing);
  assert.throws(() => chat.read("none", 0), missing);
  assert.throws(() => chat.answer("none", "none", "once"), missing);
  for (const id of ["none", "no session's name"]) {
    for (
      const action of [
        chat.show(id),
        chat.remove(id),
        chat.rename(id, "x"),
        chat.export(id),
        chat.queued(id),
        chat.enqueue(id, "x"),
        chat.takeBack(id, "x"),
      ]
    ) await assert.rejects(action, missing);
  }
});

Deno.test("ChatEngine sends a queued message after the turn, and tells readers of the list", async () => {
  const { chat, played } = playedChat();
  const next = async (list: ListReader) => {
    const event = await list.next();
    return event?.type === "session" ? event.data : assert.fail(`${event?.type}`);
  };
  const list = chat.watch();
  assert.deepEqual(await list.next(), { type: "sessions", data: { sessions: [] } });
  const run = await chat.begin({ session: "a", owner: "", message: "first" });
  await eventually(() => played.turns[0]);
  assert.equal((await next(list)).state, "running");
  const { id } = await chat.enqueue("a", "second");
  assert.deepEqual((await next(list)).queued, [id]);
  assert.deepEqual(await chat.queued("a"), [{ id, message: "second" }]);
  played.turns[0]?.end();
  await run.ended;
  const second = await eventually(() => played.turns[1]);
  assert.equal(second.given.message, "second");
  assert.deepEqual(await chat.queued("a"), []);
  await chat.remove("a");
  for (let event = await list.next(); event?.type !== "removed"; event = await list.next());
  list.return();
  assert.equal(await list.next(), undefined);
});

Deno.test("ChatEngine does not continue a session of another folder", async () => {
  const store = memorySessionStore();
  const played = new PlayedTurns();
  const { start } = played;
  const there = new ChatEngine({ startTurn: start, store, about: { root: "/there", model: "m" } });
  const run = await there.begin({ session: "a", owner: "", message: "x" });
  await eventually(() => played.turns[0]);
  run.stop();
  await run.ended;
  const here = new ChatEngine({ startTurn: start, store, about: { root: "/here", model: "m" } });
  await assert.rejects(here.begin({ session: "a", owner: "", message: "y" }), SessionError);
  await assert.rejects(here.show("a"), SessionError);
  assert.deepEqual((await here.list()).map((it) => it.here), [false]);
});
