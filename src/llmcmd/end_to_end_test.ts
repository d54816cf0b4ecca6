import assert from "node:assert/strict";
import { openaiClient } from "../llm/mod.ts";
import { parseScenarios } from "../mock/mod.ts";
import { fromReadable } from "../streams/mod.ts";
import { mockApp } from "../web/mock/mod.ts";
import { runScript } from "./_testing.ts";

/** A client of the mock LLM, without a socket. */
function mockClient(scenarios: unknown[]) {
  const app = mockApp({ scenarios: parseScenarios({ scenarios }, "test.json"), strict: true });
  const client = openaiClient({
    apiKey: "sk-test",
    baseUrl: "http://mock/v1",
    fetch: async (url, init) => await app.fetch(new Request(url, init)),
  });
  return { client, journal: () => app.mock.journal.entries };
}

const pipeAndExit = [{
  response: {
    content: "I count them.",
    tool_calls: [{
      function: {
        name: "pipe",
        arguments: { cmd: "grep -c 'error\\|warn'", in_fd: 3, out_fd: 1 },
      },
    }],
  },
}, {
  match: { tool_result_contains: '"status":[0]' },
  response: { tool_calls: [{ function: { name: "exit", arguments: { code: 0 } } }] },
}];

Deno.test("llmcmd counts lines of a file, through the client and the mock LLM", async () => {
  const { client, journal } = mockClient([
    {
      name: "count",
      trigger: "Count",
      match: { system_contains: "- fd 3: file3 (26 bytes)\n" },
      steps: pipeAndExit,
    },
  ]);
  const { result, out, events } = await runScript(client, {
    inputs: ["error 1\ninfo 2\nwarn 3\nx 4\n"],
  }, { instructions: "Count errors and warnings" });
  assert.deepEqual([result.reason, result.exitCode, result.apiCalls, out], ["tool", 0, 2, "2\n"]);
  assert.ok(result.usage.total_tokens > 0 && result.weightedTokens > 0);
  assert.equal(journal().length, 2);
  const texts = events.flatMap((event) => event.type === "text" ? [event.content] : []);
  assert.equal(texts.join(""), "I count them.");
});

Deno.test("llmcmd streams what it pipes: the model sees none of it, memory holds none of it", async () => {
  const line = "x".repeat(99) + "\n";
  let left = 20_000;
  const stdin = fromReadable(
    new ReadableStream<Uint8Array>({
      pull(controller) {
        controller.enqueue(new TextEncoder().encode(line.repeat(100)));
        if ((left -= 100) <= 0) controller.close();
      },
    }, { highWaterMark: 0 }),
  );
  const { client, journal } = mockClient([{
    name: "copy",
    trigger: "Copy",
    steps: [{
      response: {
        tool_calls: [
          { function: { name: "pipe", arguments: { in_fd: 0, out_fd: 1 } } },
          { function: { name: "exit", arguments: {} } },
        ],
      },
    }],
  }]);
  const { result } = await runScript(client, { stdin }, { instructions: "Copy" });
  assert.deepEqual([result.exitCode, result.outputBytes], [0, 2_000_000]);
  assert.ok(JSON.stringify(journal()).length < 20_000);
});

Deno.test("llmcmd ends with the endpoint's error, and keeps what it wrote", async () => {
  const { client } = mockClient([{
    name: "broken",
    trigger: "Do",
    steps: [
      {
        response: {
          tool_calls: [{ function: { name: "write", arguments: { data: "half\n" } } }],
        },
      },
      { fault: { status: 401, error: { message: "Incorrect API key", code: "invalid_api_key" } } },
    ],
  }]);
  const { result, out } = await runScript(client);
  assert.deepEqual([result.reason, result.error?.name, result.error?.status, out], [
    "error",
    "LlmError",
    401,
    "half\n",
  ]);
  assert.equal(result.exitCode, undefined);
});

Deno.test("llmcmd's time-out takes a hanging request with it", async () => {
  const { client } = mockClient([{
    name: "hang",
    trigger: "Do",
    steps: [{ fault: { hang: true } }],
  }]);
  const { result, out } = await runScript(client, {}, { limits: { seconds: 0.05 } });
  assert.deepEqual([result.reason, result.error?.limit, out], ["abort", "seconds", ""]);
});
