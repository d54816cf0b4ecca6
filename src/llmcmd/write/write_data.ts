import { messageOf } from "../../base/mod.ts";
import type { CutContext, ToolContext, ToolResult } from "../../tool/mod.ts";
import type { Writable } from "../descriptors/mod.ts";
import { jsonResult } from "../model_view/mod.ts";
import type { RunState } from "../run_state.ts";
import { CountingSink, FeedFullError } from "./counting_sink.ts";

/** The input of a `write`. */
export interface WriteInput {
  /** Default 1. */
  fd?: number | undefined;
  data?: string | undefined;
  eof?: boolean | undefined;
}

/** The result of a `write`. */
export interface WriteResult {
  success: boolean;
  size: number;
  error: string | null;
  /** When the write ended a pipe to descriptor 1. */
  status?: (number | null)[];
  stderr?: string;
}

/** The beginning of a text that has been written to descriptor 1 already, while it arrived. */
export interface Flowed {
  /** Well-formed UTF-16. */
  readonly text: string;
  /** In bytes. */
  readonly size: number;
}

/** Nothing has been written yet. */
export const NOTHING: Flowed = { text: "", size: 0 };

/** Executes a `write`. */
export function writeResult(
  state: RunState,
  input: WriteInput,
  { signal }: ToolContext,
  flowed: Flowed = NOTHING,
): Promise<ToolResult> {
  return state.inTurn(async () => jsonResult(await write(state, input, signal, flowed), state));
}

/** Executes a `write` that was cut at the token limit, as far as it arrived. */
export function cutWriteResult(
  state: RunState,
  input: WriteInput,
  { signal, maxTokens }: CutContext,
  flowed: Flowed = NOTHING,
): Promise<ToolResult> {
  return state.inTurn(async () =>
    jsonResult(await writeCut(state, input, maxTokens, signal, flowed), state)
  );
}

/** Characters that show the model where it was cut. */
const TAIL = 60;

/** Writes the beginning of a text that was cut at the token limit, and reports its end. */
async function writeCut(
  state: RunState,
  { fd: given, data = "" }: WriteInput,
  maxTokens: number | undefined,
  signal: AbortSignal,
  flowed: Flowed,
): Promise<WriteResult> {
  const text = data.replace(/[\ud800-\udbff]$/, "").toWellFormed();
  const limit = maxTokens === undefined ? "the token limit" : `${maxTokens} tokens`;
  if (text === "") {
    const error = `Your answer was cut at ${limit} before any data: nothing was written. ` +
      "Write it in several calls that are shorter";
    return { success: false, size: 0, error };
  }
  const [other] = given === undefined ? state.descriptors.openFeeds : [];
  if (other !== undefined) {
    const error = `Your answer was cut at ${limit} before fd, so nothing was written: it may be ` +
      `meant for fd 1 or fd ${other}. Write it in several calls that are shorter, with fd first`;
    state.ending.record.failed("write", error);
    return { success: false, size: 0, error };
  }
  const fd = given ?? 1;
  const written = await write(state, { fd, data: text }, signal, flowed);
  if (written.error !== null) return written;
  const ending = JSON.stringify(Array.from(text).slice(-TAIL).join(""));
  const error =
    `Your answer was cut at ${limit}: ${written.size} bytes were written to fd ${fd}, ` +
    `ending in ${ending}. Go on from there, in calls that are shorter`;
  state.ending.record.failed("write", error);
  return { ...written, success: false, error };
}

/** Writes `data` without the part that has `flowed`, and closes the write end of a pipe at `eof`. */
async function write(
  state: RunState,
  { fd = 1, data, eof = false }: WriteInput,
  signal: AbortSignal,
  flowed: Flowed,
): Promise<WriteResult> {
  let sink: CountingSink | undefined;
  const sizeOf = (sink: CountingSink | undefined) => flowed.size + (sink?.size ?? 0);
  try {
    const text = data?.toWellFormed();
    if (flowed.text !== "" && (fd !== 1 || text?.startsWith(flowed.text) !== true)) {
      const problem = `Cannot write: fd or data were given twice; ${flowNote(flowed)}`;
      state.ending.record.failed("write", problem);
      throw new TypeError(problem);
    }
    const target = state.descriptors.writable(fd, "write to");
    if (text === undefined && !eof) {
      throw new TypeError("Cannot write: give data, or eof to close the write end of a pipe");
    }
    sink = new CountingSink(target, state, signal);
    const rest = text?.slice(flowed.text.length) ?? "";
    if (rest !== "") await sink.write(new TextEncoder().encode(rest));
    if (rest !== "") state.ending.fed("write", fd, null);
    if (eof) await end(target, signal);
    const result = { success: true, size: sizeOf(sink), error: null, ...endOf(target) };
    if (result.error !== null) state.ending.record.failed("write", result.error);
    else if (target.kind === "output" || result.status !== undefined || fedTo(target, rest)) {
      state.ending.record.delivered();
    }
    return result;
  } catch (error) {
    signal.throwIfAborted();
    state.isFatal(error);
    const rest = error instanceof FeedFullError ? ", then write the rest" : "";
    const problem = messageOf(error) + rest;
    if (data !== undefined && data !== "") state.ending.fed("write", fd, problem);
    return { success: false, size: sizeOf(sink), error: problem };
  }
}

/** True for data on their way to descriptor 1: their pipe reports failures at its end. */
function fedTo(target: Writable, data: string): boolean {
  return data !== "" && target.kind === "feed" && target.flow !== undefined;
}

/** Closes a pipe's write end. Descriptor 1 ends with the run. */
async function end(target: Writable, signal: AbortSignal): Promise<void> {
  if (target.kind === "output") return;
  await target.feed.end();
  await target.flow?.advance(signal);
}

/** The report of a pipe to descriptor 1, if this write ended it. */
function endOf(target: Writable): Partial<WriteResult> {
  const report = target.kind === "feed" ? target.flow?.takeReport() : undefined;
  if (report === undefined) return {};
  const { status, stderr, error } = report;
  return { success: error === null, error, status, stderr };
}

/** The note on data written before their call turned out to be invalid. */
export function flowNote({ size }: Flowed): string {
  return `${size} bytes of its data were written to fd 1 before that was known: do not write them again`;
}
