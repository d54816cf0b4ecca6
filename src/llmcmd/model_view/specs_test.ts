import assert from "node:assert/strict";
import * as z from "zod/mini";
import { openFds } from "../_testing.ts";
import { defaultLimits } from "../limits.ts";
import * as pipe from "../pipe/pipe_tool.ts";
import { allTools } from "../request.ts";
import { RunState } from "../run_state.ts";
import * as exit from "../tools/exit_tool.ts";
import * as read from "../tools/read_tool.ts";
import * as write from "../write/write_tool.ts";
import { EXIT_SPEC, PIPE_SPEC, readSpec, WRITE_SPEC } from "./specs.ts";

/**
 * A JSON schema without the parts that only zod or only the hand-written one has: identifiers, safe
 * integers, descriptions.
 */
function bare(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(bare);
  if (typeof schema !== "object" || schema === null) return schema;
  return Object.fromEntries(
    Object.entries(schema)
      .filter(([key, value]) =>
        key !== "$schema" && key !== "description" &&
        !(key === "minimum" && value === Number.MIN_SAFE_INTEGER) &&
        !(key === "maximum" && value === Number.MAX_SAFE_INTEGER)
      )
      .map(([key, value]) => [key, bare(value)]),
  );
}

Deno.test("The specs that are sent describe the schemas that check input", () => {
  const pairs = [
    [readSpec(defaultLimits), read.parameters],
    [WRITE_SPEC, write.parameters],
    [PIPE_SPEC, pipe.parameters],
    [EXIT_SPEC, exit.parameters],
  ] as const;
  for (const [spec, schema] of pairs) {
    assert.deepEqual(bare(spec.parameters), bare(z.toJSONSchema(schema, { io: "input" })));
  }
});

Deno.test("allTools describes the tools that it loads", async () => {
  await using fds = openFds();
  const state = new RunState(fds, defaultLimits, new AbortController().signal);
  const made = [
    read.readTool(state),
    write.writeTool(state),
    pipe.pipeTool(state),
    exit.exitTool(state),
  ];
  const tools = allTools(state);
  assert.deepEqual(tools.specs, made.map(({ spec }) => spec));
  for (const tool of tools) {
    await tool.load?.();
    assert.deepEqual(tool.parse({}), { ok: true, input: {} });
  }
});
