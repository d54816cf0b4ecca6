import * as z from "zod/mini";
import { defineTool, type Tool } from "../../tool/mod.ts";
import { inputSchema } from "../input_schema.ts";
import { describeFailure, WRITE_SPEC } from "../model_view/mod.ts";
import type { RunState } from "../run_state.ts";
import { StreamedWrite } from "./streamed_write.ts";
import { cutWriteResult, type WriteInput, writeResult } from "./write_data.ts";

/** Checks the input. */
export const parameters = z.strictObject({
  fd: z.optional(z.int()),
  data: z.optional(z.string()),
  eof: z.optional(z.boolean()),
});

/** The tool `write`: appends to the output or to a pipe, which `eof` closes. */
export function writeTool(state: RunState): Tool<WriteInput> {
  const tool = defineTool<WriteInput>({
    ...WRITE_SPEC,
    input: inputSchema(parameters),
    execute: (input, context) => writeResult(state, input, context),
  });
  const parseCut = ({ eof: _, ...input }: Readonly<Record<string, unknown>>) => tool.parse(input);
  return {
    ...tool,
    executeCut: async (input, context) => {
      const parsed = parseCut(input);
      if (parsed.ok) return await cutWriteResult(state, parsed.input, context);
      return { content: describeFailure(parsed.error, "write"), error: true };
    },
    begin: ({ signal }) => new StreamedWrite(state, { parse: tool.parse, parseCut, signal }),
  };
}
