import * as z from "zod/mini";
import { clip, messageOf } from "../base/mod.ts";
import { drain } from "../streams/mod.ts";
import { defineTool, type Tool } from "../tool/mod.ts";
import { inputSchema } from "./_input_schema.ts";
import { jsonResult, withoutNulls } from "./_result.ts";
import type { Writable } from "./descriptors.ts";
import { Feed } from "./feed.ts";
import { Flow } from "./flow.ts";
import type { Input } from "./inputs.ts";
import { type Command, parseCommand, Pipeline, type PipelineReport } from "./pipeline.ts";
import type { Session } from "./session.ts";
import { PIPE_SPEC } from "./specs.ts";
import { CountingSink, FeedFullError } from "./write_to.ts";

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
export function pipeTool(session: Session): Tool<Parameters> {
  const tool = defineTool({
    ...PIPE_SPEC,
    input: inputSchema(parameters),
    execute: (input, { signal }) =>
      session.inTurn(async () => jsonResult(await pipe(session, input, signal), session)),
  });
  return { ...tool, parse: (input) => tool.parse(withoutNulls(input)) };
}

async function pipe(
  session: Session,
  { cmd = "cat", in_fd: inFd, out_fd: outFd }: Parameters,
  signal: AbortSignal,
): Promise<PipeResult> {
  try {
    const { descriptors } = session;
    const input = inFd === undefined ? undefined : descriptors.input(inFd, "pipe from");
    const target = descriptors.target(outFd);
    const commands = await parseCommand(cmd, session.pipelines);
    const plan = { session, commands, name: shorten(cmd), signal };
    if (input !== undefined && inFd !== undefined) {
      return target === undefined
        ? connect(plan, inFd, input, outFd)
        : noted(session, target, await transfer(plan, inFd, input, target));
    }
    return target === undefined
      ? open(plan, outFd)
      : noted(session, target, await flow(plan, target));
  } catch (error) {
    signal.throwIfAborted();
    session.isFatal(error);
    return { success: false, size: 0, error: messageOf(error) };
  }
}

/** Tells whether a transfer reached descriptor 1: what failed there must not end as done. */
function noted(session: Session, target: Writable, result: PipeResult): PipeResult {
  if (target.kind !== "output") return result;
  if (result.error !== null) session.completion.failed("pipe", result.error);
  // A pipe that waits for the model has not written anything yet.
  else if (result.status !== undefined) session.completion.delivered();
  return result;
}

/** What all kinds of pipes need. */
interface Plan {
  session: Session;
  commands: readonly Command[];
  /** The command as it is shown in messages. */
  name: string;
  signal: AbortSignal;
}

function shorten(cmd: string): string {
  return cmd.length > 60 ? `\`${clip(cmd, 57)}...\`` : `\`${cmd}\``;
}

/** Hands an input over to a pipe; an error names the input. */
function take(inFd: number, input: Input, where: string, session: Session) {
  try {
    return input.pipeTo(where);
  } catch (error) {
    const { name } = session.descriptors.get(inFd, "pipe from");
    throw new Error(`Cannot pipe from fd ${inFd} (${name}): ${messageOf(error)}`, { cause: error });
  }
}

/** From a descriptor to a new pipe: returns at once, data flows when it is read. */
function connect(plan: Plan, inFd: number, input: Input, asked: number | undefined): PipeResult {
  const { session, commands, name } = plan;
  const ends = session.descriptors.chooseEnds(asked);
  const source = take(inFd, input, `fd ${ends.out_fd}, through ${name}`, session);
  const pipeline = new Pipeline(commands, source, session.pipelines, input.pipeline);
  session.descriptors.openPipe(ends, name, pipeline.output, pipeline, input.feed);
  return { success: true, ...ends, error: null };
}

/** From a descriptor to one that is open: runs to the end. */
async function transfer(
  plan: Plan,
  inFd: number,
  input: Input,
  target: Writable,
): Promise<PipeResult> {
  const { session, commands, name, signal } = plan;
  const outFd = target.kind === "output" ? 1 : target.feed.fd;
  const waitsFor = await input.waitsFor(signal);
  if (waitsFor !== undefined) {
    throw new Error(
      `Cannot pipe from fd ${inFd}: it waits for data that only you can write to fd ${waitsFor}. ` +
        `Close fd ${waitsFor} first: write with fd ${waitsFor} and eof true`,
    );
  }
  const source = take(inFd, input, `fd ${outFd}, through ${name}`, session);
  const pipeline = new Pipeline(commands, source, session.pipelines, input.pipeline);
  const sink = new CountingSink(target, session, signal);
  let problem: string | null = null;
  try {
    await drain(pipeline.output, sink, signal);
  } catch (error) {
    signal.throwIfAborted();
    session.isFatal(error);
    problem = messageOf(error);
    if (error instanceof FeedFullError) problem += "; the output that did not fit is dropped";
  }
  return ended(pipeline.report(), sink.size, problem);
}

function ended(report: PipelineReport, size: number, problem: string | null = null): PipeResult {
  const { status, stderr } = report;
  const error = problem ?? report.error;
  return { success: error === null, size, status, stderr, error };
}

/** A new pipe that the model feeds and reads. */
function open(plan: Plan, asked: number | undefined): PipeResult {
  const { session, commands, name } = plan;
  const ends = session.descriptors.chooseEnds(asked);
  const feed = new Feed(ends.in_fd, name);
  const pipeline = new Pipeline(commands, feed.source, session.pipelines);
  session.descriptors.openFeed(ends, feed, name, pipeline.output, pipeline);
  return { success: true, ...ends, error: null };
}

/** A new pipe that the model feeds and that flows to descriptor 1. */
async function flow(plan: Plan, target: Writable): Promise<PipeResult> {
  const { session, commands, name, signal } = plan;
  if (target.kind !== "output") {
    throw new TypeError(
      `Cannot pipe to fd ${target.feed.fd} without in_fd: name the input, or use out_fd 1`,
    );
  }
  const { in_fd: inFd } = session.descriptors.chooseEnds(undefined);
  const feed = new Feed(inFd, name);
  const pipeline = new Pipeline(commands, feed.source, session.pipelines);
  const made = new Flow(feed, pipeline.output, pipeline, target.output);
  session.descriptors.openFlow(feed, name, made);
  const before = target.output.written;
  // Commands like seq give output without any input.
  await made.advance(signal);
  const size = target.output.written - before;
  const report = made.takeReport();
  if (report !== undefined) return { ...ended(report, size), in_fd: inFd };
  const note = `The pipe has no input yet: write to fd ${inFd}, with eof true at the end. ` +
    "To use an open descriptor instead, call pipe with in_fd";
  return { success: true, in_fd: inFd, error: null, note };
}
