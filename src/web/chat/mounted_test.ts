/** The chat at a path of somebody else's Hono app. */
import assert from "node:assert/strict";
import { Hono } from "hono";
import { wholePage } from "../page/_testing.ts";
import { ask, coderChat, eventsOf, PlayedTurns } from "./_fixtures_test.ts";
import type { ChatApp, ChatAppOptions } from "./mod.ts";

/** The ways to mount an app in Hono: with and without the path in the requests. */
const WAYS: Record<string, (app: Hono, chat: ChatApp) => void> = {
  "mount()": (app, chat) => void app.mount("/assistant", chat.fetch),
  "all()": (app, chat) => void app.all("/assistant/*", ({ req }) => chat.fetch(req.raw)),
};

/** An app of its own with a chat at `/assistant`. */
function host(way: string, options: Partial<ChatAppOptions> = {}): Hono {
  const app = new Hono();
  app.get("/", ({ text }) => text("the host's own page"));
  WAYS[way]?.(app, coderChat({ base: "/assistant", ...options }));
  return app;
}

for (const way of Object.keys(WAYS)) {
  Deno.test(`a chat in ${way} of Hono serves all that its page names below its path`, async () => {
    const app = host(way);
    const whole = await wholePage((path) => ask(app, "GET", path), "/assistant/");
    const paths = [...whole.files.keys()];
    assert.ok(paths.length > 30, `only ${paths.length}`);
    for (const path of paths) assert.match(path, /^\/assistant\/(chat\/)?page\/\w+\.(js|css)$/);
    const withoutSlash = await wholePage((path) => ask(app, "GET", path), "/assistant");
    assert.deepEqual([...withoutSlash.files.keys()], paths);
    assert.equal(await (await ask(app, "GET", "/")).text(), "the host's own page");
  });

  Deno.test(`a chat in ${way} of Hono answers below its path, and so far go its cookies`, async () => {
    const app = host(way);
    const turn = await ask(app, "POST", "/assistant/chat", { message: "hello world" });
    assert.match(
      turn.headers.get("set-cookie") ?? "",
      /^llmcmd_browser=[\w-]+; Path=\/assistant; /,
    );
    assert.equal((await eventsOf(turn)).at(-1)?.event, "done");
    const { sessions } = await (await ask(app, "GET", "/assistant/sessions")).json();
    assert.equal(sessions.length, 1);
    const shown = await ask(app, "GET", `/assistant/sessions/${sessions[0].id}`);
    assert.equal((await shown.json()).turns, 1);
    assert.equal((await ask(app, "GET", "/sessions")).status, 404);
    assert.equal((await ask(app, "GET", "/assistants/sessions")).status, 404);
  });

  Deno.test(`a chat in ${way} of Hono with a token lets browsers in that bring it`, async () => {
    const app = host(way, { token: "open sesame" });
    assert.equal((await ask(app, "GET", "/assistant/")).status, 401);
    assert.equal((await ask(app, "GET", "/assistant/chat/page/main.js")).status, 401);
    for (const path of ["/assistant", "/assistant/"]) {
      const page = await ask(app, "GET", `${path}?token=open+sesame`);
      assert.equal(page.status, 200);
      const cookies = page.headers.getSetCookie();
      assert.equal(cookies.length, 2);
      for (const cookie of cookies) assert.match(cookie, /; Path=\/assistant; .*; HttpOnly; /);
      const cookie = cookies.map((line) => line.split(";")[0]).join("; ");
      const file = await ask(app, "GET", "/assistant/chat/page/main.js", undefined, { cookie });
      assert.equal(file.status, 200);
      await file.body?.cancel();
      assert.equal((await ask(app, "GET", "/assistant/about", undefined, { cookie })).status, 401);
      const key = /<meta name="key" content="(\w+)">/.exec(await page.text())?.[1];
      const headers = { authorization: `Bearer ${key}` };
      assert.equal((await ask(app, "GET", "/assistant/about", undefined, headers)).status, 200);
    }
  });
}

Deno.test("a chat takes its base with a slash at the end, and refuses one that is no path", async () => {
  const app = coderChat({ base: "/deep/chat/" });
  const page = await ask(app, "GET", "/deep/chat/");
  assert.match(await page.text(), /src="\/deep\/chat\/chat\/page\/main\.js"/);
  const options = { startTurn: new PlayedTurns().start };
  for (const base of ["assistant", '/a"b', "/a b", "//a", "/a?b", "http://x/"]) {
    assert.throws(() => coderChat({ ...options, base }), {
      name: "TypeError",
      message: `Cannot mount at '${base}': give a path such as '/assistant', of letters, digits ` +
        "and . _ ~ -",
    });
  }
});
