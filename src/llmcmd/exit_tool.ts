import * as z from "zod/mini";
import { defineTool, type Tool } from "../tool/mod.ts";
import { inputSchema } from "./_input_schema.ts";
import { withoutNulls } from "./_result.ts";
import type { Session } from "./session.ts";
import { EXIT_SPEC } from "./specs.ts";

/** Checks the input. */
export const parameters = z.strictObject({
  code: z.optional(z.int().check(z.minimum(0), z.maximum(255))),
});

/** The tool `exit`: ends the run with a status. */
export function exitTool(session: Session): Tool<z.infer<typeof parameters>> {
  const tool = defineTool({
    ...EXIT_SPEC,
    input: inputSchema(parameters),
    execute: ({ code = 0 }) => {
      session.exitCode = code;
      return { content: "", stop: true, details: { code } };
    },
  });
  return { ...tool, parse: (input) => tool.parse(withoutNulls(input)) };
}
