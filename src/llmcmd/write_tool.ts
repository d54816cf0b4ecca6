import * as z from "zod/mini";
import { messageOf } from "../base/mod.ts";
import { defineTool, type Tool } from "../tool/mod.ts";
import { inputSchema } from "./_input_schema.ts";
import { describeFailure, jsonResult } from "./_result.ts";
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
  return {
    ...tool,
    executeCut: ({ eof: _, ...input }, { signal, maxTokens }) =>
      session.inTurn(async () => {
        const parsed = tool.parse(input);
        if (!parsed.ok) return { content: describeFailure(parsed.error, "write"), error: true };
        return jsonResult(await writeCut(session, parsed.input, maxTokens, signal), session);
      }),
  };
}

/** Characters that show the model where it was cut. */
const TAIL = 60;

/** Writes what arrived of a text that was cut at the token limit, and says how far it came. */
async function writeCut(
  session: Session,
  { fd = 1, data = "" }: Parameters,
  maxTokens: number | undefined,
  signal: AbortSignal,
): Promise<WriteResult> {
  const text = data.isWellFormed() ? data : data.slice(0, -1).toWellFormed();
  const limit = maxTokens === undefined ? "the token limit" : `${maxTokens} tokens`;
  if (text === "") {
    const error = `Your answer was cut at ${limit} before any data: nothing was written. ` +
      "Write it in several calls that are shorter";
    return { success: false, size: 0, error };
  }
  const written = await write(session, { fd, data: text }, signal);
  if (written.error !== null) return written;
  const ending = JSON.stringify(Array.from(text).slice(-TAIL).join(""));
  const error =
    `Your answer was cut at ${limit}: ${written.size} bytes were written to fd ${fd}, ` +
    `ending in ${ending}. Go on from there, in calls that are shorter`;
  session.completion.failed("write", error);
  return { ...written, success: false, error };
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
    const result = { success: true, size: sink.size, error: null, ...endOf(target) };
    if (result.error !== null) session.completion.failed("write", result.error);
    else if (target.kind === "output" || result.status !== undefined) {
      session.completion.delivered();
    }
    return result;
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
