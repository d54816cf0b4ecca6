/** `llmcmd proxy` as clients of OpenAI's API meet it, with small scripts in place of CLI agents. */
import assert from "node:assert/strict";
import OpenAI from "openai";
import { optional } from "./_optional.ts";
import { processes } from "./_processes.ts";

const CLI = new URL("../cli.ts", import.meta.url).pathname;
const CONFIG = new URL("../deno.json", import.meta.url).pathname;
/** What the sleeping script sleeps, so that its process can be found. */
const SLEEP = "98761.5";

const SCRIPTS: Readonly<Record<string, string>> = {
  // It answers as its AGENTS.md says, which is what the prompt begins with.
  obey: "head -n 1",
  blocks: 'echo "reading files"; echo; echo "The answer."; echo "On two lines."; cat >/dev/null',
  fails: 'cat >/dev/null; echo "cannot log in" >&2; exit 3',
  sleeps: `cat >/dev/null; sleep ${SLEEP} & sleep ${SLEEP}`,
  edits: "cat >/dev/null; echo changed >>file.txt; echo new >made.txt; echo Edited.",
};

/** A proxy in a folder of its own. */
class Proxy implements AsyncDisposable {
  readonly folder: string;
  url = "";
  key = "";
  #child: Deno.ChildProcess | undefined;
  #said = "";
  #reading: Promise<void> | undefined;

  private constructor(folder: string) {
    this.folder = folder;
  }

  static async start(more: Record<string, unknown> = {}): Promise<Proxy> {
    const proxy = new Proxy(await Deno.realPath(await Deno.makeTempDir({ prefix: "proxy-" })));
    await Deno.mkdir(`${proxy.folder}/repo`);
    await Deno.writeTextFile(`${proxy.folder}/repo/AGENTS.md`, "Say PINEAPPLE.\n");
    const models: Record<string, unknown> = { ...more };
    for (const [name, script] of Object.entries(SCRIPTS)) {
      await Deno.writeTextFile(`${proxy.folder}/${name}`, `#!/bin/sh\n${script}\n`);
      await Deno.chmod(`${proxy.folder}/${name}`, 0o755);
      models[name] ??= { driver: "generic", command: `./${name}`, repoPath: "repo" };
    }
    await Deno.writeTextFile(`${proxy.folder}/models.json`, JSON.stringify(models));
    await proxy.open();
    return proxy;
  }

  async open(): Promise<void> {
    const child = this.#child = new Deno.Command(Deno.execPath(), {
      args: [
        ...["run", "--quiet", "--no-prompt", "--no-check", "--allow-all"],
        ...[`--config=${CONFIG}`, CLI, "proxy", "--port", "0"],
      ],
      cwd: this.folder,
      env: { HOME: this.folder, XDG_STATE_HOME: `${this.folder}/state`, NO_COLOR: "1" },
      stdin: "null",
      stdout: "null",
      stderr: "piped",
    }).spawn();
    this.#said = "";
    let ready = () => {};
    const isReady = new Promise<void>((resolve) => ready = resolve);
    this.#reading = (async () => {
      for await (const text of child.stderr.pipeThrough(new TextDecoderStream())) {
        this.#said += text;
        if (this.#said.includes("export OPENAI_BASE_URL=")) ready();
      }
      ready();
    })();
    await isReady;
    this.url = /export OPENAI_BASE_URL=(\S+)/.exec(this.#said)?.[1] ?? assert.fail(this.#said);
    this.key = (await Deno.readTextFile(`${this.folder}/state/llmcmd/key`)).trim();
  }

  get client(): OpenAI {
    return new OpenAI({ baseURL: this.url, apiKey: this.key });
  }

  async ask(model: string, more: Record<string, unknown> = {}, key = this.key) {
    const response = await fetch(`${this.url}/chat/completions`, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${key}` },
      body: JSON.stringify({ model, messages: [{ role: "user", content: "Hi" }], ...more }),
    });
    return { response, body: JSON.parse(await response.text()) };
  }

  async get(path: string): Promise<Response> {
    return await fetch(`${this.url}${path}`, { headers: { authorization: `Bearer ${this.key}` } });
  }

  /** Ends it; gives what it has said. */
  async end(signal: Deno.Signal): Promise<string> {
    this.#child?.kill(signal);
    await this.#child?.status;
    await this.#reading;
    this.#child = undefined;
    return this.#said;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#child !== undefined) await this.end("SIGTERM");
    await Deno.remove(this.folder, { recursive: true });
  }
}

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
  const kept = await (await proxy.get(`/runs/${run}`)).json();
  assert.deepEqual([kept.state, kept.exitCode], ["done", 0]);
  const said = await proxy.end("SIGINT");
  assert.match(said, /obey done after \d+\.\d s \(run [0-9a-f-]+\)/);
  // On a pipe the key is not shown, only where it is.
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
  assert.deepEqual(await kinds("nobody"), [400, "Unknown model", undefined, "model_not_found"]);
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
  // The first chunk comes before the script has got that far.
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
      sleeps: { driver: "generic", command: "./sleeps", repoPath: "repo", worktree: true },
    });
    const git = async (...args: string[]) => {
      const { stdout } = await new Deno.Command("git", {
        args: ["-C", `${proxy.folder}/repo`, "-c", "user.name=a", "-c", "user.email=a@b", ...args],
      }).output();
      return new TextDecoder().decode(stdout);
    };
    await git("init", "-q");
    await Deno.writeTextFile(`${proxy.folder}/repo/file.txt`, "first\n");
    await git("add", ".");
    await git("commit", "-qm", "first");
    const { response, body } = await proxy.ask("edits");
    assert.equal(body.choices[0].message.content, "Edited.");
    assert.equal(await Deno.readTextFile(`${proxy.folder}/repo/file.txt`), "first\n");
    const run = response.headers.get("x-run-id");
    const patch = await (await proxy.get(`/runs/${run}/patch`)).text();
    assert.match(patch, /^\+changed$/m);
    assert.match(patch, /^\+new$/m);
    const open = [proxy.ask("sleeps"), proxy.ask("sleeps")];
    while (await sleeping() < 4) await new Promise((resolve) => setTimeout(resolve, 25));
    assert.equal((await git("worktree", "list")).split("\n").length, 4);
    await Promise.all([proxy.end("SIGKILL"), Promise.allSettled(open)]);
    await proxy.open();
    assert.equal((await git("worktree", "list")).split("\n").length, 2);
    assert.equal(await git("status", "--short"), "");
    while (await sleeping() > 0) await new Promise((resolve) => setTimeout(resolve, 25));
  },
});
