/** Tests `llmcmd proxy` as clients of OpenAI's API, with small scripts in place of CLI agents. */
import assert from "node:assert/strict";
import { optional } from "./_optional.ts";
import { processes } from "./_processes.ts";
import { PROGRAM } from "./_program.ts";
import { Proxy, SCRIPTS, SLEEP } from "./_proxy.ts";

async function sleeping(): Promise<number> {
  const all = await processes();
  return all.filter(({ command }) => command.startsWith(`sleep\0${SLEEP}\0`)).length;
}

Deno.test("llmcmd proxy answers as the specification says, whole and streamed", async () => {
  await using proxy = await Proxy.start();
  const { response, body } = await proxy.ask("obey");
  assert.equal(response.status, 200);
  const run = response.headers.get("x-run-id") ?? "";
  assert.deepEqual([body.id, body.object, body.model], [`cmpl-${run}`, "chat.completion", "obey"]);
  assert.equal(body.choices[0].message.content, "Say PINEAPPLE.");
  const messages = [{ role: "user" as const, content: "Hi" }];
  const whole = await proxy.client.chat.completions.create({ model: "blocks", messages });
  assert.equal(whole.choices[0]?.message.content, "The answer.\nOn two lines.");
  assert.equal(whole.usage?.total_tokens, 0);
  const stream = await proxy.client.chat.completions.create({
    model: "blocks",
    messages,
    stream: true,
    stream_options: { include_usage: true },
  });
  let text = "";
  const ends: unknown[] = [];
  for await (const { choices: [choice], usage } of stream) {
    text += choice?.delta.content ?? "";
    if (choice === undefined) ends.push(usage?.total_tokens);
    else if (choice.finish_reason !== null) ends.push(choice.finish_reason);
  }
  assert.equal(text, "The answer.\nOn two lines.");
  assert.deepEqual(ends, ["stop", 0]);
  const ids = (await proxy.client.models.list()).data.map(({ id }) => id);
  assert.deepEqual(ids, Object.keys(SCRIPTS));
  assert.equal((await proxy.client.models.retrieve("obey")).owned_by, "generic");
  await assert.rejects(async () => await proxy.client.models.retrieve("nobody"), { status: 404 });
  const kept = await (await proxy.get(`/runs/${run}`)).json();
  assert.deepEqual([kept.state, kept.exitCode], ["done", 0]);
  const said = await proxy.end("SIGINT");
  assert.match(said, /obey done after \d+\.\d s \(run [0-9a-f-]+\)/);
  // In a pipe the key is not shown, only its file.
  assert.ok(!said.includes(proxy.key));
});

Deno.test("llmcmd proxy tells failures by statuses that clients understand", async () => {
  await using proxy = await Proxy.start({
    late: { driver: "generic", command: "./sleeps", repoPath: "repo", timeout: 1 },
    missing: { driver: "codex", command: "no-such-codex", repoPath: "repo" },
  });
  const kinds = async (model: string, more = {}) => {
    const { response, body: { error } } = await proxy.ask(model, more);
    return [response.status, error.message, error.detail, error.code];
  };
  assert.deepEqual(await kinds("nobody"), [
    400,
    "Unknown model",
    'No model "nobody": GET /v1/models lists the names',
    "model_not_found",
  ]);
  assert.deepEqual((await kinds("fails", { messages: undefined })).slice(0, 2), [
    400,
    "Expected messages to be a list with at least one message",
  ]);
  assert.deepEqual(await kinds("fails"), [500, "CLI failed", "cannot log in", "cli_failed"]);
  assert.deepEqual(await kinds("late"), [
    504,
    `${proxy.folder}/sleeps took longer than timeout (1 s)`,
    undefined,
    "timeout",
  ]);
  await assert.rejects(
    async () => {
      const messages = [{ role: "user" as const, content: "Hi" }];
      const stream = await proxy.client.chat.completions.create({
        model: "fails",
        messages,
        stream: true,
      });
      for await (const _ of stream) { /* The failure comes after the first chunk. */ }
    },
    /CLI failed/,
  );
  const [status, message] = await kinds("missing");
  assert.equal(status, 500);
  assert.match(String(message), /^Cannot find the command no-such-codex: install it with/);
  assert.deepEqual((await kinds("obey", { messages: [] }))[0], 400);
  const image = [{ role: "user", content: [{ type: "image_url", image_url: { url: "x" } }] }];
  assert.deepEqual((await kinds("obey", { messages: image }))[0], 400);
  const wrong = await proxy.ask("obey", {}, "wrong");
  assert.equal(wrong.response.status, 401);
  const host = await fetch(`${proxy.url}/models`, {
    headers: { authorization: `Bearer ${proxy.key}`, origin: "https://evil.example" },
  });
  assert.equal(host.status, 403);
  await host.body?.cancel();
  assert.equal(await sleeping(), 0);
});

Deno.test("llmcmd proxy says what is wrong with its file of models", async () => {
  const file = await Deno.makeTempFile({ suffix: ".json" });
  try {
    await Deno.writeTextFile(file, '{"x": {"driver": "codex"}}');
    const { code, stderr } = await new Deno.Command(Deno.execPath(), {
      args: ["run", "--quiet", "--no-prompt", "-A", PROGRAM, "proxy", "--models", file, "--port=0"],
    }).output();
    assert.deepEqual([code, new TextDecoder().decode(stderr)], [
      2,
      `llmcmd proxy: ${file}: x: repoPath: Expected string, received undefined\n`,
    ]);
  } finally {
    await Deno.remove(file);
  }
});

Deno.test("llmcmd proxy kills what a CLI started when its client goes, or the run is cancelled", async () => {
  await using proxy = await Proxy.start();
  const leave = new AbortController();
  const gone = proxy.client.chat.completions.create({
    model: "sleeps",
    messages: [{ role: "user", content: "Hi" }],
    stream: true,
  }, { signal: leave.signal }).then(async (stream) => {
    for await (const _ of stream) { /* It says nothing. */ }
  });
  // The first chunk comes before the script has started them.
  const watch = (async () => {
    while (await sleeping() < 2) await new Promise((resolve) => setTimeout(resolve, 25));
    leave.abort();
  })();
  await Promise.allSettled([gone, watch]);
  while (await sleeping() > 0) await new Promise((resolve) => setTimeout(resolve, 25));
  const asked = proxy.ask("sleeps");
  let running: { id: string; state: string }[] = [];
  while (running.length === 0 || await sleeping() < 2) {
    const { data } = await (await proxy.get("/runs")).json();
    running = data.filter(({ state }: { state: string }) => state === "running");
  }
  const cancelled = await fetch(`${proxy.url}/runs/${running[0]?.id}/cancel`, {
    method: "POST",
    headers: { authorization: `Bearer ${proxy.key}` },
  });
  assert.equal((await cancelled.json()).state, "cancelled");
  assert.equal((await asked).response.status, 499);
  assert.equal(await sleeping(), 0);
});

Deno.test({
  ...optional("llmcmd proxy: a worktree a request, also after a kill -9", "git"),
  async fn() {
    await using proxy = await Proxy.start({
      edits: { driver: "generic", command: "./edits", repoPath: "repo", worktree: true },
      sleeps: {
        ...{ driver: "generic", command: "./sleeps", repoPath: "repo", worktree: true },
        maxConcurrent: 5,
      },
    });
    await proxy.initRepo();
    const { response, body } = await proxy.ask("edits");
    assert.equal(body.choices[0].message.content, "Edited.");
    assert.equal(await Deno.readTextFile(`${proxy.folder}/repo/file.txt`), "first\n");
    const run = response.headers.get("x-run-id");
    const patch = await (await proxy.get(`/runs/${run}/patch`)).text();
    assert.match(patch, /^\+changed$/m);
    assert.match(patch, /^\+new$/m);
    let ended = false;
    const open = Array.from({ length: 5 }, () =>
      proxy.ask("sleeps").then(({ body }) => {
        ended = true;
        assert.fail(JSON.stringify(body));
      }));
    while (await sleeping() < 10 && !ended) await new Promise((resolve) => setTimeout(resolve, 25));
    assert.equal(ended, false, JSON.stringify(await Promise.race([...open, "none has ended"])));
    assert.equal((await proxy.git("worktree", "list")).split("\n").length, 7);
    await Promise.all([proxy.end("SIGKILL"), Promise.allSettled(open)]);
    await proxy.open();
    assert.equal((await proxy.git("worktree", "list")).split("\n").length, 2);
    assert.equal(await proxy.git("status", "--short"), "");
    while (await sleeping() > 0) await new Promise((resolve) => setTimeout(resolve, 25));
  },
});
