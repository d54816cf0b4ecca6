import * as z from "zod/mini";
import { defineTool, type Tool, type ToolResult } from "../../tool/mod.ts";
import { inputSchema } from "../input_schema.ts";
import { EXIT_SPEC, jsonResult } from "../model_view/mod.ts";
import type { RunState } from "../run_state.ts";

/** Checks the input. */
export const parameters = z.strictObject({
  code: z.optional(z.int().check(z.minimum(0), z.maximum(255))),
});

/** Any other code than 0 ends the run at once; 0 only if nothing that was asked for is missing. */
async function exit(state: RunState, code: number, signal: AbortSignal): Promise<ToolResult> {
  try {
    const verdict = await state.ending.attempt({ by: "exit", code });
    if (verdict.kind === "refused") return jsonResult({ error: verdict.message }, state);
    if (verdict.kind === "failed") return jsonResult({ error: verdict.error.message }, state);
    return { content: "", stop: true, details: { code } };
  } catch (error) {
    signal.throwIfAborted();
    state.isFatal(error);
    return jsonResult({ error: state.messageFor(error) }, state);
  }
}

/** The tool `exit`: ends the run with a status. */
export function exitTool(state: RunState): Tool<z.infer<typeof parameters>> {
  return defineTool({
    ...EXIT_SPEC,
    input: inputSchema(parameters),
    execute: ({ code = 0 }, { signal }) => state.inTurn(() => exit(state, code, signal)),
  });
}
