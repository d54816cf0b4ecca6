import assert from "node:assert/strict";
import { CommandSession } from "../terminal/mod.ts";
import { memoryVfs } from "../vfs/mod.ts";
import { callTool, FakeRunner, outcome } from "./_testing.ts";
import { describeOutcome } from "./bash.ts";
import type { CommandRunner } from "./command_runner.ts";
import { coderTools } from "./tools.ts";

const vfs = memoryVfs();

Deno.test("bash gives the output and the exit code, and tells watchers more", async () => {
  const runner = new FakeRunner(() => ({ text: "out\nerr", exitCode: 3 }));
  const result = await callTool(coderTools({ vfs, runner }), "bash", { command: "x" });
  assert.deepEqual(result, {
    content: "out\nerr\n[Exit code 3, no sandbox]",
    error: true,
    details: {
      exitCode: 3,
      timedOut: false,
      aborted: false,
      sandbox: { kind: "none", reason: "a test" },
      seconds: 1.5,
    },
  });
  const fine = await callTool(coderTools({ vfs, runner: new FakeRunner() }), "bash", {
    command: "true",
  });
  assert.equal(fine.content, "[Exit code 0, no sandbox]");
  assert.equal(fine.error, undefined);
});

Deno.test("bash runs for 30 s, or as long as it is asked", async () => {
  const runner = new FakeRunner();
  const tools = coderTools({ vfs, runner });
  const { signal } = new AbortController();
  await callTool(tools, "bash", { command: "a" }, signal);
  await callTool(tools, "bash", { command: "b", timeout: 0.5 }, signal);
  assert.deepEqual(
    runner.commands.map(({ command, options }) => [command, options.timeout, options.signal]),
    [["a", 30_000, signal], ["b", 500, signal]],
  );
  const long = await callTool(tools, "bash", { command: "c", timeout: 4000 });
  assert.match(long.content, /^bash: timeout: Too big: expected number to be <=3600/);
  assert.match((await callTool(tools, "bash", { command: "c", timeout: 0 })).content, /timeout/);
});

Deno.test("bash says what was cut, killed, left over and why", () => {
  const seen = (given: Parameters<typeof outcome>[0]) => describeOutcome(outcome(given), 30);
  const truncated = {
    lines: 5000,
    bytes: 123_456,
    shownLines: 2000,
    shownBytes: 50_000,
    path: "/tmp/out.txt",
    note: undefined,
  };
  assert.equal(
    seen({ text: "tail\n", truncated }),
    "tail\n[These are the last 2000 of 5000 lines (123456 bytes); the whole is in /tmp/out.txt: " +
      "read it with read_file and offset, or grep it, instead of running the command again]\n" +
      "[Exit code 0, no sandbox]",
  );
  assert.match(
    seen({ truncated: { ...truncated, path: undefined, note: "No space" } }),
    /the rest is lost\]\n\[No space\]\n/,
  );
  assert.equal(
    seen({ text: "so far", timedOut: true, exitCode: null }),
    "so far\n[Timed out after 30 s and killed with all that it started " +
      "(give a longer timeout if it needs one), no sandbox]",
  );
  assert.match(seen({ aborted: true, exitCode: null }), /^\[Stopped and killed with all/);
  assert.equal(seen({ exitCode: 139, signal: "SIGSEGV" }), "[Exit code 139 (SIGSEGV), no sandbox]");
  assert.match(
    seen({ background: { path: "/tmp/x" }, survivors: 2 }),
    /^\[Processes that it started go on in the background until they are killed; their output goes to \/tmp\/x\]\n\[2 processes could not be killed\]\n/,
  );
  const sandbox = { kind: "bwrap", network: false, writable: ["/work"] } as const;
  assert.match(seen({ sandbox }), /\[Exit code 0, sandbox bwrap without network\]/);
  assert.match(
    seen({ sandbox: { ...sandbox, apart: ["processes", "network"] } }),
    /\[Exit code 0, sandbox bwrap without network, other commands can't see or stop its processes, other commands can't reach its ports\]/,
  );
});

Deno.test("bash passes output on as it comes, with the id of its call", async () => {
  const seen: string[] = [];
  const runner = new FakeRunner(async (_, { onOutput }) => {
    await onOutput?.(new TextEncoder().encode("one"));
    return { text: "one" };
  });
  const onOutput = (id: string, chunk: Uint8Array) =>
    void seen.push(`${id} ${new TextDecoder().decode(chunk)}`);
  await callTool(coderTools({ vfs, runner, onOutput }), "bash", { command: "x" });
  assert.deepEqual(seen, ["call_1 one"]);
});

Deno.test("bash tells why a command could not be started", async () => {
  const runner = new FakeRunner(() => Promise.reject(new Error("Cannot run it: no shell")));
  assert.deepEqual(await callTool(coderTools({ vfs, runner }), "bash", { command: "x" }), {
    content: "bash: Cannot run it: no shell",
    error: true,
  });
});

Deno.test("bash works on a CommandSession of the terminal, also when it is stopped", async () => {
  const root = await Deno.makeTempDir();
  {
    await using session = new CommandSession({ cwd: root });
    const runner: CommandRunner = session;
    const tools = coderTools({ vfs, runner });
    const done = await callTool(tools, "bash", { command: "pwd; echo err >&2; exit 7" });
    assert.equal(done.content, `${root}\nerr\n[Exit code 7, no sandbox]`);
    const late = { command: "echo begun; sleep 60", timeout: 0.3 };
    let slow = await callTool(tools, "bash", late);
    // A busy machine may need longer to begin.
    if (!slow.content.startsWith("begun")) {
      slow = await callTool(tools, "bash", { ...late, timeout: 10 });
    }
    assert.match(slow.content, /^begun\n\[Timed out after (0\.3|10) s and killed/);
    const stop = new AbortController();
    const onOutput = () => stop.abort();
    const stopped = await callTool(
      coderTools({ vfs, runner, onOutput }),
      "bash",
      { command: "echo begun; sleep 60" },
      stop.signal,
    );
    assert.match(stopped.content, /^begun\n\[Stopped and killed/);
  }
  await Deno.remove(root, { recursive: true });
});
