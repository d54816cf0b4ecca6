import assert from "node:assert/strict";
import { notLinux } from "../../tests/_optional.ts";
import { alive, newToken, testEachDesign } from "./_testing.ts";
import { withChanges } from "./_changed_variables.ts";
import { type ApartOptions, CommandSession, CommandStartError, findShell } from "./mod.ts";

const how = (changes: Partial<ApartOptions> = {}): ApartOptions => ({
  timeout: 60_000,
  maxBytes: 1000,
  signal: new AbortController().signal,
  ...changes,
});

const whole = (text: string) => ({ head: text, tail: "", bytes: text.length, droppedBytes: 0 });

testEachDesign(
  "CommandSession.runApart keeps both outputs apart, with the exit code and a signal",
  async ({ design, sandbox }) => {
    await using session = new CommandSession({ sandbox, killDesigns: [design] });
    const seen: string[] = [];
    const onOutput = (chunk: Uint8Array) => void seen.push(new TextDecoder().decode(chunk));
    const result = await session.runApart("echo out; echo err >&2; cat; exit 7", how({ onOutput }));
    const { duration, ...end } = result;
    assert.deepEqual(end, {
      ...{ stdout: whole("out\n"), stderr: whole("err\n"), exitCode: 7, signal: null },
      ...{ timedOut: false, background: false, survivors: 0 },
    });
    assert(duration > 0);
    assert.deepEqual(seen.sort(), ["err\n", "out\n"]);
    const killed = await session.runApart("kill -SEGV $$", how());
    assert.deepEqual([killed.exitCode, killed.signal], [139, "SIGSEGV"]);
  },
);

testEachDesign(
  "CommandSession.runApart gives what a command wrote until its time-out, and kills all of it",
  async ({ design, sandbox }) => {
    await using session = new CommandSession({ sandbox, killDesigns: [design] });
    const token = newToken();
    // A busy machine may need longer to begin.
    for (const timeout of [400, 30_000]) {
      const line = `echo before; (setsid sleep ${token} &); sleep ${token}`;
      const result = await session.runApart(line, how({ timeout }));
      assert.equal(result.timedOut, true);
      assert.equal(result.exitCode, null);
      assert.deepEqual(alive(token), []);
      if (result.stdout.head === "before\n") return;
    }
    assert.fail("the command did not begin");
  },
  notLinux,
);

testEachDesign(
  "CommandSession.runApart rejects with the reason of its signal once all is killed",
  async ({ design, sandbox }) => {
    await using session = new CommandSession({ sandbox, killDesigns: [design] });
    const token = newToken();
    const end = new AbortController();
    const reason = new Error("enough");
    const onOutput = () => end.abort(reason);
    const line = `(setsid sleep ${token} &); echo begun; sleep ${token}`;
    await assert.rejects(session.runApart(line, how({ signal: end.signal, onOutput })), reason);
    assert.deepEqual(alive(token), []);
    await assert.rejects(session.runApart("echo", how({ signal: end.signal })), reason);
  },
  notLinux,
);

testEachDesign(
  "CommandSession.runApart is not held up by what stays in the background, which the session ends",
  async ({ design, sandbox }) => {
    const token = newToken();
    {
      await using session = new CommandSession({ sandbox, killDesigns: [design] });
      const line = `echo begun; sh -c 'yes & sleep ${token}' &`;
      const result = await session.runApart(line, how());
      assert.equal(result.exitCode, 0);
      assert.equal(result.background, true);
      assert.match(result.stdout.head, /^begun\n/);
      assert(alive(token).length > 0, "what is in the background goes on");
    }
    assert.deepEqual(alive(token), []);
  },
  notLinux,
);

testEachDesign(
  "CommandSession.runApart changes variables for the command alone",
  async ({ design, sandbox }) => {
    const base = { PATH: Deno.env.get("PATH") ?? "", GONE: "1", KEPT: "2" };
    await using session = new CommandSession({ base, sandbox, killDesigns: [design] });
    const value = `a "b" $(c) 'd'\n\\e`;
    const env = { PATH: "/nowhere", GONE: null, NEW: value, KEPT: "3" };
    const line = 'echo "$PATH|${GONE-unset}|$KEPT|$NEW|${LLMCMD_SET_NEW-unset}"';
    const { stdout } = await session.runApart(line, how({ env }));
    assert.equal(stdout.head, `/nowhere|unset|3|${value}|unset\n`);
    const after = await session.runApart('echo "$GONE|$KEPT|${NEW-unset}"', how());
    assert.equal(after.stdout.head, "1|2|unset\n");
    const { shellPath } = await findShell("sh");
    const shell = await session.runApart("echo $0", how({ shell: shellPath, env: { A: "1" } }));
    assert.equal(shell.stdout.head, `${shellPath}\n`);
  },
);

Deno.test("withChanges keeps changes from what starts the command", () => {
  const { env, line } = withChanges("ls", "/bin/sh", { PATH: "/evil", LD_LIBRARY_PATH: "/evil" });
  assert.deepEqual(env, { LLMCMD_SET_PATH: "/evil", LLMCMD_SET_LD_LIBRARY_PATH: "/evil" });
  assert.equal(line[0], "sh");
  assert.deepEqual(withChanges("ls", undefined, {}), { line: "ls", env: {} });
  assert.deepEqual(withChanges("ls", "/bin/sh", {}), { line: ["/bin/sh", "-c", "ls"], env: {} });
  assert.throws(() => withChanges("ls", undefined, { "A;rm": "1" }), {
    name: "RangeError",
    message: 'Cannot change the variable "A;rm": it is not a valid name',
  });
});

Deno.test("findShell finds the shell that is asked for, else bash or sh", async () => {
  const usual = await findShell();
  assert.match(usual.shellPath, /^\/.*\/(ba)?sh$/);
  assert.equal(usual.shell, usual.shellPath.split("/").at(-1));
  const { platform, shellPath: _, ...sh } = await findShell("sh");
  assert.equal(platform, Deno.build.os);
  assert.deepEqual(sh, {
    ...{ shell: "sh", pathSeparator: "/", commandSeparator: "&&", environmentPrefix: "$" },
    features: { pipelines: true, redirects: true, backgroundJobs: true, heredoc: true },
  });
  for (const wanted of ["/no/shell", "no-such-shell", "/dev/null", "/tmp"]) {
    await assert.rejects(
      findShell(wanted),
      (error) => error instanceof CommandStartError && error.message.includes(wanted),
    );
  }
});
