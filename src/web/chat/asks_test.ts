import assert from "node:assert/strict";
import type { ApprovalRequest } from "../../coder/mod.ts";
import { memorySessionStore } from "../../store/mod.ts";
import { ask, EventReader, eventsOf, PlayedTurns } from "./_fixtures_test.ts";
import { type ChatApp, chatApp } from "./mod.ts";

function played(): { app: ChatApp; turns: PlayedTurns } {
  const turns = new PlayedTurns();
  const app = chatApp({
    store: memorySessionStore(),
    about: { root: "/work", model: "m" },
    startTurn: turns.start,
  });
  return { app, turns };
}

const REQUEST: ApprovalRequest = {
  kind: "write",
  what: "/etc/motd",
  why: "it is outside",
  session: "all changes in /etc, also by commands",
  callId: "1",
};

async function begun(app: ChatApp, turns: PlayedTurns) {
  const response = await ask(app, "POST", "/chat", { message: "Go", session: "s" });
  const run = response.headers.get("x-run-id") ?? "";
  const reader = new EventReader(response);
  while (turns.turns.length === 0) await new Promise((resolve) => setTimeout(resolve, 0));
  const turn = turns.turns.at(-1) ?? assert.fail();
  return { run, reader, turn };
}

const status = async (response: Promise<Response>) => {
  const { status, body } = await response;
  await body?.cancel();
  return status;
};

Deno.test("a turn asks its readers, and goes on with the first answer", async () => {
  const { app, turns } = played();
  const { run, reader, turn } = await begun(app, turns);
  const answer = turn.given.ask(REQUEST, new AbortController().signal);
  const event = await reader.next() ?? assert.fail();
  const { id, ...data } = event.data;
  const { callId: _, ...told } = REQUEST;
  assert.deepEqual([event.event, data], ["ask", told]);
  const path = `/runs/${run}/asks/${id}`;
  const say = (path: string, answer: string) => status(ask(app, "POST", path, { answer }));
  assert.equal(await say(path, "always"), 400);
  assert.equal(await say(`/runs/other/asks/${id}`, "once"), 404);
  assert.equal(await say(`/runs/${run}/asks/other`, "once"), 404);
  assert.equal(await say(path, "session"), 200);
  assert.equal(await say(path, "no"), 404);
  assert.equal(await answer, "session");
  assert.deepEqual((await reader.next())?.data, { id, answer: "session" });
  // Who comes later reads both.
  const again = new EventReader(await ask(app, "GET", `/runs/${run}/events`));
  assert.deepEqual([(await again.next())?.event, (await again.next())?.event], ["ask", "answered"]);
  await again.leave();
  turn.end();
  assert.deepEqual((await reader.rest()).map(({ event }) => event), ["done"]);
});

Deno.test("a question is withdrawn when its turn is stopped", async () => {
  const { app, turns } = played();
  const { run, reader, turn } = await begun(app, turns);
  const answer = turn.given.ask(REQUEST, turn.given.signal);
  const { id } = (await reader.next())?.data ?? {};
  assert.equal(await status(ask(app, "POST", `/runs/${run}/stop`)), 200);
  await assert.rejects(answer, { name: "AbortError" });
  assert.deepEqual((await reader.next())?.data, { id, answer: null });
  assert.equal(await status(ask(app, "POST", `/runs/${run}/asks/${id}`, { answer: "no" })), 404);
  await reader.rest();
});

Deno.test("what was allowed for a session counts until it is cleared", async () => {
  const { app, turns } = played();
  const turn = async (session: string) => {
    const before = turns.turns.length;
    const events = eventsOf(await ask(app, "POST", "/chat", { message: "Go", session }));
    while (turns.turns.length === before) await new Promise((resolve) => setTimeout(resolve, 0));
    const played = turns.turns.at(-1) ?? assert.fail();
    played.given.grants.folders.add(`/${session}`);
    played.end();
    await events;
    return played.given.grants;
  };
  const first = await turn("a");
  assert.equal(await turn("a"), first);
  assert.deepEqual([...(await turn("b")).folders], ["/b"]);
  assert.equal(await status(ask(app, "POST", "/clear", { session: "a" })), 200);
  assert.notEqual(await turn("a"), first);
});
