import * as z from "zod/mini";
import { messageOf } from "../../base/mod.ts";
import { defineTool, type Tool } from "../../tool/mod.ts";
import { inputSchema } from "../input_schema.ts";
import { LOOKAHEAD, sliceText } from "../inputs/mod.ts";
import { defaultReadSize, jsonResult, MAX_READ, readSpec } from "../model_view/mod.ts";
import type { RunState } from "../run_state.ts";

/** Checks the input. */
export const parameters = z.strictObject({
  fd: z.optional(z.int()),
  offset: z.optional(z.int()),
  max_size: z.optional(z.int()),
});

type Parameters = z.infer<typeof parameters>;

interface ReadResult {
  input: string;
  next_offset: number;
  eof: boolean;
  size: number;
  error: string | null;
  encoding?: "base64";
}

/** The tool `read`: gives a slice of a descriptor's data to the model. */
export function readTool(state: RunState): Tool<Parameters> {
  return defineTool({
    ...readSpec(state.limits),
    input: inputSchema(parameters),
    execute: (input, { signal }) =>
      state.inTurn(async () => jsonResult(await read(state, input, signal), state)),
  });
}

async function read(
  state: RunState,
  { fd = 0, offset, max_size: maxSize = defaultReadSize(state.limits) }: Parameters,
  signal: AbortSignal,
): Promise<ReadResult> {
  let position = 0;
  try {
    const input = state.descriptors.input(fd, "read");
    position = offset ?? input.position;
    if (maxSize <= 0) throw new RangeError(`Cannot read ${maxSize} bytes: max_size is at least 1`);
    if (position < 0) throw new RangeError(`Cannot read at offset ${offset}: it is at least 0`);
    const max = Math.min(maxSize, MAX_READ);
    const { bytes, ended } = await input.peek(position, max + LOOKAHEAD, signal).catch((error) => {
      signal.throwIfAborted();
      if (state.isFatal(error)) throw error;
      const { name } = state.descriptors.get(fd, "read");
      throw new Error(`Cannot read fd ${fd} (${name}): ${state.messageFor(error)}`, {
        cause: error,
      });
    });
    const { text, encoding, size } = sliceText(bytes, max, ended);
    const next = position + size;
    input.moveTo(next);
    const eof = ended && size === bytes.length;
    return {
      input: text,
      next_offset: next,
      eof,
      size,
      error: eof ? input.pipeline?.report().error ?? null : null,
      ...(encoding === undefined ? {} : { encoding }),
    };
  } catch (error) {
    signal.throwIfAborted();
    return { input: "", next_offset: position, eof: false, size: 0, error: messageOf(error) };
  }
}
