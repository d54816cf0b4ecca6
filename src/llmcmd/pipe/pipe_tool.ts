import * as z from "zod/mini";
import { clip, messageOf } from "../../base/mod.ts";
import { type ByteSource, drain, Source } from "../../streams/mod.ts";
import { defineTool, type Tool } from "../../tool/mod.ts";
import { Flow, type PipeEnds, type Writable } from "../descriptors/mod.ts";
import { inputSchema } from "../input_schema.ts";
import type { Input } from "../inputs/mod.ts";
import { jsonResult, PIPE_SPEC } from "../model_view/mod.ts";
import {
  type CheckedCommand,
  Feed,
  parseCommand,
  Pipeline,
  type PipelineContext,
  type PipelineReport,
  waitsForModel,
} from "../pipeline/mod.ts";
import type { RunState } from "../run_state.ts";
import { CountingSink, FeedFullError } from "../write/mod.ts";
import { HeldSink } from "./held_sink.ts";
import { Operands, type PipeTarget } from "./operands.ts";

/** Checks the input. */
export const parameters = z.strictObject({
  cmd: z.optional(z.string()),
  in_fd: z.optional(z.int()),
  out_fd: z.optional(z.int()),
});

type Parameters = z.infer<typeof parameters>;

interface PipeResult {
  success: boolean;
  in_fd?: number;
  out_fd?: number;
  size?: number;
  status?: (number | null)[];
  stderr?: string;
  error: string | null;
  note?: string;
}

/** The tool `pipe`: runs builtins between descriptors. */
export function pipeTool(state: RunState): Tool<Parameters> {
  return defineTool({
    ...PIPE_SPEC,
    input: inputSchema(parameters),
    execute: (input, { signal }) =>
      state.inTurn(async () => jsonResult(await pipe(state, input, signal), state)),
  });
}

async function pipe(
  state: RunState,
  { cmd: given = "", in_fd: inFd, out_fd: outFd }: Parameters,
  signal: AbortSignal,
): Promise<PipeResult> {
  const cmd = given.trim() === "" ? "cat" : given;
  try {
    const { descriptors } = state;
    const from = inFd === undefined
      ? undefined
      : { fd: inFd, input: descriptors.input(inFd, "pipe from") };
    const target: PipeTarget = descriptors.target(outFd) ??
      { kind: "new", ends: descriptors.chooseEnds(outFd) };
    const operands = new Operands(descriptors, { signal: state.signal, target });
    const context = { ...state.pipelines, operands };
    const commands = await parseCommand(cmd, context);
    const plan = { state, context, operands, commands, name: shorten(cmd), signal };
    // A command that lists its own inputs needs no standard input.
    if (from === undefined && commands[0]?.readsInput === true) {
      return target.kind === "new"
        ? await open(plan, target.ends)
        : recorded(state, target, await flow(plan, target));
    }
    return target.kind === "new"
      ? await connect(plan, from, target.ends)
      : recorded(state, target, await transfer(plan, from, target));
  } catch (error) {
    signal.throwIfAborted();
    state.isFatal(error);
    const problem = state.messageFor(error);
    state.ending.fed("pipe", outFd, problem);
    return { success: false, size: 0, error: problem };
  }
}

/**
 * Records whether a transfer reached descriptor 1 or the model's pipe: after a failure the run must
 * not end as done.
 */
function recorded(state: RunState, target: Writable, result: PipeResult): PipeResult {
  if (target.kind !== "output") {
    state.ending.fed("pipe", target.feed.fd, result.error);
    // A failure in its pipe is reported at the end of that pipe.
    if (result.error === null && target.flow !== undefined) state.ending.record.delivered();
    return result;
  }
  if (result.error !== null) state.ending.record.failed("pipe", result.error);
  // A pipe that waits for the model has not written anything yet.
  else if (result.status !== undefined) state.ending.record.delivered();
  return result;
}

/** The parts that all kinds of pipes need. */
interface Plan {
  state: RunState;
  context: PipelineContext;
  operands: Operands;
  commands: readonly CheckedCommand[];
  /** The command as messages show it. */
  name: string;
  signal: AbortSignal;
}

/** The descriptor of `in_fd`. */
interface Origin {
  fd: number;
  input: Input;
}

function shorten(cmd: string): string {
  return cmd.length > 60 ? `\`${clip(cmd, 57)}...\`` : `\`${cmd}\``;
}

/**
 * Hands the input of `in_fd` over to a pipe to descriptor `to`, and with it what the commands name.
 * Nothing is handed over if one of them is not available.
 */
async function take(plan: Plan, from: Origin | undefined, to: number): Promise<ByteSource> {
  const { state, operands, commands } = plan;
  const where = `fd ${to}, through ${plan.name}`;
  try {
    from?.input.checkPipe();
  } catch (error) {
    const fd = from?.fd ?? 0;
    const { name } = state.descriptors.get(fd, "pipe from");
    throw new Error(`Cannot pipe from fd ${fd} (${name}): ${messageOf(error)}`, { cause: error });
  }
  await operands.claim(commands, from?.input, where);
  return from?.input.pipeTo(where) ?? new NoInput();
}

/** From a descriptor to a new pipe: data flows when it is read. */
async function connect(
  plan: Plan,
  from: Origin | undefined,
  ends: PipeEnds,
): Promise<PipeResult> {
  const { state, context, commands, name } = plan;
  const source = await take(plan, from, ends.out_fd);
  const pipeline = new Pipeline(commands, source, context, { upstream: from?.input.pipeline });
  state.descriptors.openPipe(ends, name, pipeline.output, pipeline, from?.input.feed);
  return { success: true, ...ends, error: null };
}

/** From a descriptor to one that is open: runs to the end. */
async function transfer(
  plan: Plan,
  from: Origin | undefined,
  target: Writable,
): Promise<PipeResult> {
  const { state, context, commands, signal } = plan;
  const waitsFor = await from?.input.waitsFor(signal);
  if (waitsFor !== undefined) {
    throw new Error(`Cannot pipe from fd ${from?.fd}: ${waitsForModel(waitsFor)}`);
  }
  const source = await take(plan, from, numberOf(target));
  const pipeline = new Pipeline(commands, source, context, { upstream: from?.input.pipeline });
  const sink = new CountingSink(target, state, signal);
  const held = pipeline.refusesLate ? new HeldSink(sink) : undefined;
  let problem: string | null = null;
  try {
    await drain(pipeline.output, held ?? sink, signal);
    if (pipeline.report().error === null) await held?.release();
  } catch (error) {
    signal.throwIfAborted();
    state.isFatal(error);
    problem = state.messageFor(error);
    if (error instanceof FeedFullError) problem += "; the output that did not fit is dropped";
  }
  const result = ended(pipeline.report(), sink.size, problem);
  if (result.error !== null) result.error += whatStays(target, sink.size, held?.size ?? 0);
  return result;
}

/** Says what became of a failed pipe's output, which the model must know before it calls again. */
function whatStays(target: Writable, size: number, held: number): string {
  if (held > 0) return "; its output was not written";
  return size > 0 && target.kind === "output" ? `; ${size} bytes of its output stay on fd 1` : "";
}

function ended(report: PipelineReport, size: number, problem: string | null = null): PipeResult {
  const { status, stderr } = report;
  const error = problem ?? report.error;
  return { success: error === null, size, status, stderr, error };
}

function numberOf(target: Writable): number {
  return target.kind === "output" ? 1 : target.feed.fd;
}

/** The standard input of a command that lists its own inputs, and seemed not to read it. */
class NoInput extends Source {
  protected override pull(): never {
    throw new TypeError("The pipe has no input: name it with in_fd");
  }
}

/** A new pipe that the model feeds and reads. */
async function open(plan: Plan, ends: PipeEnds): Promise<PipeResult> {
  const { state, context, operands, commands, name } = plan;
  await operands.claim(commands, undefined, `fd ${ends.out_fd}, through ${name}`);
  const feed = new Feed(ends.in_fd, name);
  const pipeline = new Pipeline(commands, feed.source, context, { feed });
  state.descriptors.openFeed(ends, feed, name, pipeline.output, pipeline);
  return { success: true, ...ends, error: null, note: noInputYet(ends.in_fd) };
}

/** A new pipe that the model feeds and that flows to descriptor 1. */
async function flow(plan: Plan, target: Writable): Promise<PipeResult> {
  const { state, context, operands, commands, name, signal } = plan;
  if (target.kind !== "output") {
    throw new TypeError(
      `Cannot pipe to fd ${target.feed.fd} without in_fd: name the input, or use out_fd 1`,
    );
  }
  await operands.claim(commands, undefined, `fd 1, through ${name}`);
  const { in_fd: inFd } = state.descriptors.chooseEnds(undefined);
  const feed = new Feed(inFd, name);
  const pipeline = new Pipeline(commands, feed.source, context, { feed });
  const made = new Flow(feed, pipeline.output, pipeline, target.output);
  state.descriptors.openFlow(feed, name, made);
  const before = target.output.written;
  // Commands like seq give output without any input.
  await made.advance(signal);
  const size = target.output.written - before;
  const report = made.takeReport();
  if (report !== undefined) return { ...ended(report, size), in_fd: inFd };
  return { success: true, in_fd: inFd, error: null, note: noInputYet(inFd) };
}

/** The note for a model that may have forgotten `in_fd`. */
function noInputYet(fd: number): string {
  return `The pipe has no input yet: write to fd ${fd}, with eof true at the end. ` +
    "To use an open descriptor instead, call pipe with in_fd";
}
