import { Loop } from "./_loop.ts";
import type { AgentOptions, AgentResult } from "./options.ts";
import { type AgentRun, startRun } from "./run.ts";

/**
 * Runs a model with tools until it gives a final answer, a tool ends the run, the answer is cut, a
 * budget is spent, or something fails.
 *
 * The calls of one message run in order, one after another, once it is complete; a tool with
 * `begin` is given the arguments of its call as they arrive. Errors that the model can correct
 * become the answer of the call: malformed arguments, unknown tools, failures of a tool. After a
 * call with `stop` the rest of its message is answered but not run. In all cases `run_start` is the
 * first event and `run_end` the last, and every call in the result's messages has its answer.
 *
 * @example
 * ```ts
 * import { defineTool, follow, Registry, runAgent } from "@llmcmd/llmcmd/agent";
 * import { openaiClient } from "@llmcmd/llmcmd/llm";
 * import { z } from "zod";
 * import assert from "node:assert/strict";
 *
 * // An endpoint that calls `add`, then answers with what it got.
 * const call = { id: "a", function: { name: "add", arguments: '{"a":1,"b":2}' } };
 * const client = openaiClient({
 *   apiKey: "sk-secret",
 *   fetch: (_url, init) => {
 *     const last = JSON.parse(String(init.body)).messages.at(-1);
 *     const message = last.role === "tool" ? { content: last.content } : { tool_calls: [call] };
 *     return Promise.resolve(Response.json({ choices: [{ message, finish_reason: "stop" }] }));
 *   },
 * });
 * const add = defineTool({
 *   name: "add",
 *   description: "Adds two numbers",
 *   input: z.strictObject({ a: z.number(), b: z.number() }),
 *   execute: ({ a, b }) => String(a + b),
 * });
 * const run = runAgent({
 *   client,
 *   model: "m",
 *   messages: [{ role: "user", content: "1 + 2?" }],
 *   tools: new Registry([add]),
 * });
 * const seen: string[] = [];
 * const result = await follow(run, (event) => {
 *   seen.push(event.type);
 * });
 * assert.equal(result.text, "3");
 * assert.equal(result.reason, "stop");
 * assert.deepEqual(seen, [
 *   ...["run_start", "turn_start", "message", "tool_start", "message", "tool_end", "turn_end"],
 *   ...["turn_start", "text", "message", "turn_end", "run_end"],
 * ]);
 * ```
 */
export function runAgent(options: AgentOptions): AgentRun<AgentResult> {
  return startRun(options.signal, (signal, settle) => new Loop(options, signal).run(settle));
}
