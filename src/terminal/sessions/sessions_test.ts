import assert from "node:assert/strict";
import { missing, notLinux, optional } from "../../../tests/_optional.ts";
import { KINDS } from "../_escapes_test.ts";
import { alive, cleanUp, newToken, noSandbox, startProgram, until } from "../_testing.ts";
import { chooseSandbox } from "../mod.ts";
import { PATIENT, signal, testBench } from "./_testing.ts";

const AT_PROMPT = { ...PATIENT, until: { kind: "prompt" } } as const;

function testSessions(name: string, fn: () => Promise<void>): void {
  Deno.test({ ...optional(name, notLinux, "python3", missing("grep")), fn });
}

testSessions(
  "A shell keeps its folder and variables between calls, and a call waits for its prompt",
  async () => {
    await using bench = await testBench();
    const session = await bench.start();
    const first = await session.read(AT_PROMPT);
    assert.equal(first.output, "$ ");
    assert.deepEqual(
      [first.atPrompt, first.waitingForInput, first.foreground, first.confidence],
      [true, false, "bash", "high"],
    );
    const write = async (input: string) => await session.write({ input, raw: false }, AT_PROMPT);
    assert.equal((await write("cd / && X=5{enter}")).output, "cd / && X=5\n$ ");
    const slow = await write("sleep 0.3; echo $X in $PWD{enter}");
    assert.deepEqual([slow.output, slow.keys], ["sleep 0.3; echo $X in $PWD\n5 in /\n$ ", [
      "enter",
    ]]);
    assert.equal((await write("stty size; echo $TERM{enter}")).output.split("\n")[1], "40 120");
    const stopped = await session.stop({ force: false, maxBytes: 100 });
    assert.deepEqual([stopped.exitCode, stopped.survivors], [129, 0]);
  },
);

testSessions(
  "A session that was stopped gives its last output, and leaves its place and id to another",
  async () => {
    await using bench = await testBench({ maxSessions: 1 });
    const session = await bench.start("echo one; echo two; sleep 300", { sessionId: "a" });
    await assert.rejects(bench.start("cat", { sessionId: "a" }), /there is one with that id/);
    const matches = (text: string) => text.includes("two");
    await session.read({ ...PATIENT, maxBytes: 4, until: { kind: "output", matches } });
    const stopped = await session.stop({ force: true, maxBytes: 100 });
    const whole = { exitCode: null, finalOutput: "\ntwo\n", hasMore: false, survivors: 0 };
    assert.deepEqual(stopped, whole);
    const end = await session.stop({ force: true, maxBytes: 4 });
    assert.deepEqual([end.finalOutput.endsWith("wo\n"), end.hasMore], [true, true]);
    assert.equal(bench.manager.get("me", "a"), session);
    assert.deepEqual(bench.manager.running(), []);
    const { output, isRunning, exitCode, hasMore } = await session.read(PATIENT);
    assert.deepEqual([output, isRunning, exitCode, hasMore], ["\ntwo\n", false, null, false]);
    await assert.rejects(
      session.write({ input: "x", raw: false }, PATIENT),
      { message: "Cannot write to a: it has ended (it was killed)" },
    );
    const next = await bench.start("cat", { sessionId: "a" });
    assert.deepEqual(bench.manager.list("me"), [next]);
    assert.equal(next.state.isRunning, true);
  },
);

testSessions(
  "A dialogue: the answer is not mistaken for output, nor the password shown",
  async () => {
    await using bench = await testBench();
    const session = await bench.start(
      "read -p 'Name? ' name; read -s -p 'Password: ' word; echo; echo \"$name has ${#word}\"; exit 3",
    );
    const read = { ...PATIENT, until: { kind: "input" } } as const;
    assert.equal((await session.read(read)).output, "Name? ");
    const asked = await session.write({ input: "Ann{enter}", raw: false }, read);
    assert.deepEqual([asked.output, asked.inputMode], ["Ann\nPassword: ", "password"]);
    const ended = await session.write({ input: "hush{enter}", raw: false }, read);
    assert.deepEqual(
      [ended.output, ended.isRunning, ended.waitingForInput, ended.exitCode],
      ["\nAnn has 4\n", false, false, 3],
    );
    await assert.rejects(
      session.write({ input: "x", raw: false }, read),
      /it has ended \(exit code 3\)/,
    );
    assert.equal((await session.read(read)).output, "");
  },
);

testSessions("until waits for a pattern, the end, or no longer than the time", async () => {
  await using bench = await testBench();
  const session = await bench.start("echo one; read x; echo two; read x; echo three; sleep 300");
  const matching = (word: string) => ({
    ...PATIENT,
    until: { kind: "output", matches: (text: string) => text.includes(word) },
  } as const);
  assert.equal((await session.read(matching("one"))).output, "one\n");
  const two = await session.write({ input: "{enter}", raw: false }, matching("two"));
  assert.match(two.output, /two/);
  const exit = { kind: "exit" } as const;
  const three = await session.write({ input: "{enter}", raw: false }, matching("three"));
  assert.match(three.output, /three/);
  const late = await session.read({ timeout: 300, maxBytes: 100, signal, until: exit });
  assert.deepEqual([late.isRunning, late.waitingForInput], [true, false]);
  const ended = session.read({ ...PATIENT, until: exit });
  await session.stop({ force: true, maxBytes: 4 });
  assert.deepEqual([(await ended).isRunning, (await ended).exitCode], [false, null]);
});

testSessions(
  "A pattern that the typed line has matches in its output, not in its echo",
  async () => {
    await using bench = await testBench();
    const session = await bench.start();
    await session.read(AT_PROMPT);
    const matches = (text: string) => text.includes("DONE");
    const until = { kind: "output", matches } as const;
    const input = "sleep 0.3; echo ok; echo DONE{enter}";
    const { output } = await session.write({ input, raw: false }, { ...PATIENT, until });
    assert.match(output, /\nok\nDONE\n/);
  },
);

testSessions("A call that is cancelled loses no output", async () => {
  await using bench = await testBench();
  const session = await bench.start("echo hello; sleep 300");
  const abort = new AbortController();
  const cancelled = session.read({ ...PATIENT, signal: abort.signal, until: { kind: "exit" } });
  abort.abort(new Error("The client has cancelled"));
  await assert.rejects(cancelled, /The client has cancelled/);
  const matches = (text: string) => text.includes("hello");
  const { output } = await session.read({ ...PATIENT, until: { kind: "output", matches } });
  assert.equal(output, "hello\n");
});

testSessions(
  "A line that the terminal would cut is refused, and nothing of it is sent",
  async () => {
    await using bench = await testBench();
    const session = await bench.start("cat");
    const read = { ...PATIENT, until: { kind: "input" } } as const;
    await session.read(read);
    const long = "x".repeat(4096);
    await assert.rejects(
      session.write({ input: `${long}{enter}`, raw: false }, read),
      /Cannot send a line of 4096 bytes: the terminal is in line mode/,
    );
    const matches = (text: string) => text.includes("y\ny\n");
    const sent = await session.write({ input: "y{enter}", raw: false }, {
      ...PATIENT,
      until: { kind: "output", matches },
    });
    assert.equal(sent.output, "y\ny\n");
  },
);

testSessions(
  "setVariable takes any value, at the prompt only, and stays out of sight and history",
  async () => {
    await using bench = await testBench();
    const session = await bench.start();
    await session.read(AT_PROMPT);
    const write = async (input: string) => await session.write({ input, raw: false }, AT_PROMPT);
    await write("set -o history{enter}");
    const value = 'it\'s "$HOME" `x` !! \\ \u00e4\tb\nc\n';
    await session.setVariable("WORD", value, signal);
    await session.setVariable("PLAIN", "a b", signal);
    assert.equal(session.environment()["WORD"], value);
    const shown = await write("printf %s \"$WORD|$PLAIN\" | od -An -c | tr -d ' \\n'; echo{enter}");
    assert.match(shown.output, /it's"\$HOME"`x`!!\\303244\\tb\\nc\\n\|ab/);
    assert.doesNotMatch((await write("history{enter}")).output, /WORD=|PLAIN=|export/);
    await session.setVariable("WORD", null, signal);
    assert.match((await write("echo ${WORD-gone}{enter}")).output, /\ngone\n/);
    await write("readonly FIXED=1{enter}");
    await assert.rejects(session.setVariable("FIXED", "2", signal), /the shell refuses it/);
    await session.write({ input: "cat{enter}", raw: false }, {
      ...PATIENT,
      until: { kind: "input" },
    });
    await assert.rejects(
      session.setVariable("X", "1", signal),
      /Cannot set X in session-\w+: the shell is not at its prompt, cat runs/,
    );
  },
);

testSessions(
  "Sessions belong to their owner, have ids of their own, and there are no more than allowed",
  async () => {
    await using bench = await testBench({ maxSessions: 2 });
    const { manager } = bench;
    const mine = await bench.start("cat", { sessionId: "a" });
    const theirs = await bench.start("cat", { owner: "them", sessionId: "a" });
    assert.equal(manager.get("me", "a"), mine);
    assert.equal(manager.get("them", "a"), theirs);
    assert.equal(manager.get("nobody", "a"), undefined);
    assert.deepEqual(manager.list("me"), [mine]);
    await assert.rejects(bench.start("cat", { sessionId: "a" }), /there is one with that id/);
    await assert.rejects(
      bench.start("cat"),
      /Cannot start a session: 2 run already, which is the limit; stop one first \(a\)/,
    );
    await manager.stopAll("them");
    assert.equal(manager.get("them", "a"), undefined);
    assert.equal(mine.state.isRunning, true);
  },
);

testSessions(
  "A session that has ended can be read for 10 minutes, and an idle prompt ends after 30",
  async () => {
    let now = 0;
    let tick = () => {};
    const clock = {
      now: () => now,
      every(_: number, call: () => void) {
        tick = call;
        return () => {};
      },
    };
    await using bench = await testBench({ clock });
    const ended = await bench.start("echo done", { sessionId: "ended" });
    const shell = await bench.start(undefined, { sessionId: "shell" });
    const busy = await bench.start("sleep 300", { sessionId: "busy" });
    await ended.ended;
    await shell.read(AT_PROMPT);
    now += 9 * 60_000;
    assert.equal((await ended.read(PATIENT)).output, "done\n");
    now += 60_000;
    assert.equal(bench.manager.get("me", "ended"), undefined);
    const stopped = await bench.start("cat", { sessionId: "stopped" });
    await stopped.stop({ force: true, maxBytes: 4 });
    now += 9 * 60_000;
    assert.equal(bench.manager.get("me", "stopped"), stopped);
    now += 60_000;
    assert.equal(bench.manager.get("me", "stopped"), undefined);
    now += 9 * 60_000;
    tick();
    assert.equal(await shell.atPromptNow(), true);
    now += 60_000;
    tick();
    await shell.ended;
    assert.deepEqual([shell.state.isRunning, busy.state.isRunning], [false, true]);
  },
);

Deno.test({
  ...optional(
    "A program in the sandbox reaches nothing of its keeper, whose orders and reports are pipes",
    ...[notLinux, "python3" as const, noSandbox],
  ),
  async fn() {
    await using bench = await testBench({ sandbox: await chooseSandbox("bwrap") });
    const session = await bench.start(
      "for fd in 0 1 2; do (: >/proc/$PPID/fd/$fd) 2>/dev/null && echo opened $fd; done; " +
        "cat /proc/$PPID/comm; (: >/proc/$$/fd/1) && echo own",
    );
    const { output } = await session.read({ ...PATIENT, until: { kind: "exit" } });
    assert.equal(output, "llmcmd-pty\nown\n");
  },
});

testSessions(
  "A read of a flood gives what it may give, and does not wait for a pause",
  async () => {
    await using bench = await testBench();
    const session = await bench.start("yes 'a line of a flood'");
    const timeout = 300_000;
    const began = performance.now();
    for (let read = 0; read < 5; read++) {
      const { output, hasMore } = await session.read({ timeout, maxBytes: 4096, signal });
      assert.deepEqual([output.length > 3000, hasMore], [true, true]);
    }
    // A read that waits for a pause of the flood would take all its time.
    assert(performance.now() - began < timeout);
  },
);

testSessions("A start that can't be says why", async () => {
  await using bench = await testBench();
  const start = async (changes: Record<string, unknown>) =>
    await bench.manager.start("me", {
      ...{ workingDirectory: bench.folder, env: {}, signal, ...changes },
    });
  await assert.rejects(start({ workingDirectory: "/no/such" }), /Cannot start|no such folder/i);
  await assert.rejects(
    start({ command: "a\0b" }),
    /Cannot run the command: it has a NUL character/,
  );
  const abort = new AbortController();
  abort.abort(new Error("Too late"));
  await assert.rejects(start({ signal: abort.signal }), /Too late/);
  assert.deepEqual(bench.manager.list("me"), []);
});

for (
  const [name, sandbox, lacks] of [
    ["no sandbox", "none", undefined],
    ["bwrap", "bwrap", noSandbox],
  ] as const
) {
  Deno.test({
    ...optional(`Stopping a session leaves none of eight kinds of descendants (${name})`, ...[
      notLinux,
      "python3" as const,
      lacks,
    ]),
    async fn() {
      await using bench = await testBench({ sandbox: await chooseSandbox(sandbox) });
      const ends = ["stop", "force", "exit", "keeper killed"] as const;
      await Promise.all(ends.map(async (end) => {
        // The first program of a sandbox can't be killed from the inside.
        if (end === "keeper killed" && sandbox === "bwrap") return;
        const token = newToken();
        try {
          const last = { exit: "read x", "keeper killed": "read x; kill -KILL $PPID; sleep 60" };
          const session = await bench.start(
            `T=${token}\n${Object.values(KINDS).join("\n")}\necho started\n` +
              (end === "exit" || end === "keeper killed"
                ? last[end]
                : "trap '' HUP TERM; sleep $T"),
          );
          // Not the shell itself, whose command line has the token.
          const others = () => alive(token, "echo started").length;
          assert(await until(() => others() >= Object.keys(KINDS).length), end);
          if (end === "exit" || end === "keeper killed") {
            await session.write({ input: "{enter}", raw: false }, {
              ...PATIENT,
              until: { kind: "exit" },
            });
          }
          const { survivors } = await session.stop({ force: end === "force", maxBytes: 100 });
          assert.equal(survivors, 0, end);
          // The first process of a sandbox ends a moment later.
          assert(await until(() => alive(token).length === 0), `${end}: survivors`);
        } finally {
          cleanUp(token);
        }
      }));
    },
  });
}

testSessions("Nothing of a session is left when this process is killed with SIGKILL", async () => {
  const token = newToken();
  const program = `
    import { chooseSandbox, CommandSession, findShell, SessionManager } from "${
    import.meta.resolve("../mod.ts")
  }";
    const sandbox = await chooseSandbox("none");
    const runner = new CommandSession({ cwd: "/", sandbox });
    const manager = new SessionManager({ runner, sandbox, shell: findShell("bash") });
    await manager.start("me", {
      command: \`T=${token}\n${KINDS["setsid, double fork, environment cleared"]}
        ${KINDS["TERM ignored"]}\nsleep $T\`,
      workingDirectory: "/", env: {}, signal: new AbortController().signal,
    });
    await new Promise(() => setInterval(() => {}, 1000));`;
  try {
    await using other = await startProgram(program);
    assert(await until(() => alive(token, "env -i").length >= 3), "did not start");
    await other.kill();
    assert(await until(() => alive(token).length === 0), "survivors");
  } finally {
    cleanUp(token);
  }
});
