/** Tests ways in which people write command lines, and the answers to wrong ones. */
import assert from "node:assert/strict";
import { Bench, call, step } from "./_cli.ts";

const SCENARIOS = [
  {
    name: "count",
    trigger: "count errors",
    steps: [
      step(call("pipe", { cmd: "grep -c error", in_fd: 3, out_fd: 1 })),
      step(call("exit")),
    ],
  },
  { name: "home", trigger: "@home", steps: [{ response: { content: "no place like it" } }] },
  {
    name: "rest",
    trigger: "what is left",
    steps: [
      step(call("pipe", { cmd: "wc -c", in_fd: 0, out_fd: 1 })),
      step(call("exit")),
    ],
  },
];

function test(name: string, body: (bench: Bench) => Promise<void>): void {
  Deno.test(`llmcmd ${name}`, async () => {
    await using bench = await Bench.open(SCENARIOS);
    await bench.write("log", "an error\nfine\nerror again\n");
    await body(bench);
  });
}

test("-p @FILE and -p - take the instructions from a file and from standard input", async (bench) => {
  await bench.write("task", "count errors\n\n");
  await bench.write("gap", " \n");
  await bench.write("latin1", Uint8Array.of(0xe9, 0x0a));
  await bench.write("long", "x".repeat(1024 * 1024 + 1));
  const [file, at, empty, binary, long, missing, folder] = await bench.runAll([
    { args: ["-p", "@task", "log"] },
    { args: ["-p", "@@home"] },
    { args: ["-p", "@gap", "log"] },
    { args: ["-p", "@latin1"] },
    { args: ["-p", "@long"] },
    { args: ["-p", "@none"] },
    { args: ["-p", "@."] },
  ]);
  assert.deepEqual(file, { code: 0, stdout: "2\n", stderr: "" });
  assert.deepEqual(at, { code: 0, stdout: "no place like it\n", stderr: "" });
  assert.deepEqual(empty, {
    code: 2,
    stdout: "",
    stderr: "llmcmd: the instructions in gap are empty\n",
  });
  for (
    const [run, why] of [
      [binary, "Cannot read the instructions from latin1: they are not UTF-8 text"],
      [long, "Cannot read the instructions from long: they have more than 1048576 bytes"],
      [missing, "Cannot read none: no such file or folder"],
      [folder, "Cannot read .: it is a folder"],
    ] as const
  ) assert.deepEqual(run, { code: 4, stdout: "", stderr: `llmcmd: ${why}\n` });
  const { code, stdout } = await bench.sh(
    "llmcmd -p - log < task; echo what is left | llmcmd -p @-",
  );
  assert.deepEqual([code, stdout], [0, "2\n0\n"]);
});

test("--dry-run shows instructions from standard input, which is then empty", async (bench) => {
  const { stdout } = await bench.sh("printf 'Sort\\nall\\n' | llmcmd --dry-run -p - log");
  const [system, user] = JSON.parse(stdout).messages;
  assert.equal(user.content, "Sort\nall");
  assert.ok(system.content.includes("- fd 0: stdin (empty: the task was read from it)\n"));
});

test("says that instructions come first when a file stands there", async (bench) => {
  const [swapped, unquoted, both] = await bench.runAll([
    { args: ["log", "Count errors", "-o", "out"] },
    { args: ["log", "count", "errors"] },
    { args: ["log", "log"] },
  ]);
  const said = (line: string) =>
    `llmcmd: the instructions come first, and 'log' is a file: ${line}\n` +
    "llmcmd: Try 'llmcmd --help'\n";
  const expected = [
    [swapped, "llmcmd 'Count errors' log -o out"],
    [unquoted, "llmcmd 'count errors' log"],
  ] as const;
  for (const [run, line] of expected) {
    assert.deepEqual(run, { code: 2, stdout: "", stderr: said(line) });
  }
  // Instructions may have the name of a file if the inputs exist: the mock got a request.
  assert.equal(both?.code, 3);
  assert.equal(bench.requests(), 1);
});

test("asks no model where the instructions are missing or not quoted", async (bench) => {
  await bench.write("a.log", "an error\n");
  await bench.write("out", "old");
  const { code, stderr } = await bench.sh("llmcmd -o out a.log; llmcmd -o out count errors a.log");
  assert.equal(code, 2);
  assert.equal(
    stderr.replaceAll("llmcmd: Try 'llmcmd --help'\n", ""),
    "llmcmd: the instructions are missing, as 'a.log' is a file: give them first, or with -p\n" +
      "llmcmd: 'errors' is not a file, and instructions of several words need quotes: " +
      "llmcmd -o out 'count errors' a.log\n",
  );
  assert.equal(bench.requests(), 0);
  assert.equal(await bench.read("out"), "old");
});

test("reads standard input by its other names, too", async (bench) => {
  const { code, stdout, stderr } = await bench.sh(
    "llmcmd 'count errors' /dev/stdin < log; cat log | llmcmd 'count errors' /dev/fd/0; " +
      "echo count errors | llmcmd -p @/dev/stdin log",
  );
  assert.deepEqual([code, stdout, stderr], [0, "2\n2\n2\n", ""]);
});

test("--base-url counts before all, and a wrong one is called by that name", async (bench) => {
  const nowhere = { OPENAI_BASE_URL: "http://127.0.0.1:1/v1" };
  const url = `http://${bench.address}/v1`;
  const [used, wrong, invalid, agent, agentWrong] = await bench.runAll([
    { args: ["--base-url", url, "count errors", "log"], env: nowhere },
    { args: ["--base-url", "localhost:8000", "count errors", "log"] },
    { args: ["--base-url", url, "count errors", "log"], env: { OPENAI_BASE_URL: "not used" } },
    {
      args: ["agent", "--base-url", url, "-p", "@home"],
      env: { ...nowhere, LLM_BASE_URL: "http://127.0.0.1:1/v1" },
    },
    { args: ["agent", "--base-url=localhost", "-p", "hi"] },
  ]);
  assert.deepEqual(used, { code: 0, stdout: "2\n", stderr: "" });
  assert.deepEqual(invalid, used);
  const message = "--base-url in the command line is not a web address: give one that begins " +
    "with https:// or http://, such as https://api.openai.com/v1\n";
  assert.deepEqual(wrong, { code: 2, stdout: "", stderr: `llmcmd: ${message}` });
  assert.deepEqual([agent?.code, agent?.stdout], [0, "no place like it\n"], agent?.stderr);
  assert.deepEqual(agentWrong, { code: 2, stdout: "", stderr: `llmcmd agent: ${message}` });
});

test("LLM_AUTH_TOKEN, LLM_BASE_URL and LLM_DEFAULT_MODEL count where no other name is set", async (bench) => {
  const { OPENAI_API_KEY: key = "", OPENAI_BASE_URL: url = "" } = bench.environment();
  const none = { OPENAI_API_KEY: undefined, OPENAI_BASE_URL: undefined };
  const env = { ...none, LLM_AUTH_TOKEN: key, LLM_BASE_URL: url, LLM_DEFAULT_MODEL: "of-llm" };
  const run = await bench.sh("llmcmd 'count errors' log", { env });
  assert.deepEqual([run.code, run.stdout, run.stderr], [0, "2\n", ""]);
  const model = async (more: Record<string, string>) => {
    const { stdout } = await bench.sh("llmcmd --dry-run hi", { env: { ...env, ...more } });
    return JSON.parse(stdout).model;
  };
  assert.equal(await model({}), "of-llm");
  assert.equal(await model({ LLMCMD_MODEL: "of-llmcmd" }), "of-llmcmd");
});

test("sizes have units in the environment and in files", async (bench) => {
  await bench.write("config", "LLMCMD_MAX_INPUT_BYTES=1K\n");
  await bench.write("large", "x".repeat(1025));
  const [inFile, inEnvironment, wrong] = await bench.runAll([
    { args: ["--config", "config", "count errors", "large"] },
    { args: ["count errors", "large"], env: { LLMCMD_MAX_INPUT_BYTES: "2KiB" } },
    { args: ["count errors", "large"], env: { LLMCMD_MAX_OUTPUT_BYTES: "1 GB" } },
  ]);
  assert.equal(inFile?.code, 4);
  assert.match(inFile.stderr, /large \(1025 bytes\) is larger than \S+ \(1024 bytes\)/);
  assert.deepEqual(inEnvironment, { code: 0, stdout: "0\n", stderr: "" });
  assert.deepEqual(wrong, {
    code: 2,
    stdout: "",
    stderr: 'llmcmd: LLMCMD_MAX_OUTPUT_BYTES in the environment is "1 GB": give a number of ' +
      "bytes, such as 1048576, 64K, 20M or 1G, at least 1\n",
  });
});

test("--dry-run refuses an input over the limit as a run does", async (bench) => {
  const env = { LLMCMD_MAX_INPUT_BYTES: "10" };
  const [run, dry] = await bench.runAll([
    { args: ["count errors", "log"], env },
    { args: ["--dry-run", "count errors", "log"], env },
  ]);
  assert.equal(run?.code, 4);
  assert.match(run.stderr, /^llmcmd: log \(26 bytes\) is larger than LLMCMD_MAX_INPUT_BYTES/);
  assert.deepEqual(dry, run);
  assert.equal(bench.requests(), 0);
});

test("says that any word is a key where the server asks for none", async (bench) => {
  const env = { OPENAI_API_KEY: undefined };
  const said = "The API key is missing: set OPENAI_API_KEY or LLM_AUTH_TOKEN in the environment " +
    "or in ~/.llmcmdrc";
  const [local, standard] = await Promise.all([
    bench.sh("llmcmd 'count errors' log", { env }),
    bench.sh("llmcmd 'count errors' log", { env: { ...env, OPENAI_BASE_URL: undefined } }),
  ]);
  assert.equal(local.stderr, `llmcmd: ${said}; for a server that needs no key, any word will do\n`);
  assert.equal(standard.stderr, `llmcmd: ${said}\n`);
});
