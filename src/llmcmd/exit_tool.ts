import * as z from "zod/mini";
import { defineTool, type Tool, type ToolResult } from "../tool/mod.ts";
import { inputSchema } from "./_input_schema.ts";
import { jsonResult } from "./_result.ts";
import type { Session } from "./session.ts";
import { EXIT_SPEC } from "./specs.ts";

/** Checks the input. */
export const parameters = z.strictObject({
  code: z.optional(z.int().check(z.minimum(0), z.maximum(255))),
});

/** Any other code than 0 ends the run at once; 0 only if nothing that was asked for is missing. */
async function exit(session: Session, code: number, signal: AbortSignal): Promise<ToolResult> {
  try {
    const verdict = await session.ending.attempt({ by: "exit", code });
    if (verdict.kind === "refused") return jsonResult({ error: verdict.message }, session);
    if (verdict.kind === "failed") return jsonResult({ error: verdict.error.message }, session);
    return { content: "", stop: true, details: { code } };
  } catch (error) {
    signal.throwIfAborted();
    session.isFatal(error);
    return jsonResult({ error: session.told(error) }, session);
  }
}

/** The tool `exit`: ends the run with a status. */
export function exitTool(session: Session): Tool<z.infer<typeof parameters>> {
  return defineTool({
    ...EXIT_SPEC,
    input: inputSchema(parameters),
    execute: ({ code = 0 }, { signal }) => session.inTurn(() => exit(session, code, signal)),
  });
}
