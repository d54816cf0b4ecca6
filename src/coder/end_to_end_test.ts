import assert from "node:assert/strict";
import { type AgentEvent, follow } from "../agent/mod.ts";
import { type Message, openaiClient } from "../llm/mod.ts";
import { parseScenarios } from "../mock/mod.ts";
import { hostFs } from "../sys/mod.ts";
import { CommandSession } from "../terminal/mod.ts";
import { hostVfs, memoryVfs } from "../vfs/mod.ts";
import { mockApp } from "../web/mock/mod.ts";
import spec from "../../scenarios/spec.json" with { type: "json" };
import { FakeRunner, MemoryLog } from "./_testing.ts";
import type { CommandRunner } from "./command_runner.ts";
import { run } from "./run.ts";
import { newSession, resume } from "./session.ts";
import type { CoderOptions } from "./options.ts";

/** The model of the mock, with the scenarios of spec.json, without a socket. */
function mockClient(scenarios: unknown = spec) {
  const app = mockApp({ scenarios: parseScenarios(scenarios, "spec.json") });
  const client = openaiClient({
    apiKey: "sk-test",
    baseUrl: "http://localhost/v1",
    fetch: async (url, init) => await app.fetch(new Request(url, init)),
  });
  return { app, client };
}

/** What the REPL would print. */
async function conversation(options: CoderOptions) {
  let shown = "";
  const result = await follow(run(options), (event: AgentEvent) => {
    if (event.type === "text") shown += event.content;
    else if (event.type === "turn_end") shown += "\n";
    else if (event.type === "tool_start") {
      const [first, ...more] = Object.values(event.input as Record<string, unknown>);
      shown += `\n[Tool: ${event.name}(${JSON.stringify(first)}${more.length > 0 ? ", ..." : ""})]`;
    }
  });
  return { shown, result };
}

const SHOWN = `I'll create a hello world Python script for you.
[Tool: write_file("hello.py", ...)]
I've created hello.py. Let me run it to verify it works.
[Tool: bash("python hello.py")]
Done! The script works correctly and outputs 'Hello, World!'
`;

Deno.test("run plays the hello-world scenario with a real shell", async () => {
  const root = await Deno.makeTempDir({ prefix: "coder-" });
  {
    const { client } = mockClient();
    await using session = new CommandSession({
      cwd: root,
      // Not every machine has Python: this one knows what the program is.
      env: { PATH: `${root}/bin:${Deno.env.get("PATH")}` },
    });
    await Deno.mkdir(`${root}/bin`);
    await Deno.writeTextFile(
      `${root}/bin/python`,
      `#!/bin/sh\nIFS="'" read -r call text rest <"$1"\necho "$text"\n`,
      { mode: 0o755 },
    );
    const runner: CommandRunner = session;
    const { shown, result } = await conversation({
      client,
      model: "mock",
      vfs: hostVfs(hostFs(), { root, allow: [root] }),
      runner,
      input: "Please make a hello world program",
    });
    assert.equal(shown, SHOWN);
    assert.equal(result.reason, "stop");
    assert.equal(await Deno.readTextFile(`${root}/hello.py`), "print('Hello, World!')");
    assert.deepEqual(
      result.messages.flatMap((message) => message.role === "tool" ? [message.content] : []),
      ["OK", "Hello, World!\n[Exit code 0, no sandbox]"],
    );
  }
  await Deno.remove(root, { recursive: true });
});

Deno.test("run goes on with a second scenario in the same conversation, from its log", async () => {
  const { client, app } = mockClient();
  const vfs = memoryVfs({ root: "/work" });
  const runner = new FakeRunner(() => ({ text: "Hello, World!\n" }));
  const log = new MemoryLog();
  await log.append(newSession({ root: "/work", model: "mock" }).record);
  const options = { client, model: "mock", vfs, runner, log };
  const first = await conversation({ ...options, input: "hello world" });
  assert.equal(first.shown, SHOWN);
  const { messages } = resume(log.records);
  assert.deepEqual(messages, first.result.messages);
  const second = await conversation({ ...options, messages, input: "how are you" });
  assert.equal(second.shown, "I'm doing well, thank you for asking!\n");
  assert.equal(app.mock.journal.total, 4);
});

Deno.test("run goes on after being killed in the middle of a turn", async () => {
  const { client } = mockClient();
  const vfs = memoryVfs({ root: "/work" });
  const log = new MemoryLog();
  await log.append(newSession({ root: "/work", model: "mock" }).record);
  // The log as it is after a kill in the middle of the command.
  let left = resume(log.records).messages;
  const runner = new FakeRunner(() => {
    left = resume(log.records).messages;
    return { text: "Hello, World!\n" };
  });
  const options = { client, model: "mock", vfs, runner };
  await conversation({ ...options, log, input: "hello world" });
  assert.deepEqual(left.map(({ role }) => role), [
    "system",
    "user",
    "assistant",
    "tool",
    "assistant",
    "tool",
  ]);
  const interrupted = left.at(-1) as Extract<Message, { role: "tool" }>;
  assert.match(String(interrupted.content), /^Interrupted: the program ended/);
  const { shown } = await conversation({ ...options, messages: left });
  assert.equal(shown, "Done! The script works correctly and outputs 'Hello, World!'\n");
});
