import assert from "node:assert/strict";
import { Bench, call, step } from "./_cli.ts";
import { optional } from "./_optional.ts";

const SCENARIOS = [
  {
    name: "summary",
    trigger: "summarize",
    steps: [
      step(call("pipe", { cmd: "wc -l", in_fd: 3, out_fd: 1 })),
      step(call("exit", { code: 0 })),
    ],
  },
  { name: "say", trigger: "say hi", steps: [{ response: { content: "hi" } }] },
  {
    name: "model",
    trigger: "which model",
    steps: [{ match: { model: "small" }, response: { content: "the small one" } }],
  },
  { name: "hang", trigger: "hang", steps: [{ response: { content: "" }, fault: { hang: true } }] },
];

/** The head of each program. */
const HEAD = `
import os, sys
import fsproxy_client as f
c = f.connect()
def used(): return c.quota()["api_calls"]["used"]
`;

const needs = (name: string) => optional(name, "python3");

/** Calls `use` with a folder that has the client and an old `out.txt`. */
async function bench(use: (bench: Bench) => Promise<void>): Promise<void> {
  await using bench = await Bench.open(SCENARIOS);
  const client = new URL("../examples/fsproxy_client.py", import.meta.url);
  await bench.write("fsproxy_client.py", await Deno.readTextFile(client));
  await bench.write("out.txt", "old\n");
  await use(bench);
}

async function python(
  bench: Bench,
  options: string,
  program: string,
  env: Record<string, string | undefined> = {},
) {
  await bench.write("tool.py", HEAD + program);
  return await bench.sh(`llmcmd_with -A -- fsproxy ${options} -- python3 tool.py`, { env });
}

Deno.test({
  ...needs("llmcmd fsproxy --llm runs tasks on virtual files, and FILE takes its place at the end"),
  fn: () =>
    bench(async (bench) => {
      const program = `
with c.open("virtual", "w") as file: file.write(b"a\\nb\\n")
with c.open("out.txt", "w") as out, c.open("err", "w") as err:
    end = c.llmcmd("summarize", files=["virtual"], stdout=out, stderr=err)
print(end["exit_code"], "data" in end, end["quota"] == c.quota(), used())
print(c.llmcmd("say hi")["data"], c.llmcmd("which model", top_level=False)["data"])
print([name for name in os.environ if "KEY" in name or "${bench.key}" in os.environ[name]])
print(open("out.txt").read() == "old\\n")
`;
      const env = { LLMCMD_INTERNAL_MODEL: "small" };
      const result = await python(bench, "--llm --journal j -o out.txt", program, env);
      assert.equal(
        result.stdout,
        "0 False True 2\nb'hi\\n' b'the small one\\n'\n[]\nTrue\n",
        result.stderr,
      );
      assert.equal(result.code, 0);
      assert.equal(await bench.read("out.txt"), "2\n");
      assert.match(await bench.read("j"), /"op":"LLMCMD","files":\["virtual"\]/);
    }),
});

Deno.test({
  ...needs("llmcmd fsproxy keeps a partial output where the program failed, and the old file"),
  fn: () =>
    bench(async (bench) => {
      const program = `
c.open("out.txt", "w").write(b"begun\\n")
sys.exit(3)
`;
      const result = await python(bench, "-o out.txt", program);
      assert.equal(result.code, 3);
      assert.match(result.stderr, /the partial output is in out\.txt\.partial\n$/);
      assert.equal(await bench.read("out.txt"), "old\n");
      assert.equal(await bench.read("out.txt.partial"), "begun\n");
      const none = await python(bench, "-o out.txt", "");
      assert.equal(none.code, 0);
      assert.match(none.stderr, /warning: out\.txt is as it was: nothing was written\n$/);
      assert.equal(await bench.read("out.txt"), "old\n");
      const missing = await python(bench, "-o none/out.txt", "");
      assert.equal(missing.code, 4);
    }),
});

const CONFIG = new URL("../deno.json", import.meta.url).pathname;

/** A proxy in between: serves the files of its own descriptor 3, and its standard output. */
const BETWEEN = `
import { Socket } from "node:net";
import { Duplex } from "node:stream";
import { spawn } from "node:child_process";
import { connect, serve } from "${new URL("../src/vfs/mod.ts", import.meta.url)}";
import { memorySource, MemorySink } from "${new URL("../src/streams/mod.ts", import.meta.url)}";
const stdout = { write: async (bytes) => void await Deno.stdout.write(bytes), close: async () => {} };
const stdio = { stdin: memorySource("typed"), stdout, stderr: new MemorySink() };
const files = await connect(Duplex.toWeb(new Socket({ fd: 3 })));
const child = spawn("python3", ["tool.py"], { stdio: ["ignore", "inherit", "inherit", "pipe"] });
const { left } = await serve(files, Duplex.toWeb(child.stdio[3]), { stdio });
console.log("left", left);
await files.close();
`;

Deno.test({
  ...needs("llmcmd fsproxy --llm works for a program behind a proxy of the program"),
  fn: () =>
    bench(async (bench) => {
      await bench.write("between.ts", BETWEEN);
      const program = `
with c.open("virtual", "w") as file: file.write(b"a\\nb\\n")
end = c.llmcmd("summarize", files=["virtual"], stdout=1)
print(end["exit_code"], end["quota"] == c.quota(), used(), flush=True)
with c.open("out", "w") as out: c.llmcmd("summarize", files=[c.open("virtual")], stdout=out)
print(c.open("out").read(), flush=True)
`;
      await bench.write("tool.py", HEAD + program);
      const script =
        'llmcmd_with -A -- fsproxy --llm -- "$DENO" run -A --quiet --config "$CONFIG" between.ts';
      const { stdout, stderr } = await bench.sh(script, { env: { DENO: Deno.execPath(), CONFIG } });
      assert.equal(stdout, "2\n0 True 2\nb'2\\n'\nleft 2\n", stderr);
    }),
});

Deno.test({
  ...needs("llmcmd fsproxy refuses the LLM without --llm, and --llm without a key"),
  fn: () =>
    bench(async (bench) => {
      const program = `
for ask in (c.quota, lambda: c.llmcmd("say hi")):
    try: ask()
    except f.ProxyError as error: print(error.code)
`;
      const without = await python(bench, "", program);
      assert.equal(without.stdout, "E_PERM\nE_PERM\n", without.stderr);
      const keyless = await python(bench, "--llm", program, { OPENAI_API_KEY: undefined });
      assert.equal(keyless.code, 2);
      assert.equal(keyless.stdout, "");
      assert.match(keyless.stderr, /The API key is missing/);
      assert.equal(bench.requests(), 0);
    }),
});

Deno.test({
  ...needs("llmcmd fsproxy --llm has one budget for all tasks of the program"),
  fn: () =>
    bench(async (bench) => {
      const program = `
print(c.llmcmd("say hi")["exit_code"], used())
end = c.llmcmd("summarize", files=[], top_level=True)
print(end["exit_code"], end.get("message"), end["quota"]["api_calls"]["remaining"])
try: c.llmcmd("say hi")
except f.ProxyError as error: print(error)
`;
      const calls = await python(bench, "--llm", program, { LLMCMD_MAX_API_CALLS: "2" });
      assert.match(
        calls.stdout,
        /^0 1\n[1-9]\d* .*\b0\nE_RANGE: quota exceeded: nothing is left of LLMCMD_MAX_API_CALLS\n$/,
      );
      assert.equal(bench.requests(), 2);
      const tokens = await python(bench, "--llm", program, { LLMCMD_MAX_TOKENS_BUDGET: "1" });
      assert.match(tokens.stderr, /nothing is left of LLMCMD_MAX_TOKENS_BUDGET/);
      assert.equal(bench.requests(), 1);
    }),
});

Deno.test({
  ...needs("llmcmd fsproxy --llm stops a task when its output is closed, and at a signal"),
  fn: () =>
    bench(async (bench) => {
      const closing = `
out = c.open("out.txt", "w")
task = c.send("LLMCMD", prompt="hang", stdout=out.handle)
while used() == 0: pass
out.close()
print(c.receive(task)["exit_code"])
`;
      const closed = await python(bench, "--llm", closing);
      assert.equal(closed.stdout, "141\n", closed.stderr);
      const hanging = `
out = c.open("out.txt", "w")
out.write(b"begun")
task = c.send("LLMCMD", prompt="hang", stdout=out.handle)
while used() == 0: pass
print("started", os.getpid(), flush=True)
c.receive(task)
`;
      await bench.write("tool.py", HEAD + hanging);
      const script = `
coproc exec llmcmd_with -A -- fsproxy --llm -o out.txt -- python3 tool.py
program=$COPROC_PID
read -r word pid <&"\${COPROC[0]}"
kill -INT $program; wait $program; echo "$word $?"
kill -0 $pid 2>/dev/null && echo "it still runs"
cat out.txt out.txt.partial
`;
      const { stdout, stderr } = await bench.sh(script);
      assert.equal(stdout, "started 130\nold\nbegun", stderr);
    }),
});
