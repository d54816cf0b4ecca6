import assert from "node:assert/strict";
import { parseScenarios } from "../../mock/mod.ts";
import { memorySessionStore } from "../../store/mod.ts";
import { memoryVfs } from "../../vfs/mod.ts";
import { ask, coderChat, eventsOf, PlayedTurns } from "./_fixtures_test.ts";
import { eventually } from "../http/_testing.ts";
import type { ChatApp } from "./mod.ts";

const COOKIE = "llmcmd_browser=0123456789abcdef";

const ANSWERS = parseScenarios({
  scenarios: [
    {
      name: "write",
      trigger: "write",
      steps: [
        {
          response: {
            tool_calls: [{
              function: {
                name: "write_file",
                arguments: '{"path":"a.txt","content":"one\\n"}',
              },
            }],
          },
        },
        { response: { content: "Written, with ``` in it." } },
      ],
    },
    { name: "other", trigger: "", steps: [{ response: { content: "An answer." } }] },
  ],
}, "live.json");

/** A session with some turns. */
async function talk(app: ChatApp, ...messages: string[]): Promise<void> {
  for (const message of messages) {
    const response = await ask(app, "POST", "/chat", { message, session: "s" }, { cookie: COOKIE });
    await eventsOf(response);
  }
}

Deno.test("POST /chat with after cuts the conversation there, and files stay", async () => {
  const vfs = memoryVfs({ root: "/work" });
  const store = memorySessionStore();
  const app = coderChat({ scenarios: ANSWERS, vfs, store });
  await talk(app, "one", "write it", "three");
  const send = (after: number, message = "two, again") =>
    ask(app, "POST", "/chat", { message, session: "s", after }, { cookie: COOKIE });
  const refused = await send(4);
  assert.equal(refused.status, 409);
  assert.match((await refused.json()).error.message, /has 3 turns, not 4/);
  const spent = (await (await ask(app, "GET", "/sessions/s")).json()).usage;
  await eventsOf(await send(1));
  const texts = async (it: ChatApp) => {
    const view = await (await ask(it, "GET", "/sessions/s")).json();
    return view.items.map(({ type, content }: { type: string; content: string }) =>
      `${type} ${content}`
    );
  };
  const expected = ["user one", "text An answer.", "user two, again", "text An answer."];
  assert.deepEqual(await texts(app), expected);
  const view = await (await ask(app, "GET", "/sessions/s")).json();
  assert.equal(view.turns, 2);
  assert.ok(view.usage.prompt_tokens > spent.prompt_tokens, "What was spent is spent");
  assert.equal((await vfs.stat("a.txt")).size, 4);
  const list = await (await ask(app, "GET", "/sessions", undefined, { cookie: COOKIE })).json();
  assert.equal(list.sessions[0].turns, 2);
  // The model is told nothing of what was cut, and all of it holds after a restart.
  await app.stop();
  const turns = new PlayedTurns();
  const again = coderChat({ store, startTurn: turns.start });
  assert.deepEqual(await texts(again), expected);
  const response = await ask(again, "POST", "/chat", { message: "x", session: "s", after: 0 });
  const turn = await eventually(() => turns.turns[0]);
  assert.deepEqual(turn.given.messages.map(({ role }) => role), ["system"]);
  turn.end();
  await eventsOf(response);
});

Deno.test("PATCH /sessions/:id gives a title that a made one does not replace", async () => {
  const made = Promise.withResolvers<string>();
  const app = coderChat({ scenarios: ANSWERS, makeTitle: () => made.promise });
  await talk(app, "one");
  const rename = (title: unknown, id = "s") => ask(app, "PATCH", `/sessions/${id}`, { title });
  assert.deepEqual(await (await rename("Mine")).json(), { title: "Mine" });
  made.resolve("Made");
  await app.stop();
  const { title } = await (await ask(app, "GET", "/sessions/s")).json();
  assert.equal(title, "Mine");
  for (const bad of ["", " \n ", "x".repeat(201), 1]) assert.equal((await rename(bad)).status, 400);
  assert.equal((await rename("x", "none")).status, 404);
});

Deno.test("GET /sessions?q= finds words in titles and messages, not in what was cut", async () => {
  const app = coderChat({ scenarios: ANSWERS });
  await talk(app, 'About "sharks" and\nwhales', "of a squid");
  const find = async (words: string) => {
    const path = `/sessions?q=${encodeURIComponent(words)}`;
    const { sessions } = await (await ask(app, "GET", path, undefined, { cookie: COOKIE })).json();
    return sessions.map(({ id, excerpt }: { id: string; excerpt?: string }) => excerpt ?? id);
  };
  assert.deepEqual(await find("SHARKS about"), ["s"]);
  assert.deepEqual(await find("whales"), ['\u2026About "sharks" and whales'.slice(1)]);
  assert.deepEqual(await find("squid"), ["of a squid"]);
  assert.deepEqual(await find("answer"), ["An answer."]);
  assert.deepEqual(await find('"sharks" squid'), []);
  assert.deepEqual(await find("page_result"), []);
  await eventsOf(
    await ask(app, "POST", "/chat", { message: "No more", session: "s", after: 1 }),
  );
  assert.deepEqual(await find("squid"), []);
  assert.deepEqual(await find("more"), ["No more"]);
});

Deno.test("GET /sessions/:id/export gives the conversation as Markdown", async () => {
  const app = coderChat({ scenarios: ANSWERS });
  await talk(app, "write it", "and\n\n# more");
  await ask(app, "PATCH", "/sessions/s", { title: "\u00dcber a/b: c" });
  const response = await ask(app, "GET", "/sessions/s/export");
  assert.equal(response.headers.get("content-type"), "text/markdown; charset=utf-8");
  assert.equal(
    response.headers.get("content-disposition"),
    "attachment; filename*=UTF-8''%C3%9Cber%20a%20b%20c.md",
  );
  assert.equal(
    await response.text(),
    `# \u00dcber a/b: c

## You

write it

## Agent

**write_file**

\`\`\`json
{
  "path": "a.txt",
  "content": "one\\n"
}
\`\`\`

\`\`\`diff
--- a.txt
+++ a.txt
@@ -0,0 +1 @@
+one
\`\`\`

Written, with \`\`\` in it.

## You

and

# more

## Agent

An answer.
`,
  );
  assert.equal((await ask(app, "GET", "/sessions/none/export")).status, 404);
});

Deno.test("GET /about tells folder, model and sandbox", async () => {
  const sandbox = { kind: "none" as const, reason: "a test" };
  const app = coderChat({ about: { root: "/work", model: "m", sandbox } });
  const about = await (await ask(app, "GET", "/about")).json();
  assert.deepEqual(about, { root: "/work", model: "m", sandbox });
});
