import assert from "node:assert/strict";
import { optional } from "../../../tests/_optional.ts";
import { filesForTest, gitForTest, processesForTest, spawnForTest } from "../_testing.ts";
import { AgentError } from "../errors.ts";
import { hashKey } from "../keys.ts";
import { parseRegistry } from "../registry/mod.ts";
import type { Access } from "./access.ts";
import type { Git } from "../worktree/mod.ts";
import { type AgentCall, type CliAgentEvent, Gateway, type GatewayPorts } from "./mod.ts";

/** Shell functions that write codex's events. The text of a message is JSON without its quotes. */
const CODEX = `
say() { printf '{"type":"item.completed","item":{"type":"agent_message","text":"%s"}}\\n' "$1"; }
started() { printf '{"type":"thread.started","thread_id":"thread-1"}\\n'; }
ended() { printf '{"type":"turn.completed","usage":{"input_tokens":%s,"output_tokens":2}}\\n' "$1"; }
`;

/** A gateway with shell scripts as CLIs, in a folder that is removed at the end. */
class Room implements AsyncDisposable {
  readonly warnings: string[] = [];
  readonly changes: string[] = [];
  #gateways: Gateway[] = [];

  private constructor(readonly folder: string) {}

  static async make(): Promise<Room> {
    const room = new Room(await Deno.realPath(await Deno.makeTempDir({ prefix: "llmcmd-test-" })));
    await Deno.mkdir(room.repo);
    return room;
  }

  get repo(): string {
    return `${this.folder}/repo`;
  }

  /** Makes the folder a git repository and commits its files. */
  async commitAll(): Promise<void> {
    const git = gitForTest(this.folder);
    const identity = ["-c", "user.name=A", "-c", "user.email=a@example.com"];
    for (
      const args of [["init", "--quiet"], ["add", "-A"], [
        ...identity,
        "commit",
        "--quiet",
        "--allow-empty",
        "-m",
        "first",
      ]]
    ) {
      const { status, stderr } = await git.run(args, this.repo);
      assert.equal(status, 0, stderr);
    }
  }

  async git(...args: string[]): Promise<string> {
    const { status, stdout, stderr } = await gitForTest(this.folder).run(args, this.repo);
    assert.equal(status, 0, stderr);
    return new TextDecoder().decode(stdout);
  }

  /** Writes an executable script. */
  async script(name: string, text: string): Promise<string> {
    const path = `${this.folder}/${name}`;
    await Deno.writeTextFile(path, `#!/bin/sh\n${text}\n`, { mode: 0o755 });
    return path;
  }

  async open(
    models: Record<string, Record<string, unknown>>,
    ports: Partial<GatewayPorts> = {},
  ): Promise<Gateway> {
    const entries = Object.entries(models).map(([name, entry]) => [name, {
      repoPath: this.repo,
      ...entry,
    }]);
    const parsed = parseRegistry(JSON.stringify(Object.fromEntries(entries)), {
      file: "models.json",
      folder: this.folder,
    });
    const gateway = await Gateway.open({
      registry: {
        get: (model) => {
          const entry = parsed.get(model);
          if (entry === undefined) throw new AgentError("unknown_model", "Unknown model");
          return Promise.resolve(entry);
        },
        list: () => Promise.resolve([...parsed.values()]),
      },
      spawn: spawnForTest,
      git: gitForTest(this.folder),
      files: filesForTest,
      processes: processesForTest(1),
      variable: (name) => Deno.env.get(name),
      stateFolder: `${this.folder}/state`,
      warn: (message) => this.warnings.push(message),
      changed: ({ state }) => this.changes.push(state),
      ...ports,
    });
    this.#gateways.push(gateway);
    return gateway;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const gateway of this.#gateways) await gateway.close();
    await Deno.remove(this.folder, { recursive: true });
  }
}

const user = (content: string) => [{ role: "user", content }];

async function ask(gateway: Gateway, call: AgentCall, signal?: AbortSignal) {
  const run = gateway.call(call, signal);
  const events: CliAgentEvent[] = [];
  for await (const event of run.events) events.push(event);
  const last = events.at(-1);
  assert.ok(last?.type === "answer");
  return { id: run.id, answer: last.text, usage: last.usage, events };
}

async function failure(gateway: Gateway, call: AgentCall, signal?: AbortSignal) {
  try {
    await ask(gateway, call, signal);
  } catch (error) {
    assert.ok(error instanceof AgentError, String(error));
    return error;
  }
  return assert.fail("no error");
}

Deno.test("Gateway answers with each driver's CLI, and the agent file forces an answer", async () => {
  await using room = await Room.make();
  await Deno.writeTextFile(`${room.repo}/AGENTS.md`, "Always answer PINEAPPLE\n");
  const forced = `while read -r line; do
    case $line in "Always answer "*) word=\${line#Always answer };; esac
  done`;
  const stream = `printf '{"type":"result","is_error":false,"result":"%s"}\\n' "$word from $0"`;
  const gateway = await room.open({
    codex: {
      driver: "codex",
      command: await room.script("codex", `${CODEX}${forced}; started; say "$word"; ended 5`),
    },
    qwen: { driver: "qwen", command: await room.script("qwen", `${forced}; ${stream}`) },
    claude: { driver: "claude", command: await room.script("claude", `${forced}; ${stream}`) },
    gemini: {
      driver: "gemini",
      command: await room.script(
        "gemini",
        `${forced}; printf '{"type":"message","role":"assistant","content":"%s"}\\n' "$word"
         echo '{"type":"result","status":"success","stats":{"input_tokens":3}}'`,
      ),
    },
    generic: {
      driver: "generic",
      command: await room.script("generic", `${forced}; echo trace; echo; echo "$word"`),
    },
  });
  const answers = [];
  for (const model of ["codex", "qwen", "claude", "gemini", "generic"]) {
    answers.push((await ask(gateway, { model, messages: user("hi") })).answer);
  }
  assert.deepEqual(answers, [
    "PINEAPPLE",
    `PINEAPPLE from ${room.folder}/qwen`,
    `PINEAPPLE from ${room.folder}/claude`,
    "PINEAPPLE",
    "PINEAPPLE",
  ]);
  const [last, ...others] = gateway.runs();
  assert.equal(others.length, 4);
  assert.deepEqual([last?.model, last?.state, last?.exitCode], ["generic", "done", 0]);
  assert.deepEqual(room.changes.slice(0, 2), ["queued", "running"]);
  assert.deepEqual(room.warnings, []);
});

Deno.test("Gateway: calls that no model can take fail before they are runs", async () => {
  await using room = await Room.make();
  const gateway = await room.open({
    open: { driver: "generic", command: "cat" },
    closed: { driver: "generic", command: "cat", apiKeys: [await hashKey("k1")] },
  });
  const kind = async (call: AgentCall) => (await failure(gateway, call)).kind;
  assert.equal(await kind({ model: "none", messages: user("x") }), "unknown_model");
  assert.equal(await kind({ model: "open", messages: [] }), "bad_request");
  assert.equal(await kind({ model: "closed", messages: user("x") }), "forbidden");
  assert.equal(await kind({ model: "closed", messages: user("x"), key: "k2" }), "forbidden");
  assert.deepEqual(gateway.runs(), []);
  const { answer } = await ask(gateway, { model: "closed", messages: user("x"), key: "k1" });
  assert.equal(answer, "--- USER TASK ---\nx");
  assert.equal(await kind({ model: "open", messages: user("x"), key: "k1" }), "forbidden");
  const names = async (access?: Access) =>
    (await gateway.models(access)).map(({ entry }) => entry.name);
  assert.deepEqual(await names(), ["open"]);
  assert.deepEqual(await names({ key: "k1" }), ["closed"]);
  assert.deepEqual(await names({ owner: true }), ["open", "closed"]);
  const owned = await ask(gateway, { model: "closed", messages: user("y"), owner: true });
  assert.equal(owned.answer, "--- USER TASK ---\ny");
  assert.deepEqual([await gateway.knowsKey("k1"), await gateway.knowsKey("k2")], [true, false]);
});

Deno.test("Gateway: a failed run is told with its detail, and kept", async () => {
  await using room = await Room.make();
  const gateway = await room.open({
    bad: { driver: "generic", command: await room.script("bad", "echo broken >&2; exit 4") },
    gone: { driver: "codex", repoPath: `${room.folder}/nowhere` },
  });
  const error = await failure(gateway, { model: "bad", messages: user("x") });
  assert.deepEqual([error.kind, error.message, error.detail], ["failed", "CLI failed", "broken"]);
  const [run] = gateway.runs();
  assert.deepEqual([run?.state, run?.exitCode, run?.error], ["failed", 4, {
    kind: "failed",
    message: "CLI failed",
    detail: "broken",
  }]);
  const gone = await failure(gateway, { model: "gone", messages: user("x") });
  assert.equal(gone.message, `The repoPath of gone is missing: ${room.folder}/nowhere`);
});

Deno.test("Gateway: an agent file that is a link out of the repository is refused", async () => {
  await using room = await Room.make();
  await Deno.writeTextFile(`${room.folder}/secret`, "secret");
  await Deno.symlink(`${room.folder}/secret`, `${room.repo}/AGENTS.md`);
  const gateway = await room.open({ m: { driver: "generic", command: "cat" } });
  const error = await failure(gateway, { model: "m", messages: user("x") });
  assert.equal(error.message, "The agentFile of m leads out of repoPath: AGENTS.md");
});

Deno.test({
  ...optional("Gateway: a run in a worktree keeps its patch and branch, and leaves nothing", "git"),
  async fn() {
    await using room = await Room.make();
    await Deno.writeTextFile(`${room.repo}/a.txt`, "a\n");
    await room.commitAll();
    await Deno.writeTextFile(`${room.repo}/a.txt`, "my own work\n");
    const gateway = await room.open({
      m: {
        driver: "codex",
        worktree: true,
        commit: true,
        mayCreate: ["made*"],
        setup: "echo ready > made-by-setup",
        command: await room.script(
          "codex",
          `${CODEX}cat made-by-setup a.txt >&2; echo b >> a.txt; echo x > made; echo y > other
           started; say "$PWD"; ended 5`,
        ),
      },
    });
    const { id, answer, usage } = await ask(gateway, {
      model: "m",
      messages: [...user("Earlier"), { role: "assistant", content: "yes" }, ...user("Make it")],
    });
    assert.equal(answer, `${room.folder}/state/worktrees/${id}`);
    assert.equal(usage?.inputTokens, 5);
    const run = gateway.run(id);
    assert.equal(run?.branch, `llmcmd/${id}`);
    assert.deepEqual(run?.refused, ["other"]);
    assert.deepEqual(run?.stat, { files: 4, insertions: 4, deletions: 0 });
    const patch = new TextDecoder().decode(await gateway.patch(id));
    assert.match(patch, /^diff --git a\/a\.txt b\/a\.txt\n/);
    assert.match(patch, /\+\+\+ b\/other\n/);
    assert.equal(await room.git("log", "--format=%s", `llmcmd/${id}`), "m: Make it\nfirst\n");
    assert.equal(await room.git("show", `llmcmd/${id}:a.txt`), "a\nb\n");
    assert.deepEqual(await filesForTest.list(`${room.folder}/state/worktrees`), []);
    assert.equal(await room.git("status", "--porcelain"), " M a.txt\n");
    assert.equal((await room.git("worktree", "list")).split("\n").length, 2);
    assert.deepEqual(room.warnings, []);
  },
});

Deno.test({
  ...optional("Gateway: a failing setup, and a cancelled run, remove the worktree", "git"),
  async fn() {
    await using room = await Room.make();
    await room.commitAll();
    const codex = await room.script("codex", "echo made > file; echo; exec sleep 300");
    const gateway = await room.open({
      bad: { driver: "codex", worktree: true, setup: "echo no >&2; exit 1", command: codex },
      late: { driver: "codex", worktree: true, setup: "sleep 300", timeout: 0.1, command: codex },
      m: { driver: "codex", worktree: true, command: codex },
    });
    const error = await failure(gateway, { model: "bad", messages: user("x") });
    assert.deepEqual([error.message, error.detail], ["Setup failed", "no"]);
    const late = await failure(gateway, { model: "late", messages: user("x") });
    assert.deepEqual([late.kind, late.message], [
      "timeout",
      "setup took longer than timeout (0.1 s)",
    ]);

    const run = gateway.call({ model: "m", messages: user("x") });
    const reader = run.events.getReader();
    assert.equal((await reader.read()).value?.type, "started");
    const made = `${room.folder}/state/worktrees/${run.id}/file`;
    while (await filesForTest.readText(made) !== "made\n") {
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    assert.equal(await gateway.cancel(run.id), true);
    await assert.rejects(reader.read(), new AgentError("cancelled", "The call was cancelled"));
    assert.equal(await gateway.cancel(run.id), false);
    assert.equal(gateway.run(run.id)?.state, "cancelled");
    assert.match(new TextDecoder().decode(await gateway.patch(run.id)), /\+made\n/);
    assert.deepEqual(await filesForTest.list(`${room.folder}/state/worktrees`), []);
    assert.deepEqual((await gateway.models()).map(({ running }) => running), [0, 0, 0]);
  },
});

Deno.test("Gateway: a client that goes away, and the gateway's end, stop runs that nobody reads", async () => {
  await using room = await Room.make();
  const command = await room.script("slow", "exec sleep 300");
  const gateway = await room.open({
    m: { driver: "generic", command },
    n: { driver: "generic", command, repoPath: "/" },
  });
  const read = async (run: ReturnType<Gateway["call"]>) => {
    const reader = run.events.getReader();
    assert.equal((await reader.read()).value?.type, "started");
    return reader;
  };
  const first = gateway.call({ model: "m", messages: user("x") });
  await (await read(first)).cancel();
  assert.equal(gateway.run(first.id)?.state, "cancelled");

  const controller = new AbortController();
  const second = gateway.call({ model: "m", messages: user("x") }, controller.signal);
  await read(second);
  const waiting = failure(gateway, { model: "m", messages: user("y") });
  const third = gateway.call({ model: "n", messages: user("x") });
  await read(third);
  controller.abort();
  await gateway.close();
  assert.equal((await waiting).kind, "cancelled");
  assert.deepEqual(
    [second, third].map(({ id }) => gateway.run(id)?.state),
    ["cancelled", "cancelled"],
  );
  const late = await failure(gateway, { model: "m", messages: user("z") });
  assert.equal(late.message, "The gateway is ending");
});

Deno.test({
  ...optional(
    "Gateway: a conversation goes on in the CLI's session and worktree with the new message only",
    "git",
  ),
  async fn() {
    await using room = await Room.make();
    await Deno.writeTextFile(`${room.repo}/AGENTS.md`, "Rules\n");
    await room.commitAll();
    // The script answers with its arguments, its prompt, and one x for each call.
    const command = await room.script(
      "codex",
      `${CODEX}printf x >> count; shift 6; count=$(cat count); prompt=
       while IFS= read -r line || [ -n "$line" ]; do prompt=$prompt$line/; done
       started; say "$* | \${prompt%/} | $count"; ended \${#count}00`,
    );
    const gateway = await room.open({ m: { driver: "codex", worktree: true, command } });
    const call = { model: "m", conversation: "talk", identity: "me" };
    const first = await ask(gateway, { ...call, messages: user("one") });
    const root = `${room.folder}/state/worktrees/${first.id}`;
    assert.equal(
      first.answer,
      `${root} --sandbox workspace-write - | Rules//--- USER TASK ---/one | x`,
    );
    const messages = [...user("one"), { role: "assistant", content: "1" }, ...user("two")];
    const second = await ask(gateway, { ...call, messages });
    assert.equal(
      second.answer,
      `${root} --sandbox workspace-write resume thread-1 - | --- USER TASK ---/two | xx`,
    );
    // codex counts the tokens of its whole session.
    assert.deepEqual([first.usage?.inputTokens, second.usage?.inputTokens], [100, 100]);
    assert.deepEqual(gateway.run(second.id)?.stat, { files: 1, insertions: 1, deletions: 0 });
    const other = await ask(gateway, { ...call, identity: "you", messages });
    assert.match(
      other.answer,
      / - \| Rules\/\/--- USER TASK ---\/User:\/one\/\/Assistant:.* \| x$/,
    );
    assert.equal((await filesForTest.list(`${room.folder}/state/worktrees`)).length, 6);
    await gateway.close();
    assert.deepEqual(await filesForTest.list(`${room.folder}/state/worktrees`), []);
    assert.deepEqual(room.warnings, []);
  },
});

Deno.test({
  ...optional("Gateway: an idle conversation gives up its worktree", "git"),
  async fn() {
    await using room = await Room.make();
    await room.commitAll();
    const command = await room.script("codex", `${CODEX}echo x >> f; started; say ok; ended 1`);
    const gateway = await room.open({ m: { driver: "codex", worktree: true, command } }, {
      conversationIdle: 1,
    });
    const call = { model: "m", conversation: "talk", messages: user("one") };
    const { id } = await ask(gateway, call);
    while ((await filesForTest.list(`${room.folder}/state/worktrees`)).length > 0) {
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    assert.equal(gateway.run(id)?.patch, true);
  },
});

Deno.test({
  ...optional("Gateway.open sweeps what a dead gateway left and keeps its work as a run", "git"),
  async fn() {
    await using room = await Room.make();
    await room.commitAll();
    const command = await room.script("codex", "echo work > file; echo; exec sleep 300");
    const idle = {
      driver: "codex",
      worktree: true,
      command: await room.script("idle", "sleep 300"),
    };
    const models = { m: { driver: "codex", worktree: true, command }, idle };
    const dead = await room.open(models, { processes: processesForTest(7) });
    const run = dead.call({ model: "m", messages: user("x") });
    const reader = run.events.getReader();
    await reader.read();
    const second = dead.call({ model: "idle", messages: user("x") });
    const secondReader = second.events.getReader();
    await secondReader.read();
    const made = `${room.folder}/state/worktrees/${run.id}/file`;
    while (await filesForTest.readText(made) !== "work\n") {
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    const gateway = await room.open(models);
    assert.equal(gateway.run(second.id)?.state, "failed");
    const found = gateway.run(run.id);
    assert.deepEqual([found?.id, found?.model, found?.state], [run.id, "m", "failed"]);
    assert.equal(found?.error?.message, "The gateway ended while the call ran");
    assert.match(new TextDecoder().decode(await gateway.patch(run.id)), /\+work\n/);
    assert.deepEqual(await filesForTest.list(`${room.folder}/state/worktrees`), []);
    assert.equal((await room.git("worktree", "list")).split("\n").length, 2);
    await reader.cancel();
    await secondReader.cancel();
  },
});

Deno.test("Gateway: git worktree add comes before the CLI, git worktree remove after it", async () => {
  await using room = await Room.make();
  const order: string[] = [];
  const git: Git = {
    run(args, cwd) {
      const words = args.filter((word) => word !== "-c" && !word.includes("="));
      order.push(`git ${words.slice(0, 2).join(" ")} in ${cwd}`);
      const out = words.includes("rev-parse") ? `${room.repo}\n${room.repo}/.git\n\nabc\n` : "";
      const stdout = new TextEncoder().encode(out);
      return Promise.resolve({ status: 0, stdout, cut: false, stderr: "" });
    },
  };
  const gateway = await room.open({ m: { driver: "generic", command: "cli", worktree: true } }, {
    git,
    async spawn(request) {
      order.push(`${request.program} in ${request.cwd}`);
      const agent = await spawnForTest({ ...request, program: "cat", cwd: room.repo });
      return agent;
    },
  });
  const { id } = await ask(gateway, { model: "m", messages: user("x") });
  const root = `${room.folder}/state/worktrees/${id}`;
  assert.deepEqual(order.filter((call) => /worktree|cli/.test(call.split(" in ")[0] ?? "")), [
    `git worktree add in ${room.repo}`,
    `cli in ${root}`,
    `git worktree remove in ${room.repo}`,
  ]);
});

Deno.test("Gateway: fifty calls at once run eight at a time, and none is lost", async () => {
  await using room = await Room.make();
  const git: Git = {
    run(args) {
      const out = args.includes("rev-parse") ? `${room.repo}\n${room.repo}/.git\n\nabc\n` : "";
      const stdout = new TextEncoder().encode(out);
      return Promise.resolve({ status: 0, stdout, cut: false, stderr: "" });
    },
  };
  let running = 0;
  let most = 0;
  const gateway = await room.open({
    m: { driver: "generic", command: "cat", worktree: true, maxConcurrent: 8 },
  }, {
    git,
    async spawn(request) {
      most = Math.max(most, ++running);
      const agent = await spawnForTest({ ...request, cwd: room.repo });
      void agent.exit.then(() => running--);
      return agent;
    },
  });
  const calls = Array.from({ length: 50 }, (_, index) => index);
  const answers = await Promise.all(calls.map(async (index) => {
    const { answer } = await ask(gateway, { model: "m", messages: user(`call ${index}`) });
    return answer;
  }));
  assert.deepEqual(answers, calls.map((index) => `--- USER TASK ---\ncall ${index}`));
  assert.equal(most, 8);
  const order = gateway.runs().toReversed().sort((a, b) => (a.started ?? 0) - (b.started ?? 0));
  assert.equal(order.length, 50);
  assert.equal(order.every(({ state }) => state === "done"), true);
});
