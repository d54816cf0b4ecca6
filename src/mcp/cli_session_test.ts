import assert from "node:assert/strict";
import type { SessionOutput } from "../ports/mod.ts";
import {
  AT_PROMPT,
  callTool,
  dataOf,
  failureOf,
  TestCommands,
  testHost,
  TestSessions,
  testTools,
} from "./_testing.ts";
import { outcome } from "./_testing.ts";

/** The state of a running session in a result, which has no exit code. */
const { exitCode: _none, ...state } = AT_PROMPT;

Deno.test("CliSession starts a session in a folder, with variables, and gives its first output", async () => {
  const sessions = new TestSessions();
  const tools = testTools({ sessions });
  await dataOf(tools, "CliEnv", { action: "set", name: "A", value: "1" });
  await dataOf(tools, "CliEnv", { action: "unset", name: "PATH" });
  const input = { sessionId: "s1", workingDirectory: "/src", env: { B: "2" }, columns: 80 };
  assert.deepEqual(await dataOf(tools, "CliSession", input), {
    status: "started",
    sessionId: "s1",
    pid: 12345,
    shell: "bash",
    workingDirectory: "/src",
    initialOutput: "$ ",
    hasMore: false,
    hint: "Use CliWrite to send commands, CliRead to get output, CliStop to terminate",
    ...state,
  });
  const { signal: _, ...options } = sessions.get("me", "s1")?.options ?? {};
  assert.deepEqual(options, {
    ...{ sessionId: "s1", workingDirectory: "/src", columns: 80 },
    env: { A: "1", PATH: null, B: "2" },
  });
});

Deno.test("CliSession refuses variables that run other code, bad ids and a missing folder", async () => {
  const tools = testTools({ sessions: new TestSessions() });
  const refuse = (input: Record<string, unknown>) => failureOf(tools, "CliSession", input);
  assert.match(
    await refuse({ env: { LD_PRELOAD: "x" } }),
    /^CliSession: Cannot set LD_PRELOAD: it/,
  );
  assert.match(await refuse({ env: { "a b": "x" } }), /^CliSession: Cannot use the name "a b"/);
  assert.match(await refuse({ sessionId: "a/b" }), /^CliSession: sessionId: use 1 to 64 of A-Z/);
  assert.match(await refuse({ workingDirectory: "/missing" }), /there is no such folder$/);
});

Deno.test("CliRead gives the output since the last call, and waits as it is told", async () => {
  const sessions = new TestSessions();
  const tools = testTools({ sessions });
  await callTool(tools, "CliSession", { sessionId: "s1" });
  const session = sessions.get("me", "s1");
  assert(session !== undefined);
  session.output = "ok\n";
  assert.deepEqual(await dataOf(tools, "CliRead", { sessionId: "s1" }), {
    ...{ sessionId: "s1", output: "ok\n", hasMore: false, ...state },
  });
  await callTool(tools, "CliRead", { sessionId: "s1", until: "prompt" });
  const input = { sessionId: "s1", until: "/[0-9]+ passed/", timeout: 300, maxBytes: 100 };
  await callTool(tools, "CliRead", input);
  const [, usual, prompt, regex] = session.reads;
  assert.deepEqual([usual?.timeout, usual?.maxBytes, usual?.until], [5000, 65536, undefined]);
  assert.deepEqual([prompt?.timeout, prompt?.until], [30_000, { kind: "prompt" }]);
  assert.deepEqual([regex?.timeout, regex?.maxBytes], [300_000, 100]);
  assert(regex?.until?.kind === "output");
  assert.deepEqual(["12 passed", "none passed"].map(regex.until.matches), [true, false]);
  await callTool(tools, "CliRead", { sessionId: "s1", until: "/^passed$/im" });
  const flagged = session.reads.at(-1)?.until;
  assert(flagged?.kind === "output");
  assert.deepEqual(["1\nPASSED\n2", "1 PASSED"].map(flagged.matches), [true, false]);
  for (const until of ["done", "/done/g"]) {
    assert.equal(
      await failureOf(tools, "CliRead", { sessionId: "s1", until }),
      `CliRead: Cannot wait for "${until}": give exit, input, prompt or /regex/, ` +
        "optionally with the flags i, m and s",
    );
  }
});

Deno.test("CliSession tells of its first output what CliRead does: whether there is more, and of a screen", async () => {
  const sessions = new TestSessions();
  const start = sessions.start.bind(sessions);
  const more = { hasMore: true, droppedBytes: 7, screen: true, cursor: { row: 2, column: 1 } };
  sessions.start = async (owner, options) => {
    const session = await start(owner, options);
    session.read = () => Promise.resolve({ ...AT_PROMPT, output: "~", ...more });
    return session;
  };
  assert.deepEqual(await dataOf(testTools({ sessions }), "CliSession", { sessionId: "s1" }), {
    ...{ status: "started", sessionId: "s1", pid: 12345, shell: "bash", workingDirectory: "/work" },
    ...{ initialOutput: "~", ...more, ...state },
    hint: "Use CliWrite to send commands, CliRead to get output, CliStop to terminate",
  });
});

Deno.test("CliSession that is cancelled leaves no session that runs", async () => {
  const sessions = new TestSessions();
  const start = sessions.start.bind(sessions);
  const cancel = new AbortController();
  sessions.start = async (owner, options) => {
    const session = await start(owner, options);
    session.read = ({ signal }) => {
      cancel.abort(new Error("Cancelled"));
      return Promise.reject(signal.reason);
    };
    return session;
  };
  const call = callTool(testTools({ sessions }), "CliSession", { sessionId: "s1" }, {
    signal: cancel.signal,
  });
  await assert.rejects(call, /^Error: Cancelled$/);
  assert.equal(sessions.get("me", "s1")?.state.isRunning, false);
});

Deno.test("CliSession says of a command that has ended how, and what may help", async () => {
  const sessions = new TestSessions();
  const start = sessions.start.bind(sessions);
  const ended = { isRunning: false, waitingForInput: false };
  let first: { readonly output: string } & Partial<SessionOutput> = { output: "" };
  sessions.start = async (owner, options) => {
    const session = await start(owner, options);
    session.read = () => Promise.resolve({ ...AT_PROMPT, hasMore: false, ...ended, ...first });
    return session;
  };
  const tools = testTools({ sessions });
  const hint = async (output: Partial<SessionOutput>) => {
    first = { output: "", ...output };
    const data = await dataOf(tools, "CliSession", { command: "x" });
    return (data as { hint?: string }).hint;
  };
  assert.equal(
    await hint({ exitCode: 127, output: "bash: line 1: gti: command not found\n" }),
    "The command has ended (exit code 127). There is no command gti. Similar commands: git, gtk.",
  );
  assert.equal(
    await hint({ exitCode: 0, hasMore: true }),
    "The command has ended (exit code 0). Read the rest of its output with CliRead.",
  );
  assert.equal(await hint({ exitCode: null }), "The command has ended (it was killed).");
});

Deno.test("CliRead tells of an ended session its exit code, and of a screen its cursor", async () => {
  const sessions = new TestSessions();
  const tools = testTools({ sessions });
  await callTool(tools, "CliSession", { sessionId: "s1" });
  const session = sessions.get("me", "s1");
  assert(session !== undefined);
  session.read = () => {
    const screen = { screen: true, cursor: { row: 2, column: 1 }, droppedBytes: 7 };
    return Promise.resolve({ ...AT_PROMPT, output: "~", hasMore: true, ...screen });
  };
  assert.deepEqual(await dataOf(tools, "CliRead", { sessionId: "s1" }), {
    ...{ sessionId: "s1", output: "~", hasMore: true, droppedBytes: 7, screen: true },
    ...{ cursor: { row: 2, column: 1 }, ...state },
  });
  const ended = { ...AT_PROMPT, isRunning: false, foreground: null, inputMode: null, exitCode: 3 };
  session.read = () => Promise.resolve({ ...ended, output: "bye\n", hasMore: false });
  assert.deepEqual(await dataOf(tools, "CliRead", { sessionId: "s1" }), {
    ...{ sessionId: "s1", output: "bye\n", hasMore: false },
    ...{ isRunning: false, waitingForInput: false, exitCode: 3 },
  });
});

Deno.test("CliWrite types, and gives what comes of it with the keys that were sent", async () => {
  const sessions = new TestSessions();
  const tools = testTools({ sessions });
  await callTool(tools, "CliSession", { sessionId: "s1" });
  const session = sessions.get("me", "s1");
  const input = { sessionId: "s1", input: "npm test{enter}", until: "prompt" };
  assert.deepEqual(await dataOf(tools, "CliWrite", input), {
    ...{ sessionId: "s1", status: "sent", keys: ["enter"] },
    ...{ responseOutput: "npm test{enter}\n", hasMore: false, ...state },
  });
  assert.deepEqual(session?.inputs, [{ input: "npm test{enter}", raw: false }]);
  const misnamed = { sessionId: "s1", input: ":wq{return}" };
  const { hint } = await dataOf(tools, "CliWrite", misnamed) as { hint?: string };
  assert.equal(hint, "{return} was sent as text; as a key it is {enter}");
  const asText = await dataOf(tools, "CliWrite", { ...misnamed, raw: true });
  assert.equal((asText as { hint?: string }).hint, undefined);
  assert(session !== undefined);
  session.state = { ...AT_PROMPT, isRunning: false, exitCode: 3 };
  assert.equal(
    await failureOf(tools, "CliWrite", { sessionId: "s1", input: "x" }),
    "CliWrite: Cannot write to s1: it has ended (exit code 3); its output can be read with CliRead",
  );
});

Deno.test("CliStop ends a session, and says how it ended", async () => {
  const tools = testTools({ sessions: new TestSessions() });
  await callTool(tools, "CliSession", { sessionId: "s1" });
  assert.deepEqual(await dataOf(tools, "CliStop", { sessionId: "s1", force: true }), {
    ...{ sessionId: "s1", status: "stopped", exitCode: 0 },
    ...{ finalOutput: "Goodbye!\n", hasMore: false },
  });
});

Deno.test("A session that does not exist is answered with those of the same owner", async () => {
  const sessions = new TestSessions();
  const tools = testTools({ sessions });
  await callTool(testTools({ sessions, owner: "other" }), "CliSession", { sessionId: "theirs" });
  assert.equal(
    await failureOf(tools, "CliRead", { sessionId: "theirs" }),
    'CliRead: There is no session "theirs", nor any other: start one with CliSession',
  );
  for (const sessionId of ["a", "b"]) await callTool(tools, "CliSession", { sessionId });
  await callTool(tools, "CliStop", { sessionId: "b" });
  for (const name of ["CliRead", "CliWrite", "CliStop", "CliEnv"]) {
    const more = { CliWrite: { input: "x" }, CliEnv: { action: "list" } }[name];
    assert.equal(
      await failureOf(tools, name, { sessionId: "c", ...more }),
      `${name}: There is no session "c": there are a, b (ended)`,
    );
  }
});

Deno.test("Without a way to have sessions, the tools name what is missing", async () => {
  const tools = testTools();
  const missing = "python3 is missing: install it";
  assert.equal(await failureOf(tools, "CliSession", {}), `CliSession: ${missing}`);
  assert.equal(
    await failureOf(tools, "CliRead", { sessionId: "s" }),
    `CliRead: There is no session "s", nor any other: ${missing}`,
  );
});

Deno.test("On Windows CliGetPlatform answers, and the others name what they need", async () => {
  const commands = new TestCommands(() => outcome());
  const tools = testTools({ commands, host: testHost({ posix: false }) });
  const inputs: Record<string, Record<string, unknown>> = {
    CliRun: { command: "dir" },
    CliSession: {},
    CliRead: { sessionId: "s" },
    CliWrite: { sessionId: "s", input: "x" },
    CliStop: { sessionId: "s" },
    CliEnv: { action: "list" },
  };
  for (const [name, input] of Object.entries(inputs)) {
    assert.match(await failureOf(tools, name, input), /^Cli\w+: it needs a POSIX system, such as/);
  }
  assert.deepEqual(commands.runs, []);
  await dataOf(tools, "CliGetPlatform", {});
});

Deno.test("Where a program asks for a password, the hint sends the person to join, and not to tell it", async () => {
  const sessions = new TestSessions();
  const tools = testTools({ sessions });
  await callTool(tools, "CliSession", { sessionId: "s1" });
  const session = sessions.get("me", "s1");
  assert(session !== undefined);
  const hintNow = async () => {
    const data = await dataOf(tools, "CliRead", { sessionId: "s1" });
    assert(typeof data === "object" && data !== null);
    return [Reflect.get(data, "hint"), Reflect.get(data, "attached")];
  };
  const asking = { ...AT_PROMPT, atPrompt: false, inputMode: "password" } as const;
  session.state = asking;
  assert.deepEqual(await hintNow(), [undefined, undefined]);
  session.attachCommand = "llmcmd attach s1";
  const wait = 'then wait with CliRead sessionId="s1" until="/./"';
  assert.deepEqual(await hintNow(), [
    "Do not ask for the password: ask the person to type it themselves, by running " +
    `"llmcmd attach s1" in a terminal of their own (Ctrl+] leaves it); ${wait}`,
    undefined,
  ]);
  session.state = { ...asking, attached: true };
  assert.deepEqual(await hintNow(), [
    `A person has joined the session and can type the password; ${wait}`,
    true,
  ]);
  session.state = { ...AT_PROMPT, attached: true };
  assert.deepEqual(await hintNow(), [undefined, true]);
});
