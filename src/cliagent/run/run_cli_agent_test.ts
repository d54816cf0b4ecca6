import assert from "node:assert/strict";
import { entryOf, scriptEntry, spawnForTest } from "../_testing.ts";
import { drivers } from "../drivers/mod.ts";
import type { ModelEntry } from "../registry/mod.ts";
import { runCliAgent, type RunEvent, type RunPorts, type SpawnAgent } from "./mod.ts";

const ports: RunPorts = { spawn: spawnForTest, variable: (name) => Deno.env.get(name) };

function start(entry: ModelEntry, options: {
  prompt?: string;
  ports?: Partial<RunPorts>;
  signal?: AbortSignal;
} = {}) {
  const driver = drivers[entry.driver];
  const command = driver.command({ entry, cwd: "/tmp", prompt: options.prompt ?? "hello" });
  return runCliAgent(
    { id: "run-1", entry, driver, command },
    { ...ports, ...options.ports },
    options.signal,
  );
}

/** Runs to the end, and returns the events' types, their text, and the outcome. */
async function run(entry: ModelEntry, options: Parameters<typeof start>[1] = {}) {
  const types: string[] = [];
  let text = "";
  let last: RunEvent | undefined;
  for await (const event of start(entry, options)) {
    types.push(event.type);
    if (event.type === "text") text += event.text;
    last = event;
  }
  assert.ok(last?.type === "ended");
  return { types, text, outcome: last.outcome };
}

Deno.test("runCliAgent gives the prompt on standard input, in the folder, and answers with the last block", async () => {
  const { types, text, outcome } = await run(
    scriptEntry("echo log; echo; pwd; cat; echo noise >&2"),
    { prompt: "a\n\u20ac" },
  );
  assert.deepEqual(types, ["started", "text", "ended"]);
  assert.equal(text, "/tmp\na\n\u20ac");
  assert.deepEqual(outcome, {
    answer: "/tmp\na\n\u20ac",
    error: undefined,
    exitCode: 0,
    usage: undefined,
    session: undefined,
  });
});

Deno.test("runCliAgent passes on the basic variables and the named ones, nothing else", async () => {
  const variables: Record<string, string> = { PATH: "/bin:/usr/bin", A_KEY: "1", OTHER: "2" };
  const { text } = await run(scriptEntry("export", { env: ["A_KEY", "NOT_SET"] }), {
    ports: { variable: (name) => variables[name] },
  });
  const names = [...text.matchAll(/^(?:export|declare -x) (\w+)=/gm)].map(([, name]) => name);
  const shells = new Set(["PWD", "OLDPWD", "SHLVL", "_"]);
  assert.deepEqual(names.filter((name) => !shells.has(name ?? "")), [
    "A_KEY",
    "LLMCMD_RUN_ID",
    "NO_COLOR",
    "PATH",
  ]);
});

Deno.test("runCliAgent: a CLI that fails has its standard error as detail, without secrets and capped", async () => {
  const { outcome, types } = await run(
    scriptEntry('echo "start $A_KEY" >&2; echo partial; exit 3', { env: ["A_KEY"] }),
    { ports: { variable: (name) => name === "A_KEY" ? "sk-12345678" : Deno.env.get(name) } },
  );
  assert.deepEqual(types, ["started", "ended"]);
  const { error, exitCode, answer } = outcome;
  assert.deepEqual(
    [error?.kind, error?.message, error?.detail, exitCode, answer],
    ["failed", "CLI failed", "start [secret]", 3, ""],
  );
  const long = await run(scriptEntry("printf 0123456789 >&2; exit 1"), {
    ports: { limits: { detailCharacters: 4 } },
  });
  assert.equal(long.outcome.error?.detail, "6789");
  // The key of a logged-in CLI is not in the environment.
  const own = await run(scriptEntry("echo 'wrong key: sk-'abcdefgh12345678abcdefgh >&2; exit 1"));
  assert.equal(own.outcome.error?.detail, "wrong key: [secret]");
  const variables: Record<string, string> = {
    PATH: Deno.env.get("PATH") ?? "",
    DATABASE_URL: "postgres://me:pw@db/x",
    GIT_AUTHOR_NAME: "Fred Miller",
    DISABLE_AUTH: "true",
  };
  const mixed = await run(
    scriptEntry('echo "true: $GIT_AUTHOR_NAME at $DATABASE_URL" >&2; exit 1', {
      env: Object.keys(variables),
    }),
    { ports: { variable: (name) => variables[name] } },
  );
  assert.equal(mixed.outcome.error?.detail, "true: Fred Miller at [secret]");
  const silent = await run(scriptEntry("exit 7"));
  assert.equal(silent.outcome.error?.detail, "/bin/sh ended with status 7");
});

Deno.test("runCliAgent: a program that is missing is named, with the way to install it", async () => {
  const missing = "/nonexistent/codex";
  const { outcome, types } = await run(entryOf({ driver: "codex", command: missing }));
  assert.deepEqual(types, ["ended"]);
  assert.equal(outcome.error?.kind, "not_installed");
  assert.equal(
    outcome.error?.message,
    "Cannot find the command /nonexistent/codex: install it with `npm install -g @openai/codex`, " +
      "or set command in models.json",
  );
});

/** A shell script in place of the CLI of a driver. */
function fake(driver: string, script: string): [ModelEntry, { ports: Partial<RunPorts> }] {
  const spawn: SpawnAgent = (request) =>
    spawnForTest({ ...request, program: "/bin/sh", args: ["-c", script] });
  return [entryOf({ driver }), { ports: { spawn } }];
}

Deno.test("runCliAgent: a real driver's empty answer is an error, and so is an end without a result", async () => {
  const done = '{"type":"turn.completed","usage":{"input_tokens":5}}';
  const empty = await run(...fake("codex", `echo '${done}'`));
  assert.equal(empty.outcome.error?.kind, "empty");
  assert.equal(empty.outcome.error?.message, "codex gave an empty answer");
  assert.equal(empty.outcome.usage?.inputTokens, 5);
  const cut = await run(...fake(
    "gemini",
    `echo '{"type":"message","role":"assistant","content":"half"}'; echo why >&2`,
  ));
  assert.deepEqual(
    [cut.text, cut.outcome.answer, cut.outcome.error?.kind, cut.outcome.error?.detail],
    ["half", "", "failed", "gemini ended before it reported that it was done\nwhy"],
  );
});

Deno.test("runCliAgent: a script in a CLI's place that prints plain text answers with its last block", async () => {
  for (const driver of ["codex", "gemini", "qwen", "claude"]) {
    const script = `echo log; echo; echo 'The answer'; echo '{"is": 42}'; echo`;
    const { outcome, text } = await run(...fake(driver, script));
    const answer = 'The answer\n{"is": 42}';
    assert.deepEqual([outcome.answer, outcome.error, text], [answer, undefined, answer], driver);
    const silent = await run(...fake(driver, "true"));
    assert.equal(silent.outcome.error?.kind, "empty", driver);
    const failed = await run(...fake(driver, "echo told; exit 3"));
    assert.equal(failed.outcome.error?.detail, "told", driver);
  }
});

Deno.test("runCliAgent: an answer in plain text that a long line was left out of is an error", async () => {
  const { outcome } = await run(scriptEntry("echo begin; echo 0123456789; echo end"), {
    ports: { limits: { lineBytes: 8 } },
  });
  assert.deepEqual([outcome.answer, outcome.error?.kind], ["", "failed"]);
  assert.equal(outcome.error?.detail, "lines longer than lineBytes (8 bytes) were left out: 1");
});

Deno.test("runCliAgent: the CLI's own error counts, also with status 0, before its standard error", async () => {
  const { outcome } = await run(...fake(
    "claude",
    `echo '{"type":"result","is_error":true,"result":"no credit"}'; echo trace >&2`,
  ));
  assert.deepEqual([outcome.error?.kind, outcome.error?.detail], ["failed", "no credit\ntrace"]);
});

Deno.test("runCliAgent kills a CLI after its timeout, with what it started", async () => {
  const { outcome } = await run(scriptEntry("sleep 300 & sleep 300", { timeout: 0.2 }));
  assert.equal(outcome.error?.kind, "timeout");
  assert.equal(outcome.error?.message, "/bin/sh took longer than timeout (0.2 s)");
  assert.equal(outcome.exitCode, undefined);
});

Deno.test("runCliAgent kills the CLI when the signal fires, even while nobody reads", async () => {
  const controller = new AbortController();
  const events = start(scriptEntry("exec sleep 300"), { signal: controller.signal });
  assert.equal((await events.next()).value?.type, "started");
  controller.abort();
  const { value } = await events.next();
  assert.ok(value?.type === "ended");
  assert.equal(value.outcome.error?.kind, "cancelled");
  assert.equal((await events.next()).done, true);
  const late = await run(scriptEntry("true"), { signal: controller.signal });
  assert.deepEqual([late.types, late.outcome.error?.kind], [["ended"], "cancelled"]);
});

Deno.test("runCliAgent kills the CLI when the iteration is left", async () => {
  let killed = 0;
  const spawn: SpawnAgent = async (request) => {
    const agent = await spawnForTest(request);
    return { ...agent, kill: () => (killed++, agent.kill()) };
  };
  for await (const event of start(scriptEntry("exec sleep 300"), { ports: { spawn } })) {
    assert.equal(event.type, "started");
    break;
  }
  assert.ok(killed > 0);
});

Deno.test("runCliAgent ends though what the CLI left in the background holds its output open", async () => {
  const { outcome } = await run(scriptEntry("sleep 300 & echo answer"), {
    ports: { limits: { drainTime: 50 } },
  });
  assert.deepEqual([outcome.answer, outcome.exitCode, outcome.error], ["answer", 0, undefined]);
});

Deno.test("runCliAgent stops a CLI that prints more than outputBytes", async () => {
  const { outcome } = await run(scriptEntry("while :; do echo 0123456789; done"), {
    ports: { limits: { outputBytes: 5000 } },
  });
  assert.equal(
    outcome.error?.detail,
    "/bin/sh was killed: it printed more than 5000 bytes",
  );
});

Deno.test("runCliAgent: a CLI that does not read a long prompt is no error", async () => {
  const { outcome } = await run(scriptEntry("echo fine"), { prompt: "x".repeat(1_000_000) });
  assert.equal(outcome.answer, "fine");
});
