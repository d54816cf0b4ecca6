import * as z from "zod";
import { defineTool, type Tool } from "../tool/mod.ts";
import { withoutNulls } from "./_result.ts";
import type { Session } from "./session.ts";
import { EXIT_SPEC } from "./specs.ts";

/** Checks the input. */
export const parameters = z.strictObject({
  code: z.int().min(0).max(255).optional(),
});

/** The `exit` tool of specification 000. */
export function exitTool(session: Session): Tool<z.infer<typeof parameters>> {
  const tool = defineTool({
    ...EXIT_SPEC,
    input: parameters,
    execute: ({ code = 0 }) => {
      session.exitCode = code;
      return { content: "", stop: true, details: { code } };
    },
  });
  return { ...tool, parse: (input) => tool.parse(withoutNulls(input)) };
}
