import assert from "node:assert/strict";
import { z } from "zod";
import faults from "../../scenarios/faults.json" with { type: "json" };
import { openaiClient, Quota } from "../llm/mod.ts";
import { parseScenarios } from "../mock/mod.ts";
import { defineTool, Registry } from "../tool/mod.ts";
import { mockApp } from "../web/mock/mod.ts";
import { checkConversation, play } from "./_fixtures_test.ts";
import type { AgentResult } from "./options.ts";

const WHOLE = "The answer arrives whole.";

/** Scenario, reason, API calls, text, and a part of the error's message. */
const EXPECTED: [string, AgentResult["reason"], number, string, string?][] = [
  ["429-then-success", "stop", 2, WHOLE],
  ["retry-after-300", "error", 1, "", "asks to wait 300 s, longer than the 60 s left"],
  ["500-once", "stop", 2, WHOLE],
  ["500-three-times", "error", 3, "", "answered 500"],
  ["503-then-429", "stop", 3, WHOLE],
  ["wrong-key", "error", 1, "", "answered 401: Incorrect API key provided"],
  ["no-quota", "error", 1, "", "You exceeded your current quota"],
  ["clean-end", "error", 1, "The answer", "without finish_reason"],
  ["no-finish-reason", "error", 1, WHOLE, "without finish_reason"],
  ["no-done", "stop", 1, WHOLE],
  ["html-with-200", "error", 1, "", "sent text/html instead of text/event-stream"],
  ["html-with-502", "error", 3, "", "answered 502"],
  ["redirect", "error", 1, "", "redirects to http://elsewhere.invalid/v1/chat/completions"],
  ["error-in-stream", "error", 1, "The answer", "The model is overloaded"],
  ["stall", "error", 1, "The answer", "stopped in the middle of its answer"],
  ["hang", "error", 1, "", "Endpoint did not begin its answer within"],
  ["length", "length", 1, "This answer is not finis"],
  ["content-filter", "content_filter", 1, ""],
  ["no-usage", "stop", 1, WHOLE],
  ["refuse-max_tokens", "stop", 3, WHOLE],
  ["malformed-arguments", "stop", 2, "The mistake was reported."],
  ["wrong-arguments", "stop", 2, "The mistake was reported."],
  ["unknown-tool", "stop", 2, "The mistake was reported."],
  ["endless-calls", "error", 5, "", "Reached maxCalls (5 API calls)"],
];

Deno.test("runAgent survives every fault of the mock, and says what happened", async (t) => {
  const stop = new AbortController();
  const app = mockApp({ scenarios: parseScenarios(faults, "faults.json"), signal: stop.signal });
  const server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen: () => {} },
    (request) => app.fetch(request),
  );
  const tool = <Shape extends z.ZodRawShape>(name: string, shape: Shape) =>
    defineTool({ name, description: "", input: z.strictObject(shape), execute: () => "" });
  const tools = new Registry([
    tool("read", { fd: z.int() }),
    tool("write", { fd: z.int(), data: z.string() }),
  ]);
  for (const [name, reason, apiCalls, text, error] of EXPECTED) {
    await t.step(name, async () => {
      const scenario = faults.scenarios.find((scenario) => scenario.name === name);
      assert(scenario !== undefined);
      const client = openaiClient({
        apiKey: "sk-secret",
        baseUrl: `http://127.0.0.1:${server.addr.port}/v1`,
        firstTokenTimeout: name === "hang" ? 50 : 30_000,
        idleTimeout: name === "stall" ? 50 : 30_000,
        clock: { now: () => 0, sleep: () => Promise.resolve() },
      });
      const { result, types } = await play(client, {
        messages: [{ role: "user", content: scenario.trigger }],
        tools,
        temperature: 0.1,
        maxTokens: 10,
        deadline: 60_000,
        quota: new Quota({ maxCalls: 5 }),
      });
      checkConversation(result.messages);
      assert.equal(result.error === undefined, error === undefined, result.error?.message);
      assert(result.error?.message.includes(error ?? "") ?? true, result.error?.message);
      assert.deepEqual(
        { reason: result.reason, apiCalls: result.apiCalls, text: result.text },
        { reason, apiCalls, text },
      );
      assert.equal(types[0], "run_start");
      assert.equal(types.at(-1), "run_end");
    });
  }
  stop.abort();
  await server.shutdown();
});
