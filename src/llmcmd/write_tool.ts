import * as z from "zod/mini";
import { messageOf } from "../base/mod.ts";
import { defineTool, type Tool } from "../tool/mod.ts";
import { inputSchema } from "./_input_schema.ts";
import { jsonResult, withoutNulls } from "./_result.ts";
import type { Writable } from "./descriptors.ts";
import type { Session } from "./session.ts";
import { WRITE_SPEC } from "./specs.ts";
import { CountingSink, FeedFullError } from "./write_to.ts";

/** Checks the input. */
export const parameters = z.strictObject({
  fd: z.optional(z.int()),
  data: z.optional(z.string()),
  eof: z.optional(z.boolean()),
});

type Parameters = z.infer<typeof parameters>;

interface WriteResult {
  success: boolean;
  size: number;
  error: string | null;
  /** When the write ended a pipe to descriptor 1. */
  status?: (number | null)[];
  stderr?: string;
}

/** The tool `write`: appends to the output or to a pipe, which `eof` closes. */
export function writeTool(session: Session): Tool<Parameters> {
  const tool = defineTool({
    ...WRITE_SPEC,
    input: inputSchema(parameters),
    execute: (input, { signal }) =>
      session.inTurn(async () => jsonResult(await write(session, input, signal), session)),
  });
  return { ...tool, parse: (input) => tool.parse(withoutNulls(input)) };
}

async function write(
  session: Session,
  { fd = 1, data, eof = false }: Parameters,
  signal: AbortSignal,
): Promise<WriteResult> {
  let sink: CountingSink | undefined;
  try {
    const target = session.descriptors.writable(fd, "write to");
    if (data === undefined && !eof) {
      throw new TypeError("Cannot write: give data, or eof to close the write end of a pipe");
    }
    sink = new CountingSink(target, session, signal);
    if (data !== undefined && data !== "") await sink.write(new TextEncoder().encode(data));
    if (eof) await end(target, signal);
    return { success: true, size: sink.size, error: null, ...endOf(target) };
  } catch (error) {
    signal.throwIfAborted();
    session.isFatal(error);
    const rest = error instanceof FeedFullError ? ", then write the rest" : "";
    return { success: false, size: sink?.size ?? 0, error: messageOf(error) + rest };
  }
}

/** Closes a pipe's write end. Descriptor 1 has none: it ends with the run. */
async function end(target: Writable, signal: AbortSignal): Promise<void> {
  if (target.kind === "output") return;
  await target.feed.end();
  await target.flow?.advance(signal);
}

/** How a pipe to descriptor 1 ended, if this write ended it. */
function endOf(target: Writable): Partial<WriteResult> {
  const report = target.kind === "feed" ? target.flow?.takeReport() : undefined;
  if (report === undefined) return {};
  const { status, stderr, error } = report;
  return { success: error === null, error, status, stderr };
}
