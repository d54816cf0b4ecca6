import assert from "node:assert/strict";
import { parseScenarios } from "../src/mock/mod.ts";
import { KINDS } from "../src/terminal/_escapes_test.ts";
import { alive, cleanUp, newToken, noSandbox } from "../src/terminal/_testing.ts";
import { optional } from "./_optional.ts";
import { processes } from "./_processes.ts";
import { type Served, serving as servingWith, type ServingOptions } from "./_serving.ts";
import { PROGRAM } from "./_program.ts";

const SERVER = new URL("../server.ts", import.meta.url).pathname;
const CONFIG = new URL("../deno.json", import.meta.url).pathname;
const call = (command: string) => ({
  response: { tool_calls: [{ function: { name: "bash", arguments: { command } } }] },
});
/** The seconds that descendants sleep begin with this number, which identifies them. */
const TOKEN = newToken();
const kinds = Object.values(KINDS);
const tokenOf = (kind: number) => `${TOKEN}${String(kind).padStart(2, "0")}`;
const SCENARIOS = parseScenarios({
  scenarios: [
    {
      name: "background",
      trigger: "leave all kinds",
      steps: [
        call(
          kinds.map((start, kind) => `T=${tokenOf(kind)}\n${start}`).join("\n") + "\necho started",
        ),
        { response: { content: "They run." } },
      ],
    },
    ...kinds.map((start, kind) => ({
      name: `kind-${kind}`,
      trigger: `hang with kind ${kind}.`,
      steps: [call(`T=${tokenOf(kind)}\n${start}\nsleep 98765`)],
    })),
    { name: "hang", trigger: "hang", steps: [call("sleep 98765; echo never")] },
    { name: "other", trigger: "again", steps: [{ response: { content: "Still here." } }] },
  ],
}, "serve.json");

/** Runs a server, and removes all processes of these tests afterwards. */
async function serving(
  args: string[],
  use: Parameters<typeof servingWith>[1],
  more: Partial<ServingOptions> = {},
): Promise<void> {
  try {
    await servingWith({ args, scenarios: SCENARIOS, ...more }, use);
  } finally {
    cleanUp(TOKEN);
  }
}

/** Processes in a folder, or in one that a sandbox mounts there. */
async function survivors(folder: string): Promise<string[]> {
  return (await processes()).filter(({ command, cwd }) =>
    command.includes("sleep\u000098765") && cwd === folder
  ).map(({ command }) => command);
}

async function untilCount(folder: string, count: number): Promise<void> {
  for (let attempt = 0; attempt < 4_800; attempt++) {
    if ((await survivors(folder)).length === count) return;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  assert.equal((await survivors(folder)).length, count);
}

/** The number of kinds that have a sleeping process. */
function kindsAlive(): number {
  const asleep = (pid: number) => {
    try {
      return Deno.readTextFileSync(`/proc/${pid}/cmdline`).startsWith("sleep\0");
    } catch {
      return false;
    }
  };
  return kinds.filter((_, kind) => alive(tokenOf(kind)).some(asleep)).length;
}

async function untilKinds(count: number): Promise<void> {
  for (let attempt = 0; attempt < 4_800 && kindsAlive() !== count; attempt++) {
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  assert.equal(kindsAlive(), count);
}

/** Waits until no process, helpers included, has the token in its command line. */
async function untilNone(folder: string): Promise<void> {
  await untilCount(folder, 0);
  for (let attempt = 0; attempt < 4_800 && alive(TOKEN).length > 0; attempt++) {
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  assert.deepEqual(alive(TOKEN), [], "survivors");
}

/** Begins a turn for each kind, which starts it and then hangs; resolves to the responses. */
async function hangWithAll(served: Served): Promise<Response[]> {
  const responses = await Promise.all(
    kinds.map((_, kind) =>
      served.post("/chat", { message: `hang with kind ${kind}.`, session: `k${kind}` })
    ),
  );
  for (const { status } of responses) assert.equal(status, 200);
  await untilKinds(kinds.length);
  return responses;
}

// Without a sandbox, `auto` is the same as `none`.
for (const [sandbox, lacks] of [["none", undefined], ["auto", noSandbox]] as const) {
  for (const signal of ["SIGTERM", "SIGINT", "SIGKILL"] as const) {
    const name = `llmcmd serve leaves no process behind: ${signal}, sandbox ${sandbox}`;
    Deno.test({
      ...optional(name, lacks),
      fn: async () => {
        await serving([`--sandbox=${sandbox}`], async ({ start, folder }) => {
          const served = await start();
          const text = await (await served.post("/chat", { message: "leave all kinds" })).text();
          assert.match(text, /started[^]*They[^]*run\.[^]*event: done\n/);
          await untilKinds(kinds.length);
          const hanging = await served.post("/chat", { message: "hang", session: "other" });
          await untilCount(folder, 1);
          const status = await served.end(signal);
          assert.equal(status.signal, signal);
          await hanging.body?.cancel().catch(() => {});
          await untilNone(folder);
        });
      },
    });
  }

  const gone = `llmcmd serve leaves no process of a client that is gone, sandbox ${sandbox}`;
  Deno.test({
    ...optional(gone, lacks),
    fn: async () => {
      await serving([`--sandbox=${sandbox}`, "--linger=0.5"], async ({ start, folder }) => {
        const served = await start();
        const responses = await hangWithAll(served);
        for (const response of responses) await response.body?.cancel();
        await untilNone(folder);
        // The server goes on.
        const text = await (await served.post("/chat", { message: "again", session: "new" }))
          .text();
        assert.match(text, /Still[^]*here[^]*event: done\n/);
        await served.end("SIGTERM");
      });
    },
  });
}

// src/web/chat/server_test.ts shows that the default is 15 s.
Deno.test("llmcmd serve stops a turn some time after its client left, unless it comes back", async () => {
  await serving(["--sandbox=none", "--linger=2"], async ({ start, folder }) => {
    const served = await start();
    const gone = await hangWithAll(served);
    const back = await served.post("/chat", { message: "hang", session: "back" });
    const run = back.headers.get("x-run-id");
    const first = back.body?.pipeThrough(new TextDecoderStream()).getReader();
    assert.match((await first?.read())?.value ?? "", /^event: usage\nid: 1\n/);
    await first?.cancel();
    for (const response of gone) await response.body?.cancel();
    assert.equal(kindsAlive(), kinds.length);
    // It reconnects after its first event.
    const events = (last: string) =>
      served.get(`/runs/${run}/events`, { ...served.headers, "last-event-id": last });
    const reader = (await events("1")).body?.pipeThrough(new TextDecoderStream()).getReader();
    assert.match((await reader?.read())?.value ?? "", /^event: tool\nid: 2\n/);
    for (let attempt = 0; attempt < 4_800 && alive(TOKEN).length > 0; attempt++) {
      await new Promise((resolve) => setTimeout(resolve, 25));
    }
    assert.deepEqual(alive(TOKEN), [], "survivors");
    assert.equal((await survivors(folder)).length, 1, "the one with a reader goes on");
    await (await served.post(`/runs/${run}/stop`, {})).text();
    const rest: string[] = [];
    for (let next = await reader?.read(); next?.done === false; next = await reader?.read()) {
      rest.push(next.value);
    }
    assert.match(rest.join(""), /"code":"stopped"[^]*event: done\n/);
    assert.equal((await (await events("2")).text()).includes("id: 2\n"), false);
    await untilNone(folder);
    await served.end("SIGTERM");
  });
});

Deno.test("llmcmd serve goes on after kill -9 in the middle of a turn", async () => {
  await serving(["--sandbox=none"], async ({ start, folder }) => {
    const first = await start();
    const done = await (await first.post("/chat", { message: "again", session: "s" })).text();
    assert.match(done, /Still[^]*here[^]*event: done\n/);
    const hanging = await first.post("/chat", { message: "hang", session: "s" });
    await untilCount(folder, 1);
    await first.end("SIGKILL");
    await hanging.body?.cancel().catch(() => {});
    const second = await start();
    const view = await (await second.get("/sessions/s")).json();
    assert.deepEqual(view.items.map(({ type }: { type: string }) => type), [
      ...["user", "text", "user", "tool"],
    ]);
    const text = await (await second.post("/chat", { message: "again", session: "s" })).text();
    assert.match(text, /Still[^]*here[^]*event: done\n/);
    assert.equal(text.includes("event: error"), false);
    const { items } = await (await second.get("/sessions/s")).json();
    assert.deepEqual(items.slice(4).map(({ type }: { type: string }) => type), ["user", "text"]);
    await second.end("SIGTERM");
  });
});

/** A file of models with a script in place of a CLI agent. */
async function makeModels(folder: string): Promise<void> {
  await Deno.writeTextFile(`${folder}/answer`, "#!/bin/sh\ncat >/dev/null; echo 42\n");
  await Deno.chmod(`${folder}/answer`, 0o755);
  await Deno.writeTextFile(
    `${folder}/models.json`,
    JSON.stringify({ deep: { driver: "generic", command: "./answer", repoPath: "." } }),
  );
}

/** Sends a request to the model of that file; resolves to the status and the answer. */
async function askModel(served: Served, headers?: Record<string, string>): Promise<unknown[]> {
  const messages = [{ role: "user", content: "Hi" }];
  const response = await served.post("/v1/chat/completions", { model: "deep", messages }, headers);
  const { choices, error } = await response.json();
  return [response.status, choices?.[0].message.content ?? error.code];
}

Deno.test("llmcmd serve --models answers as CLI agents, too, with the same token", async () => {
  await serving(["--models=models.json"], async ({ start, folder }) => {
    await makeModels(folder);
    const served = await start();
    assert.deepEqual(await askModel(served), [200, "42"]);
    assert.deepEqual(await askModel(served, { authorization: "Bearer x" }), [401, "key"]);
    const page = await fetch(`${served.url}/gateway`);
    assert.match(await page.text(), /gateway\/page\/main\.js/);
    for (const path of ["/gateway/page/main.js", "/page/dom.js"]) {
      const file = await fetch(served.url + path);
      assert.deepEqual([file.status, (await file.text()) !== ""], [200, true], path);
    }
    // The chat still works.
    const chat = await served.post("/chat", { message: "again" });
    assert.match(await chat.text(), /event: done/);
    const refused = await fetch(`${served.url}/chat/page/main.js`);
    assert.equal(refused.status, 401);
    await refused.body?.cancel();
    await served.end("SIGTERM");
    assert.match(served.said, /\/v1 answers as deep\n/);
    assert.match(served.said, /deep done after \d+\.\d s \(run [0-9a-f-]+\)/);
  });
});

Deno.test("server.ts serves the chat under deno serve to who has the token", async () => {
  await serving(
    [SERVER],
    async ({ start, folder }) => {
      await makeModels(folder);
      const served = await start();
      const authorized = { authorization: "Bearer open-sesame" };
      assert.deepEqual(await askModel(served, authorized), [200, "42"]);
      const refused = await served.post("/chat", { message: "again" }, {});
      assert.equal(refused.status, 401);
      await refused.body?.cancel();
      const answer = await served.post("/chat", { message: "again" }, authorized);
      assert.match(await answer.text(), /event: done/);
      const mock = await fetch(`${served.url}/mock/v1/models`);
      assert.equal((await mock.json()).object, "list");
    },
    {
      command: ["serve", "--no-prompt", "--allow-all", "--host=127.0.0.1", `--config=${CONFIG}`],
      env: {
        LLMCMD_SERVE_TOKEN: "open-sesame",
        LLMCMD_GATEWAY_MODELS: "models.json",
        NO_COLOR: "1",
      },
    },
  );
});

Deno.test("llmcmd serve says what is wrong with its options", async () => {
  const failure = async (args: string[], env: Record<string, string> = {}) => {
    const { code, stderr } = await new Deno.Command(Deno.execPath(), {
      args: ["run", "--quiet", "--no-prompt", "--allow-all", PROGRAM, "serve", ...args],
      env: { LLM_AUTH_TOKEN: "", OPENAI_API_KEY: "", ...env },
    }).output();
    const lines = new TextDecoder().decode(stderr).split("\n");
    // Without bubblewrap, a warning comes first.
    return [code, lines.find((line) => !line.includes(" warning: "))];
  };
  assert.deepEqual(await failure([], { LLM_AUTH_TOKEN: "x", HOME: "", XDG_STATE_HOME: "" }), [
    2,
    "llmcmd serve: There is no place to keep a token: set HOME or XDG_STATE_HOME, or give one in " +
    "LLMCMD_SERVE_TOKEN",
  ]);
  assert.deepEqual(await failure(["--allow-host="]), [
    2,
    "llmcmd serve: the argument of '--allow-host' is empty",
  ]);
  assert.deepEqual(await failure([]), [
    2,
    "llmcmd serve: The API key is missing: set LLM_AUTH_TOKEN or OPENAI_API_KEY in the " +
    "environment or in ~/.llmcmdrc",
  ]);
  assert.deepEqual(await failure(["--sandbox=chroot"]), [
    2,
    "llmcmd serve: no sandbox 'chroot': give auto, bwrap or none",
  ]);
});
