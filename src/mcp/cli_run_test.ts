import assert from "node:assert/strict";
import {
  callTool,
  dataOf,
  failureOf,
  kept,
  outcome,
  TestCommands,
  testHost,
  testTools,
} from "./_testing.ts";

Deno.test("CliRun gives the specification's result for success, error and time-out", async () => {
  const commands = new TestCommands((command) => {
    if (command === "slow") {
      return outcome({ stdout: kept("1\n"), exitCode: null, timedOut: true, duration: 2000.4 });
    }
    const exitCode = command === "grep -z" ? 1 : 0;
    return outcome({ stdout: kept("out\n"), stderr: kept("err\n"), exitCode });
  });
  const tools = testTools({ commands });
  const run = (input: Record<string, unknown>) => dataOf(tools, "CliRun", input);
  const common = { stdout: "out\n", stderr: "err\n", duration: 0.013, workingDirectory: "/work" };
  assert.deepEqual(await run({ command: "ls" }), { status: "success", exitCode: 0, ...common });
  assert.deepEqual(await run({ command: "grep -z", workingDirectory: "/src" }), {
    ...{ status: "error", exitCode: 1, ...common },
    workingDirectory: "/src",
  });
  assert.deepEqual(await run({ command: "ls", captureStderr: false }), {
    ...{ status: "success", exitCode: 0, ...common },
    stderr: "",
  });
  assert.deepEqual(await run({ command: "slow", timeout: 2 }), {
    ...{ status: "timeout", exitCode: null, stdout: "1\n", stderr: "", duration: 2 },
    workingDirectory: "/work",
    suggestion: "Command did not complete. Use CliSession for long-running commands. " +
      "A timeout may have up to 600 seconds.",
  });
  assert.deepEqual(commands.runs.map(({ options }) => options.timeout), [30e3, 30e3, 30e3, 2e3]);
});

Deno.test("CliRun names what was cut, a signal, background processes and survivors", async () => {
  const commands = new TestCommands(() =>
    outcome({
      stdout: { head: "a\nb", tail: "z\n", bytes: 1000, droppedBytes: 995 },
      exitCode: 139,
      signal: "SIGSEGV",
      background: true,
      survivors: "unknown",
    })
  );
  assert.deepEqual(await dataOf(testTools({ commands }), "CliRun", { command: "x" }), {
    status: "error",
    exitCode: 139,
    stdout: "a\nb\n[995 of 1000 bytes left out here: send the output to a file and read parts of " +
      "it]\nz\n",
    stderr: "",
    duration: 0.013,
    workingDirectory: "/work",
    signal: "SIGSEGV",
    background: true,
    survivors: "unknown",
  });
});

Deno.test("CliRun suggests programs of the PATH that CliEnv has set", async () => {
  const stderr = kept("bash: line 1: gti: command not found\n");
  const commands = new TestCommands(() => outcome({ exitCode: 127, stderr }));
  const tools = testTools({ commands });
  const suggest = async () =>
    (await dataOf(tools, "CliRun", { command: "gti" }) as { suggestion?: string }).suggestion;
  assert.equal(await suggest(), "There is no command gti. Similar commands: git, gtk.");
  await dataOf(tools, "CliEnv", { action: "set", name: "PATH", value: "/empty" });
  const none = "There is no command gti. Check the spelling, or whether it is installed.";
  assert.equal(await suggest(), none);
});

Deno.test("CliRun suggests near names, and names the path that was refused", async () => {
  const suggest = async (exitCode: number, stderr: string, sandboxed = false) => {
    const commands = new TestCommands(() => outcome({ exitCode, stderr: kept(stderr) }));
    const host = testHost(
      sandboxed ? { sandbox: { kind: "bwrap", network: true, writable: ["/work"] } } : {},
    );
    const data = await dataOf(testTools({ commands, host }), "CliRun", { command: "x" });
    return (data as { suggestion?: string }).suggestion;
  };
  const git = "There is no command gti. Similar commands: git, gtk.";
  assert.equal(await suggest(127, "bash: line 1: gti: command not found\n"), git);
  assert.equal(await suggest(127, "/bin/sh: 1: gti: not found\n"), git);
  assert.equal(await suggest(127, "zsh:1: command not found: gti\n"), git);
  assert.equal(await suggest(127, "fish: Unknown command: gti\nfish: \ngti\n^~^\n"), git);
  assert.equal(
    await suggest(127, "bash: line 1: quux: command not found"),
    "There is no command quux. Check the spelling, or whether it is installed.",
  );
  assert.equal(
    await suggest(127, "sh: 1: ./x.sh: not found"),
    "There is no file ./x.sh. Check the path.",
  );
  // A file that a program does not find is not a missing command.
  assert.equal(await suggest(1, "make: *** No rule to make target 'x'.  Stop.\n"), undefined);
  assert.equal(await suggest(0, "bash: line 1: gti: command not found\n"), undefined);
  assert.equal(
    await suggest(1, "first\ncat: /etc/shadow: Permission denied\n"),
    "Permission denied for /etc/shadow.",
  );
  assert.equal(
    await suggest(2, "ls: cannot open directory '/root/a b': Permission denied\n"),
    "Permission denied for /root/a b.",
  );
  assert.equal(
    await suggest(126, "bash: line 1: ./x.sh: Permission denied\n"),
    "Permission denied for ./x.sh. It is not executable: run it with its interpreter " +
      "(sh ./x.sh), or make it executable with chmod +x.",
  );
  assert.equal(
    await suggest(1, "touch: cannot touch '/etc/x': Read-only file system\n", true),
    "Read-only file system for /etc/x. The sandbox lets commands write to /work, /tmp only, and " +
      "hides keys and logins.",
  );
});

Deno.test("CliRun refuses bad input, a missing folder and more commands than may run", async () => {
  let end = () => {};
  const ended = new Promise<void>((resolve) => end = resolve);
  const commands = new TestCommands(() => ended.then(() => outcome()));
  const tools = testTools({ commands, limits: { commands: 1, secondsMost: 60 } });
  const refuse = (input: Record<string, unknown>) => failureOf(tools, "CliRun", input);
  assert.match(await refuse({}), /^CliRun: command: Invalid input/);
  assert.match(await refuse({ command: "" }), /^CliRun: command: Too small/);
  assert.match(await refuse({ command: "x", timeout: 61 }), /^CliRun: timeout: Too big.*<=60/);
  assert.match(
    await refuse({ command: "x", cwd: "/" }),
    /^Unknown key "cwd": CliRun takes command/,
  );
  assert.equal(
    await refuse({ command: "x", workingDirectory: "/missing" }),
    "CliRun: Cannot work in /missing: there is no such folder",
  );
  const first = callTool(tools, "CliRun", { command: "x" });
  assert.equal(
    await refuse({ command: "y" }),
    "CliRun: 1 commands are running, the most allowed at once: wait until one has ended",
  );
  end();
  assert.equal((await first).error, undefined);
  assert.equal((await callTool(tools, "CliRun", { command: "z" })).error, undefined);
  assert.deepEqual(commands.runs.map(({ command }) => command), ["x", "z"]);
});

Deno.test("CliRun reports its progress with the last line of output, if somebody asks", async () => {
  const reports: unknown[] = [];
  let enough = () => {};
  const told = new Promise<void>((resolve) => enough = resolve);
  const commands = new TestCommands((_command, { onOutput }) => {
    onOutput?.(new TextEncoder().encode("one\ntwo\x1b[K\r\n"));
    return told.then(() => outcome());
  });
  const tools = testTools({ commands, limits: { progressInterval: 1 } });
  await callTool(tools, "CliRun", { command: "x", timeout: 9 }, {
    progress: (report) => {
      reports.push(report);
      if (reports.length === 2) enough();
    },
  });
  const [first, second] = reports as { progress: number; total: number; message: string }[];
  assert.deepEqual([first?.total, first?.message], [9, "two\\x1b[K"]);
  assert((second?.progress ?? 0) > (first?.progress ?? 0));
  await callTool(tools, "CliRun", { command: "y" });
  assert.equal(commands.runs[1]?.options.onOutput, undefined);
});

Deno.test("CliRun passes a cancellation on, as no result", async () => {
  const commands = new TestCommands((_command, { signal }) =>
    new Promise((_, reject) => {
      if (signal.aborted) reject(signal.reason);
      signal.addEventListener("abort", () => reject(signal.reason), { once: true });
    })
  );
  const end = new AbortController();
  const running = callTool(testTools({ commands }), "CliRun", { command: "x" }, {
    signal: end.signal,
  });
  const reason = new Error("Cancelled");
  end.abort(reason);
  await assert.rejects(running, reason);
});

Deno.test("CliRun suggests no tool that is not on offer", async () => {
  const commands = new TestCommands(() => outcome({ exitCode: null, timedOut: true }));
  const tools = testTools({ commands, only: ["CliRun"] });
  assert.deepEqual(tools.names, ["CliRun"]);
  assert.doesNotMatch(tools.get("CliRun")?.spec.description ?? "", /CliSession/);
  const data = await dataOf(tools, "CliRun", { command: "x" });
  assert.doesNotMatch(JSON.stringify(data), /CliSession/);
});
