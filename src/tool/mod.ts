/**
 * A tool: a name, a description, a schema of its input, and a function.
 *
 * This room knows neither the model that calls tools nor the loop that runs them (`agent/`), and
 * has no tools itself: each program defines its own. Input is checked here, so a tool's function
 * only sees input that fits its schema. The package has no entry for this room: `/agent` exports
 * it.
 *
 * @example A tool, checked and run
 * ```ts
 * import { defineTool, Registry } from "@llmcmd/llmcmd/agent";
 * import { z } from "zod";
 * import assert from "node:assert/strict";
 *
 * const add = defineTool({
 *   name: "add",
 *   description: "Adds two numbers",
 *   input: z.strictObject({ a: z.number(), b: z.number() }),
 *   execute: ({ a, b }) => `${a + b}`,
 * });
 * const tools = new Registry([add]);
 * const parsed = tools.get("add")?.parse({ a: 1, b: "two" });
 * assert.deepEqual(parsed, {
 *   ok: false,
 *   error: "add: b: Invalid input: expected number, received string",
 * });
 * ```
 *
 * @module
 */
export type * from "./tool.ts";
export { defineTool, type ToolOptions } from "./define_tool.ts";
export { unwrapInput } from "./fit_input.ts";
export { lazyTool } from "./lazy_tool.ts";
export { notRun } from "./not_run.ts";
export { Registry } from "./registry.ts";
export { structuredResult } from "./structured_result.ts";
