import assert from "node:assert/strict";
import {
  ask,
  coderChat,
  EventReader,
  eventsOf,
  type PlayedTurn,
  PlayedTurns,
} from "./_fixtures_test.ts";
import { eventually, serving } from "../http/_testing.ts";
import type { ChatApp, ChatAppOptions } from "./mod.ts";
import { memoryEventBus } from "../../store/mod.ts";

/** A chat with one turn that is played by the test. */
async function oneTurn(
  options: Partial<ChatAppOptions> = {},
): Promise<{ app: ChatApp; response: Response; run: string; turn: PlayedTurn }> {
  const turns = new PlayedTurns();
  const app = coderChat({ startTurn: turns.start, ...options });
  const response = await ask(app, "POST", "/chat", { message: "Go", session: "s" });
  const turn = await eventually(() => turns.turns[0]);
  return { app, response, run: response.headers.get("x-run-id") ?? "", turn };
}

const texts = (events: { event: string; data: { content?: string } }[]) =>
  events.map(({ event, data }) => data?.content ?? event).join(" ");

Deno.test("GET /runs/:id/events replays from Last-Event-ID, then goes on live", async () => {
  const { app, response, run, turn } = await oneTurn();
  const first = new EventReader(response);
  turn.text("a");
  turn.text("b");
  assert.equal((await first.next())?.data.content, "a");
  assert.equal((await first.next())?.id, 2);
  await first.leave();
  turn.text("c");
  const replay = (id: string) =>
    ask(app, "GET", `/runs/${run}/events`, undefined, { "last-event-id": id });
  const second = new EventReader(await replay("1"));
  const whole = new EventReader(await ask(app, "GET", `/runs/${run}/events`));
  assert.equal((await second.next())?.data.content, "b");
  turn.text("d");
  turn.end();
  assert.equal(texts(await second.rest()), "c d done");
  assert.equal(texts(await whole.rest()), "a b c d done");
  // Also after its end.
  assert.equal(texts(await eventsOf(await replay("3"))), "d done");
  assert.equal((await replay("x")).status, 400);
  assert.equal((await ask(app, "GET", "/runs/none/events")).status, 404);
  assert.equal(turn.stopped, undefined);
});

Deno.test("a turn stops some time after its last reader left, unless one comes back", async () => {
  const { app, response, run, turn } = await oneTurn({ limits: { abandoned: 60 } });
  const first = new EventReader(response);
  turn.text("a");
  await first.next();
  const second = new EventReader(await ask(app, "GET", `/runs/${run}/events`));
  await first.leave();
  await new Promise((resolve) => setTimeout(resolve, 120));
  assert.equal(turn.stopped, undefined);
  await second.leave();
  const third = new EventReader(await ask(app, "GET", `/runs/${run}/events`));
  await new Promise((resolve) => setTimeout(resolve, 120));
  assert.equal(turn.stopped, undefined);
  turn.text("b");
  assert.equal((await third.next())?.data.content, "a");
  await third.leave();
  await eventually(() => turn.stopped);
  await eventually(() => app.running === 0 ? true : undefined);
  const late = await eventsOf(await ask(app, "GET", `/runs/${run}/events`));
  assert.equal(texts(late), "a b error done");
  assert.deepEqual(late[2]?.data, { message: "The turn was stopped", code: "stopped" });
});

Deno.test("POST /runs/:id/stop stops a turn at once, and the stream ends with done", async () => {
  const { app, response, run, turn } = await oneTurn();
  turn.text("a");
  const stopped = await ask(app, "POST", `/runs/${run}/stop`);
  assert.deepEqual(await stopped.json(), { status: "ok" });
  assert.equal(texts(await eventsOf(response)), "a error done");
  assert.equal((await ask(app, "POST", `/runs/${run}/stop`)).status, 404);
});

Deno.test("POST /clear and DELETE stop the session's turn first", async () => {
  const { app, response, turn } = await oneTurn();
  const cleared = await ask(app, "POST", "/clear", { session: "s" });
  assert.deepEqual(await cleared.json(), { status: "ok" });
  assert.equal((turn.stopped as Error).name, "AbortError");
  assert.equal(texts(await eventsOf(response)), "error done");
});

Deno.test("GET /sessions/:id shows a running turn apart, for its events come again", async () => {
  const { app, response, run, turn } = await oneTurn();
  const time = "";
  await turn.given.log.append({ type: "message", time, message: { role: "user", content: "Go" } });
  const view = await (await ask(app, "GET", "/sessions/s")).json();
  assert.deepEqual(view.items, []);
  assert.deepEqual(view.run, { id: run, message: "Go" });
  turn.end();
  await eventsOf(response);
  const after = await (await ask(app, "GET", "/sessions/s")).json();
  assert.deepEqual(after.items, [{ type: "user", content: "Go" }]);
  assert.equal(after.run, null);
});

Deno.test("a silent turn sends comments", async () => {
  const { response, turn } = await oneTurn({ limits: { keepAlive: 20 } });
  const reader = new EventReader(response);
  assert.equal((await reader.next())?.event, ": keep-alive");
  assert.equal((await reader.next())?.event, ": keep-alive");
  turn.text("a");
  turn.end();
  assert.equal(texts((await reader.rest()).filter(({ event }) => event[0] !== ":")), "a done");
});

Deno.test("a client that reads slowly slows the turn down, and one that stalls is gone", async () => {
  const { app, response, turn } = await oneTurn({
    bus: memoryEventBus({ unread: 1000 }),
    limits: { stalled: 100, abandoned: 10 },
  });
  const reader = response.body?.getReader() ?? assert.fail();
  for (let n = 0; n < 50; n++) turn.text("x".repeat(100));
  assert.ok((await reader.read()).value);
  await eventually(() => turn.waiting < 50 ? true : undefined);
  await new Promise((resolve) => setTimeout(resolve, 30));
  assert.ok(turn.waiting > 30, String(turn.waiting));
  assert.equal(turn.stopped, undefined);
  await eventually(() => turn.stopped);
  await eventually(() => app.running === 0 ? true : undefined);
  await assert.rejects(reader.read(), { name: "TimeoutError" });
});

Deno.test("a reader that comes too late is told how many events it missed", async () => {
  const { app, response, run, turn } = await oneTurn({ bus: memoryEventBus({ replay: 60 }) });
  const reader = new EventReader(response);
  for (const letter of "abcdefgh") {
    turn.text(letter);
    assert.equal((await reader.next())?.data.content, letter);
  }
  const late = new EventReader(await ask(app, "GET", `/runs/${run}/events`));
  const gap = await late.next();
  assert.equal(gap?.event, "gap");
  assert.deepEqual(gap?.data, { missed: 4 });
  turn.end();
  assert.equal(texts(await late.rest()), "e f g h done");
  await reader.rest();
});

Deno.test("a turn has no more readers than its limit", async () => {
  const { app, response, run, turn } = await oneTurn({ limits: { readers: 2 } });
  const second = await ask(app, "GET", `/runs/${run}/events`);
  assert.equal((await ask(app, "GET", `/runs/${run}/events`)).status, 429);
  await second.body?.cancel();
  turn.end();
  assert.equal(texts(await eventsOf(await ask(app, "GET", `/runs/${run}/events`))), "done");
  await eventsOf(response);
});

Deno.test("chatApp.stop stops all turns and waits for their ends", async () => {
  const { app, response, turn } = await oneTurn();
  await app.stop();
  assert.equal(app.running, 0);
  assert.equal((turn.stopped as Error).message, "The turn was stopped");
  assert.equal(texts(await eventsOf(response)), "error done");
});

Deno.test("a client whose connection breaks stops the turn, over real sockets", async () => {
  const turns = new PlayedTurns();
  const app = coderChat({
    startTurn: turns.start,
    limits: { abandoned: 30, keepAlive: 50 },
  });
  await serving(app, async (url) => {
    const chat = (signal: AbortSignal) =>
      fetch(`${url}/chat`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ message: "Go", session: "s" }),
        signal,
      });
    const client = new AbortController();
    const response = await chat(client.signal);
    const reader = new EventReader(response);
    const turn = await eventually(() => turns.turns[0]);
    turn.text("a");
    assert.equal((await reader.next())?.data.content, "a");
    client.abort();
    await eventually(() => turn.stopped);
    await reader.leave().catch(() => {});
    await eventually(() => app.running === 0 ? true : undefined);
  });
});

Deno.test("200 chats at once over sockets: no event is lost or in another chat", async () => {
  const app = coderChat({
    startTurn: ({ message }) => ({
      result: Promise.resolve({ messages: [] }),
      events: ReadableStream.from((async function* () {
        for (let n = 0; n < 20; n++) {
          await new Promise((resolve) => setTimeout(resolve, 1));
          yield { type: "text" as const, content: `${message}.${n} ` };
        }
      })()),
    }),
  });
  await serving(app, async (url) => {
    const answers = await Promise.all(Array.from({ length: 200 }, async (_, chat) => {
      const response = await fetch(`${url}/chat`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ message: `m${chat}`, session: `s${chat}` }),
      });
      return texts(await eventsOf(response));
    }));
    for (const [chat, answer] of answers.entries()) {
      const expected = Array.from({ length: 20 }, (_, n) => `m${chat}.${n} `).join(" ");
      assert.equal(answer, `${expected} done`);
    }
  });
  assert.equal(app.running, 0);
});

Deno.test("POST /chat tells the events of the specification, and nothing of messages", async () => {
  const { response, turn } = await oneTurn();
  turn.text("a");
  turn.say({ type: "message", message: { role: "assistant", content: "a" } });
  turn.say({ type: "message", message: { role: "tool", tool_call_id: "x", content: "b" } });
  turn.end();
  assert.deepEqual(await eventsOf(response), [
    { event: "text", id: 1, data: { content: "a" } },
    { event: "done", id: 2, data: {} },
  ]);
});
