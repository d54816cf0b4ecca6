import * as z from "zod/mini";
import { defineTool, type Tool } from "../tool/mod.ts";
import { inputSchema } from "./_input_schema.ts";
import { describeFailure } from "./_result.ts";
import type { Session } from "./session.ts";
import { WRITE_SPEC } from "./specs.ts";
import { StreamedWrite } from "./streamed_write.ts";
import { cutWriteResult, type WriteInput, writeResult } from "./write_data.ts";

/** Checks the input. */
export const parameters = z.strictObject({
  fd: z.optional(z.int()),
  data: z.optional(z.string()),
  eof: z.optional(z.boolean()),
});

/** The tool `write`: appends to the output or to a pipe, which `eof` closes. */
export function writeTool(session: Session): Tool<WriteInput> {
  const tool = defineTool<WriteInput>({
    ...WRITE_SPEC,
    input: inputSchema(parameters),
    execute: (input, context) => writeResult(session, input, context),
  });
  const parseCut = ({ eof: _, ...input }: Readonly<Record<string, unknown>>) => tool.parse(input);
  return {
    ...tool,
    executeCut: async (input, context) => {
      const parsed = parseCut(input);
      if (parsed.ok) return await cutWriteResult(session, parsed.input, context);
      return { content: describeFailure(parsed.error, "write"), error: true };
    },
    begin: ({ signal }) => new StreamedWrite(session, { parse: tool.parse, parseCut, signal }),
  };
}
