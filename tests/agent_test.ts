import assert from "node:assert/strict";
import { Place, Terminal, untilCount } from "./_agent.ts";
import { optional } from "./_optional.ts";

/** The output of the scenario hello-world in the terminal. */
const HELLO = `Agent: I'll create a hello world Python script for you.

[Tool: write_file("hello.py", ...)]

Agent: I've created hello.py. Let me run it to verify it works.

[Tool: bash("python hello.py")]

Agent: Done! The script works correctly and outputs 'Hello, World!'
`;

Deno.test("llmcmd agent -p prints the answer alone, and the rest on standard error", async () => {
  await using place = new Place();
  const ran = await place.run("", "-p", "Write hello world");
  assert.deepEqual(ran, {
    code: 0,
    stdout: "Done! The script works correctly and outputs 'Hello, World!'\n",
    stderr: `Agent: I'll create a hello world Python script for you.
[Tool: write_file("hello.py", ...)]
Agent: I've created hello.py. Let me run it to verify it works.
[Tool: bash("python hello.py")]
`,
  });
  assert.equal(await Deno.readTextFile(`${place.folder}/hello.py`), "print('Hello, World!')");
});

Deno.test("llmcmd agent -p --quiet prints nothing but the answer", async () => {
  await using place = new Place();
  const { stdout, stderr } = await place.run("", "-q", "-p", "Write hello world");
  assert.deepEqual([stdout.split("\n").length, stderr], [2, ""]);
});

Deno.test("llmcmd agent in a pipe prints the specification's lines", async () => {
  await using place = new Place();
  const ran = await place.run("Write hello world\n");
  assert.deepEqual(ran, { code: 0, stdout: HELLO, stderr: "" });
});

Deno.test("llmcmd agent -p appends what is piped to it", async () => {
  await using place = new Place();
  const { stdout } = await place.run("how are you\n", "-p", "Answer:");
  assert.equal(place.last(), "Answer:\n\nhow are you\n");
  assert.equal(stdout, "I'm doing well, thank you for asking!\n");
});

Deno.test("llmcmd agent in a pipe answers each line, without You:", async () => {
  await using place = new Place();
  const input = "how are you\n\n!echo hidden; exit 3\nagain\n/clear\nagain\n";
  const { code, stdout, stderr } = await place.run(input);
  assert.deepEqual({ code, stderr }, { code: 0, stderr: "" });
  assert.match(
    stdout,
    new RegExp(
      "^Agent: I'm doing well, thank you for asking!\n" +
        "hidden\n\\[Exit code 3, no sandbox\\]\n" +
        "\nAgent: Still here\\.\n" +
        "This is a new session; /resume [-\\w]+ goes back to: how are you\n" +
        "\nAgent: Still here\\.\n$",
    ),
  );
  const counts = place.requests.map(({ messages }) => messages.length);
  assert.deepEqual(counts, [2, 4, 2]);
  assert.equal(JSON.stringify(place.requests).includes("hidden"), false);
});

Deno.test("llmcmd agent --json prints every event as a line of JSON", async () => {
  await using place = new Place();
  const { stdout } = await place.run("", "-p", "again", "--json");
  const types = stdout.trim().split("\n").map((line) => JSON.parse(line).type);
  assert.equal(types[0], "run_start");
  assert.equal(types.at(-1), "run_end");
  assert.ok(types.includes("text"), stdout);
});

Deno.test("llmcmd agent says what is wrong, and ends with its status", async () => {
  await using place = new Place();
  const operand = await place.run("", "hello");
  assert.equal(operand.code, 2);
  assert.match(operand.stderr, /unexpected operand 'hello': give the message with -p/);
  const sandbox = await place.run("", "--sandbox=jail");
  assert.equal(sandbox.code, 2);
  const unknown = await place.run("/nonsense\n");
  assert.match(unknown.stdout, /There is no command \/nonsense: \/help lists them/);
});

Deno.test("llmcmd agent ends with the status of what failed, and of a reader that went away", async () => {
  await using place = new Place();
  const failing = { ...place.env, LLM_BASE_URL: `${place.env["LLM_BASE_URL"]}/nowhere` };
  const failed = await place.run("", failing, "-p", "again");
  assert.equal(failed.code, 3);
  assert.equal(failed.stdout, "");
  assert.match(failed.stderr, /^llmcmd agent: .*404/);
  const wrong = await place.run("", { ...place.env, LLMCMD_AGENT_CONTEXT: "x" }, "-p", "again");
  assert.equal(wrong.code, 2);
  assert.match(wrong.stderr, /LLMCMD_AGENT_CONTEXT in the environment is "x": give a whole number/);
  const child = place.spawn(place.env, "--sandbox=none", "-p", "again");
  await child.stdin.close();
  await child.stdout.cancel();
  await child.stderr.cancel();
  assert.equal((await child.status).code, 141);
});

Deno.test("llmcmd agent has commands for its model, its tokens and its sessions", async () => {
  await using place = new Place();
  await place.run("how are you\n");
  const input = "/model other\nagain\n/usage\n/compact\n/resume\n/resume 2\nagain\n/resume 9\n";
  const { stdout, stderr, code } = await place.run(input);
  assert.deepEqual({ stderr, code }, { stderr: "", code: 0 });
  assert.match(
    stdout,
    new RegExp(
      "^Model: other\nAgent: Still here\\.\nInput: \\d+ tokens, output: 3 tokens, .*\n" +
        "Cannot compact the conversation: .*\n" +
        " 1  [-\\d]+ [:\\d]+  again\n 2  .*  how are you\n/resume N goes on with one\n" +
        "Going on with: how are you\n\nYou: how are you\n\nAgent: I'm doing well.*\n" +
        "\nAgent: Still here\\.\n" +
        "There is no session '9': /resume lists them\n$",
    ),
  );
  assert.deepEqual(place.requests.map(({ model }) => model), ["gpt-4o-mini", "other", "other"]);
  const last = place.requests.at(-1)?.messages.map(({ content }) => content) ?? [];
  assert.deepEqual(last.slice(1), [
    ...["how are you", "I'm doing well, thank you for asking!", "again"],
  ]);
});

Deno.test("llmcmd agent ends at once when it is stopped while it waits for its input", async () => {
  await using place = new Place();
  for (const args of [["-p", "again"], []]) {
    const child = place.spawn(place.env, "--sandbox=auto", ...args);
    const writer = child.stdin.getWriter();
    // More than a pipe holds, so that the write ends only if the agent reads.
    await writer.write(new Uint8Array(200_000).fill(10));
    child.kill("SIGTERM");
    assert.equal((await child.output()).signal, "SIGTERM");
    await writer.abort().catch(() => {});
  }
});

for (const signal of ["SIGTERM", "SIGINT", "SIGKILL"] as const) {
  Deno.test(`llmcmd agent leaves no process behind, and goes on after ${signal}`, async () => {
    await using place = new Place();
    const child = place.spawn(place.env, "--sandbox=none");
    const writer = child.stdin.getWriter();
    await writer.write(new TextEncoder().encode("leave something\nhang\n"));
    await untilCount(place.folder, 3);
    child.kill(signal);
    const { signal: received } = await child.output();
    assert.equal(received, signal);
    await writer.abort().catch(() => {});
    await untilCount(place.folder, 0);

    const { stdout, stderr } = await place.run("again\n", "--continue");
    assert.deepEqual({ stdout, stderr }, { stdout: "Agent: Still here.\n", stderr: "" });
    const messages = place.requests.at(-1)?.messages ?? [];
    assert.deepEqual(messages.map(({ role }) => role), [
      ...["system", "user", "assistant", "tool", "assistant"],
      ...["user", "assistant", "tool", "user"],
    ]);
  });
}

for (const term of [undefined, "dumb"]) {
  Deno.test({
    ...optional(
      `llmcmd agent --quiet on a terminal looks as specified, TERM=${term ?? "screen"}`,
      "tmux",
    ),
    async fn() {
      await using place = new Place();
      await using terminal = await Terminal.open(place, term, "--quiet");
      await terminal.keys("Write hello worldx", "BSpace", "Enter");
      const screen = await terminal.until(/Done![^]*\nYou:\n$/);
      assert.equal(screen, `You: Write hello world\n\n${HELLO}\nYou:\n`);
      await terminal.keys("hang", "Enter");
      await untilCount(place.folder, 1);
      await terminal.keys("C-c");
      await terminal.until(/\[Stopped\]\n\nYou:\n$/);
      await untilCount(place.folder, 0);
      await terminal.keys("C-d");
      assert.match(await terminal.until(/\d baud[^]* echo/), /\nstatus 0\n[^]* icanon/);
    },
  });
}

Deno.test({
  ...optional(
    "llmcmd agent takes pasted lines as one message, and Ctrl+C ends it at an empty prompt",
    "tmux",
  ),
  async fn() {
    await using place = new Place();
    await using terminal = await Terminal.open(place);
    await Deno.writeTextFile(`${place.folder}/paste`, "once\n!more,\n");
    await terminal.tmux("load-buffer", `${place.folder}/paste`);
    await terminal.tmux("paste-buffer", "-p");
    await terminal.keys("again", "Enter");
    await terminal.until(/Still here\.\n\nYou:\n/);
    assert.equal(place.last(), "once\n!more,\nagain");
    await terminal.keys("Up", " and again", "Enter");
    await terminal.until(/Still here\.[^]*Still here\.\n\nYou:\n/);
    assert.equal(place.last(), "once\n!more,\nagain and again");
    await terminal.keys("not sent", "C-c", "C-c", "C-c");
    assert.match(await terminal.until(/\d baud[^]* echo/), /\nstatus 0\n[^]* icanon/);
  },
});
