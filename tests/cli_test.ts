/** Tests the command as a process, as users and shells see it. */
import assert from "node:assert/strict";
import { Bench, call, outcomeOf, step } from "./_cli.ts";

const pipe = (in_fd: number, cmd?: string) =>
  call("pipe", { in_fd, out_fd: 1, ...(cmd === undefined ? {} : { cmd }) });
const exit = (code = 0) => call("exit", { code });

const SCENARIOS = [
  {
    name: "count",
    trigger: "count errors",
    steps: [step(pipe(3, "sed -n /error/p | wc -l")), step(exit())],
  },
  { name: "copy3", trigger: "copy three", steps: [step(pipe(3), exit())] },
  { name: "copy0", trigger: "copy stdin", steps: [step(pipe(0), exit())] },
  { name: "join", trigger: "join", steps: [step(pipe(3), pipe(4), pipe(5), exit())] },
  { name: "upper", trigger: "\u5927\u6587\u5b57", steps: [step(pipe(3, "tr a-z A-Z"), exit())] },
  { name: "code", trigger: "end with 9", steps: [step(exit(9))] },
  { name: "answer", trigger: "just answer", steps: [{ response: { content: "An answer" } }] },
  {
    name: "twice",
    trigger: "copy twice",
    steps: [step(pipe(3)), { fault: { status: 400, error: { message: "No more" } } }],
  },
  {
    name: "refuse",
    trigger: "refuse",
    steps: [{
      fault: { status: 401, error: { message: "Incorrect API key provided: sk-very-secret-key" } },
    }],
  },
  { name: "hang", trigger: "hang", steps: [{ fault: { hang: true } }] },
  {
    name: "copy, hang",
    trigger: "copy, then wait",
    steps: [step(pipe(3)), { fault: { hang: true } }],
  },
  {
    name: "cut",
    trigger: "cut",
    steps: [{ response: { content: "Half an", finish_reason: "length" } }],
  },
  {
    name: "loop",
    trigger: "for ever",
    steps: Array.from({ length: 20 }, () => step(call("read", { fd: 0 }))),
  },
  {
    name: "echo key",
    trigger: "say the key",
    steps: [step(call("write", { data: "done\n" })), step(call("read", { fd: 3 })), step(exit())],
  },
];

function test(name: string, body: (bench: Bench) => Promise<void>): void {
  Deno.test(`llmcmd ${name}`, async () => {
    await using bench = await Bench.open(SCENARIOS);
    await bench.write("log", "an error\nfine\nerror again\n");
    await body(bench);
  });
}

test("writes only descriptor 1 to stdout, and nothing to stderr", async (bench) => {
  const { code, stdout, stderr } = await bench.sh("llmcmd 'count errors' log");
  assert.deepEqual({ code, stdout, stderr }, { code: 0, stdout: "2\n", stderr: "" });
  assert.equal(bench.requests(), 2);
});

test("writes a final answer to stdout, and exits with the exit tool's code", async (bench) => {
  assert.equal((await bench.sh("llmcmd 'just answer'")).stdout, "An answer\n");
  assert.equal((await bench.sh("llmcmd -p 'end with 9' log")).code, 9);
});

test("takes inputs from -i, operands, -, a FIFO and empty files in their order", async (bench) => {
  await bench.write("a", "A\n");
  await bench.write("empty", "");
  const run = async (script: string) => (await bench.sh(script)).stdout;
  assert.equal(await run("echo in | llmcmd -i a 'join' - log | head -n 2"), "A\nin\n");
  const flags = "--allow-read --allow-net --allow-env --";
  assert.equal(
    await run(`llmcmd_with ${flags} -i empty join <(echo one) -i a`),
    "one\nA\n",
  );
});

test("reads stdin from a pipe, a file, a closed descriptor and nowhere", async (bench) => {
  const run = async (script: string) => {
    const { code, stdout, stderr } = await bench.sh(script);
    assert.deepEqual([code, stderr], [0, ""], script);
    return stdout;
  };
  assert.equal(await run("printf 'a\\nb' | llmcmd 'copy stdin'"), "a\nb");
  assert.equal(await run("{ read -r x; llmcmd 'copy stdin'; } < log"), "fine\nerror again\n");
  assert.equal(await run("llmcmd 'copy stdin' <&-"), "");
  assert.equal(await run("llmcmd 'copy stdin' < /dev/null"), "");
  assert.equal(
    await run("while read -r x; do echo $x; llmcmd 'end with 9' || true; done < log"),
    "an error\nfine\nerror again\n",
  );
});

test("works with Japanese instructions, names and data", async (bench) => {
  await bench.write("\u8868 1.txt", "\u65e5\u672c abc\n");
  const { code, stdout } = await bench.sh(
    "llmcmd '\u5927\u6587\u5b57\u306b' '\u8868 1.txt' -o '\u51fa\u529b.txt' && cat '\u51fa\u529b.txt'",
  );
  assert.deepEqual([code, stdout], [0, "\u65e5\u672c ABC\n"]);
});

test("passes binary data through unchanged", async (bench) => {
  const bytes = Uint8Array.from({ length: 100_000 }, (_, i) => (i * i) >> 3);
  await bench.write("binary", bytes);
  assert.deepEqual((await bench.sh("llmcmd 'copy three' binary")).bytes, bytes);
});

test("replaces the file of -o only at a normal end, also when it is an input", async (bench) => {
  const { code } = await bench.sh("llmcmd -i log -o log -p 'count errors'");
  assert.equal(code, 0);
  assert.equal(await bench.read("log"), "2\n");
  assert.deepEqual(bench.names(), ["log"]);
});

test("keeps the old file and the partial output when the API fails", async (bench) => {
  await bench.write("out", "old");
  const { code, stdout, stderr } = await bench.sh("llmcmd 'copy twice' log -o out");
  assert.deepEqual([code, stdout], [3, ""]);
  assert.match(stderr, /^llmcmd: .*No more.*; the partial output is in out\.partial\n$/);
  assert.equal(await bench.read("out"), "old");
  assert.equal(await bench.read("out.partial"), "an error\nfine\nerror again\n");
  assert.deepEqual(bench.names(), ["log", "out", "out.partial"]);
});

test("writes to /dev/null and to a full disk as the shell's > does", async (bench) => {
  // Deno opens /dev/full only with all permissions.
  const flags = "--allow-all --";
  assert.equal((await bench.sh(`llmcmd_with ${flags} -o /dev/null 'copy three' log`)).code, 0);
  for (const line of [`-o /dev/full 'copy three' log`, `'copy three' log > /dev/full`]) {
    const { code, stderr } = await bench.sh(`llmcmd_with ${flags} ${line}`);
    assert.equal(code, 4, stderr);
    assert.match(stderr, /no space left/i);
  }
});

test("exits with 2 and one clear line for wrong usage and configuration", async (bench) => {
  const outcomes = await bench.runAll([
    { args: ["--inptu", "x"] },
    { args: ["mok", "--port", "1"] },
    { args: ["mock", "--port", "x"] },
    { args: ["just answer"], env: { OPENAI_API_KEY: undefined } },
    { args: ["just answer"], env: { LLMCMD_TIMEOUT: "soon" } },
    { args: ["--config", "none", "just answer"] },
  ]);
  for (const { code, stdout, stderr } of outcomes) {
    assert.deepEqual([code, stdout], [2, ""], stderr);
  }
  const [option, command, port, key, timeout, config] = outcomes.map(({ stderr }) => stderr);
  assert.equal(
    option,
    "llmcmd: unrecognized option '--inptu'; did you mean '--input'?\n" +
      "llmcmd: Try 'llmcmd --help'\n",
  );
  assert.match(command ?? "", /Did you mean 'llmcmd mock'\?/);
  assert.match(port ?? "", /^llmcmd mock: the port is 'x'/);
  assert.equal(
    key,
    "llmcmd: The API key is missing: set OPENAI_API_KEY or LLM_AUTH_TOKEN in the environment " +
      "or in ~/.llmcmdrc; for a server that needs no key, any word will do\n",
  );
  assert.match(timeout ?? "", /^llmcmd: LLMCMD_TIMEOUT in the environment is "soon": give /);
  assert.match(config ?? "", /Cannot read none: no such file/);
  assert.equal(bench.requests(), 0);
  // The process has this exit status, too.
  assert.equal((await bench.sh("llmcmd --inptu x")).code, 2);
});

test("reads ~/.llmcmdrc, then the XDG file; the environment counts before both", async (bench) => {
  await Deno.mkdir(`${bench.folder}/xdg/llmcmd`, { recursive: true });
  const model = async (env: Record<string, string | undefined> = {}) => {
    const { stdout, stderr } = await bench.sh("llmcmd --dry-run hi", {
      env: { XDG_CONFIG_HOME: `${bench.folder}/xdg`, ...env },
    });
    return [JSON.parse(stdout).model, stderr.split("\n").slice(0, -2).join("\n")];
  };
  assert.deepEqual(await model(), ["gpt-4o-mini", ""]);
  await bench.write("xdg/llmcmd/config", "LLMCMD_MODEL=xdg\nLLMCMD_MODLE=x\n");
  assert.deepEqual(await model(), [
    "xdg",
    `llmcmd: warning: ${bench.folder}/xdg/llmcmd/config, line 2: the key LLMCMD_MODLE is not known; ` +
    "did you mean LLMCMD_MODEL?",
  ]);
  await bench.write("xdg/llmcmd/config", "LLMCMD_MODEL=xdg\n");
  await bench.write(".llmcmdrc", "export LLMCMD_MODEL='rc'\n");
  assert.deepEqual(await model(), ["rc", ""]);
  assert.deepEqual(await model({ LLMCMD_MODEL: "env" }), ["env", ""]);
  await bench.write("chosen", "LLMCMD_MODEL=chosen\n");
  const chosen = await bench.sh("llmcmd --config chosen --dry-run hi");
  assert.equal(JSON.parse(chosen.stdout).model, "chosen");
  await Deno.remove(`${bench.folder}/.llmcmdrc`);
  await Deno.mkdir(`${bench.folder}/.llmcmdrc`);
  assert.deepEqual(await model(), [
    "xdg",
    `llmcmd: warning: Cannot read ${bench.folder}/.llmcmdrc: it is a folder; ` +
    "going on with the environment only",
  ]);
});

test("--dry-run shows the first request and sends nothing, without a key", async (bench) => {
  const { code, stdout, stderr } = await bench.sh("llmcmd --dry-run 'count errors' log", {
    env: { OPENAI_API_KEY: undefined },
  });
  assert.equal(code, 0);
  assert.equal(stderr, `llmcmd: not sent: POST http://${bench.address}/v1/chat/completions\n`);
  const request = JSON.parse(stdout);
  assert.equal(request.messages.at(-1).content, "count errors");
  assert.ok(request.messages[0].content.includes("- fd 3: log (26 bytes)"));
  assert.deepEqual([request.temperature, request.max_tokens, request.stream], [0.1, 4096, true]);
  assert.equal(bench.requests(), 0);
});

test("exits with 3 when the API fails or the answer is cut, and never shows the key", async (bench) => {
  const [refused, cut] = await bench.runAll([
    { args: ["-v", "--events", "-", "refuse"] },
    { args: ["cut"] },
  ]);
  assert.equal(refused?.code, 3);
  assert.match(refused.stderr, /401/);
  assert.ok(!refused.stderr.includes(bench.key), refused.stderr);
  assert.equal(cut?.code, 3);
  assert.match(
    cut.stderr,
    /^llmcmd: The answer was cut off at the token limit .*length\); raise LLMCMD_MAX_TOKENS /,
  );
});

test("exits with 4 for missing, unreadable and large inputs before it asks the model", async (bench) => {
  const env = { LLMCMD_MAX_INPUT_BYTES: "10", LLMCMD_MAX_OUTPUT_BYTES: "5" };
  const [large, ...missing] = await bench.runAll([
    { args: ["copy three", "log"], env },
    { args: ["copy three", "none"] },
    { args: ["copy three", "."] },
    { args: ["copy three", "log", "-o", "none/x"] },
  ]);
  for (
    const [at, message] of [
      "Cannot read none: no such file or folder",
      "Cannot read .: it is a folder",
      "in none: no such file or folder",
    ].entries()
  ) {
    const { code, stderr } = missing[at] ?? assert.fail();
    assert.deepEqual([code, stderr.includes(message)], [4, true], stderr);
  }
  assert.equal(large?.code, 4);
  assert.match(large.stderr, /LLMCMD_MAX_INPUT_BYTES/);
  assert.equal(bench.requests(), 0);
  const output = await bench.sh("echo 123456 | llmcmd 'copy stdin'", { env });
  assert.equal(output.code, 4);
  assert.match(output.stderr, /LLMCMD_MAX_OUTPUT_BYTES/);
});

test("exits with 5 and names the flag when a permission is missing", async (bench) => {
  const all = bench.flags();
  const [read = "", write = "", net = "", env = ""] = all;
  const cases: [string[], string, string][] = [
    [[write, net, env], "'copy three' log", "--allow-read="],
    [[read, write, env], "'copy three' log", `--allow-net=${bench.address.split(":")[0]}`],
    [[read, net, env], "-o out 'copy three' log", "--allow-write="],
  ];
  for (const [flags, line, flag] of cases) {
    const { code, stderr } = await bench.sh(`llmcmd_with ${flags.join(" ")} -- ${line}`);
    assert.deepEqual([code, stderr.includes(flag)], [5, true], stderr);
  }
  const noKey = await bench.sh(`llmcmd_with ${read} ${net} --allow-env=HOME -- 'copy three' log`);
  assert.match(noKey.stderr, /The API key is missing.*--allow-env=\S*OPENAI_API_KEY/);
  // Fewer permissions are enough if nothing else is needed.
  const least = `llmcmd_with --allow-read=log --allow-write=out ${net} ` +
    "--allow-env=OPENAI_API_KEY,OPENAI_BASE_URL -- -o out 'copy three' log && cat out";
  const { code, stdout } = await bench.sh(least);
  assert.deepEqual([code, stdout], [0, "an error\nfine\nerror again\n"]);
});

test("exits with 6 at the time-out, and takes the request with it", async (bench) => {
  const env = { LLMCMD_TIMEOUT: "1" };
  await bench.write("big", "x".repeat(1_000_000));
  await new Deno.Command("mkfifo", { args: [`${bench.folder}/fifo`] }).output();
  const [asking, stuck, fifo] = await Promise.all([
    bench.sh("llmcmd 'hang'", { env }),
    bench.sh(
      // The reader takes nothing before the command has ended.
      `{ llmcmd 'copy three' big; echo $? > code; } |
        { until [ -s code ]; do sleep 0.02; done; cat > /dev/null; }; cat code`,
      { env },
    ),
    bench.sh("llmcmd 'copy three' fifo", { env }),
  ]);
  assert.equal(asking.code, 6);
  assert.match(asking.stderr, /^llmcmd: .*LLMCMD_TIMEOUT/);
  assert.deepEqual([stuck.stdout, stuck.stderr.includes("LLMCMD_TIMEOUT")], ["6\n", true]);
  assert.deepEqual([fifo.code, fifo.stderr.includes("LLMCMD_TIMEOUT")], [6, true], fifo.stderr);
});

test("exits with 7 when the calls or the tokens are used up", async (bench) => {
  const [calls, tokens] = await bench.runAll([
    { args: ["for ever"], env: { LLMCMD_MAX_API_CALLS: "3" } },
    { args: ["for ever"], env: { LLMCMD_MAX_TOKENS_BUDGET: "9" } },
  ]);
  assert.deepEqual([calls?.code, calls?.stderr.includes("LLMCMD_MAX_API_CALLS")], [7, true]);
  assert.deepEqual([tokens?.code, tokens?.stderr.includes("LLMCMD_MAX_TOKENS_BUDGET")], [7, true]);
  // Three requests of the first run, and one that used up the tokens of the second.
  assert.equal(bench.requests(), 4);
});

test("ends quietly with 141 when the reader of stdout has gone", async (bench) => {
  await bench.write("big", "0123456789\n".repeat(300_000));
  const { stdout, stderr } = await bench.sh(
    "llmcmd 'copy three' big | head -n 1; echo ${PIPESTATUS[0]}",
  );
  assert.deepEqual([stdout, stderr], ["0123456789\n141\n", ""]);
  const help = await bench.sh("llmcmd --man | true; echo ${PIPESTATUS[0]}");
  assert.match(help.stdout, /^(0|141)\n$/);
});

/** Waits until the mock has received `count` requests. */
async function waitForRequests(bench: Bench, count: number): Promise<void> {
  for (let got = 0; got < count; got += bench.requests()) {
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

test("ends by the signal that stopped it, and keeps the partial output", async (bench) => {
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    const child = bench.start(["copy, then wait", "log", "-o", "out"]);
    await waitForRequests(bench, 2);
    child.kill(signal);
    const outcome = outcomeOf(await child.output());
    assert.equal(outcome.signal, signal);
    assert.equal(outcome.stderr, "llmcmd: the partial output is in out.partial\n");
    assert.equal(await bench.read("out.partial"), "an error\nfine\nerror again\n");
    assert.deepEqual(bench.names(), ["log", "out.partial"]);
    await Deno.remove(`${bench.folder}/out.partial`);
  }
});

test("stops a shell's loop at Ctrl+C", async (bench) => {
  const child = new Deno.Command("bash", {
    args: ["--norc", "-c", "for i in 1 2 3; do echo $i; llmcmd hang; done"],
    cwd: bench.folder,
    clearEnv: true,
    env: bench.environment(),
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
    // In its own process group.
    detached: true,
  }).spawn();
  await waitForRequests(bench, 1);
  // As a terminal does: the signal goes to the whole foreground process group.
  assert.ok(child.pid > 1);
  Deno.kill(-child.pid, "SIGINT");
  const { stdout, signal } = outcomeOf(await child.output());
  assert.deepEqual([stdout, signal], ["1\n", "SIGINT"]);
});

test("ends at once at the second signal, even when its output is stuck", async (bench) => {
  await bench.write("big", "x".repeat(1_000_000));
  const child = bench.start(["copy three", "big"]);
  await waitForRequests(bench, 1);
  child.kill("SIGINT");
  child.kill("SIGTERM");
  const { signal } = await child.status;
  assert.ok(signal === "SIGINT" || signal === "SIGTERM", String(signal));
  await child.stdout.cancel();
  await child.stderr.cancel();
});

test("--events writes every event as JSON without secrets; --stats and -v go to stderr", async (bench) => {
  await bench.write("keys", `OPENAI_API_KEY=${bench.key}\n`);
  const { code, stdout, stderr } = await bench.sh(
    "llmcmd --events events --stats -v 'say the key' keys",
  );
  assert.deepEqual([code, stdout], [0, "done\n"]);
  assert.ok(!stderr.includes(bench.key), stderr);
  assert.match(stderr, /llmcmd: 3 API calls, \d+ tokens in, \d+ tokens out, \d+ weighted, /);
  assert.match(stderr, /llmcmd: {3}write \{"data":"done\\n"\}/);
  const events = await bench.read("events");
  assert.ok(!events.includes(bench.key), events);
  assert.ok(events.includes("OPENAI_API_KEY=[secret]"), events);
  const types = events.trimEnd().split("\n").map((line) => JSON.parse(line).type);
  assert.deepEqual([types[0], types.at(-1)], ["run_start", "run_end"]);
  const full = await bench.sh(
    "llmcmd_with --allow-all -- --events /dev/full -o out 'copy three' log",
  );
  assert.equal(full.code, 4);
  assert.deepEqual(bench.names(), ["events", "keys", "log"]);
});

test("--help, --version, --man and --completions need no permission", async (bench) => {
  for (
    const [line, begin] of [
      ["--help", "Usage: llmcmd "],
      ["-v --help", "Usage: llmcmd "],
      ["-V", "llmcmd "],
      ["--man", ".TH LLMCMD 1"],
      ["--completions zsh", "#compdef llmcmd"],
      ["mock --help", "Usage: llmcmd mock "],
    ] as const
  ) {
    const { code, stdout, stderr } = await bench.sh(`llmcmd_with -- ${line}`);
    assert.deepEqual([code, stderr, stdout.startsWith(begin)], [0, "", true], line);
  }
});

test("mock serves scenarios on a free port until a signal ends it", async (bench) => {
  await Deno.mkdir(`${bench.folder}/s`);
  const scenario = (name: string, content: string) =>
    JSON.stringify({ scenarios: [{ name, trigger: "hello", steps: [{ response: { content } }] }] });
  await bench.write("s/b.json", scenario("second", "from b"));
  await bench.write("s/a.json", scenario("first", "from a"));
  const script = `
    llmcmd_with --allow-net=127.0.0.1 --allow-read=. -- mock --port 0 --scenarios s 2> log & pid=$!
    until read -r line < log && [[ $line == *http* ]]; do sleep 0.02; done
    url=\${line##* }
    port=\${url#http://127.0.0.1:}
    OPENAI_BASE_URL=$url llmcmd_with --allow-net=127.0.0.1 --allow-env -- hello
    kill -TERM $pid; wait $pid; echo $?; cat log`;
  const { stdout } = await bench.sh(script);
  assert.match(
    stdout,
    /^from a\n143\nllmcmd mock: 2 scenarios on http:\/\/127\.0\.0\.1:\d+\/v1\n/,
  );
  const taken = await bench.sh(
    `llmcmd_with --allow-net --allow-read -- mock --port ${bench.address.split(":")[1]}`,
  );
  assert.deepEqual([taken.code, taken.stderr], [
    1,
    `llmcmd mock: Cannot listen on ${bench.address}: the port is in use\n`,
  ]);
  await bench.write("bad.json", `{"scenarios": [{"name": 1}]}`);
  const bad = await bench.sh("llmcmd mock --scenarios bad.json");
  assert.equal(bad.code, 2);
  assert.match(bad.stderr, /^llmcmd mock: bad\.json: scenarios\[0\]/);
});
