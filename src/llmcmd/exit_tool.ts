import { z } from "zod";
import { defineTool, type Tool } from "../tool/mod.ts";
import { withoutNulls } from "./_result.ts";
import type { Session } from "./session.ts";

const parameters = z.strictObject({
  code: z.int().min(0).max(255).optional().describe("0 is success. Default 0"),
});

/** The `exit` tool of specification 000. */
export function exitTool(session: Session): Tool<z.infer<typeof parameters>> {
  const tool = defineTool({
    name: "exit",
    description: "Ends the program when the task is done, or cannot be done (code 1 to 255).",
    input: parameters,
    execute: ({ code = 0 }) => {
      session.exitCode = code;
      return { content: "", stop: true, details: { code } };
    },
  });
  return { ...tool, parse: (input) => tool.parse(withoutNulls(input)) };
}
