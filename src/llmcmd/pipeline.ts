import {
  type Builtin,
  builtinNames,
  isBuiltinName,
  loadBuiltin,
  READER_LEFT,
  Stage,
  type TempStore,
} from "../builtins/mod.ts";
import { closest } from "../base/mod.ts";
import { type ByteSource, CaptureSink } from "../streams/mod.ts";
import { probe } from "./probe.ts";
import { splitWords } from "./split_words.ts";

/** Bytes of standard error that the model is shown. */
export const STDERR_LIMIT = 4 * 1024;

/** Builtins whose status 1 is an answer, not a failure. */
const ANSWERS_WITH_1: ReadonlySet<string> = new Set(["grep", "diff"]);

/** One checked command of a `cmd`. */
export interface Command {
  name: string;
  args: readonly string[];
  builtin: Builtin;
}

/** What all running commands share. */
export interface PipelineContext {
  signal: AbortSignal;
  temp?: (() => Promise<TempStore>) | undefined;
  /** Refuses a file operand, with a reason for the model. */
  open(path: string): Promise<ByteSource>;
}

/** How the stages of a pipeline ended, so far. */
export interface PipelineReport {
  /**
   * One status for each stage, earlier stages first; 141 for a stage whose reader stopped early,
   * `null` for one that has not ended.
   */
  status: (number | null)[];
  /** The first 4 KiB of what they wrote to standard error. */
  stderr: string;
  /** What failed, if anything did. */
  error: string | null;
}

/**
 * Parses a `cmd` into commands and checks them, so that a wrong name, option or pattern is reported
 * before any data flows. Throws an error whose message is written for the model.
 */
export async function parseCommand(cmd: string, context: PipelineContext): Promise<Command[]> {
  const commands: Command[] = [];
  for (const [name = "", ...args] of splitWords(cmd)) {
    if (!isBuiltinName(name)) throw new RangeError(unknownCommand(name));
    commands.push({ name, args, builtin: await loadBuiltin(name) });
  }
  for (const { builtin, args, name } of commands) {
    const problem = await probe(builtin, args, context);
    if (problem !== undefined) throw new RangeError(problem || `${name}: invalid arguments`);
  }
  return commands;
}

function unknownCommand(name: string): string {
  const near = closest(name, builtinNames);
  const hint = near === undefined ? "" : `did you mean ${near}? `;
  return `${name}: command not found; ${hint}The commands are ${builtinNames.join(", ")}`;
}

/**
 * Commands that are connected to each other and to a source, with the commands that produce that
 * source.
 */
export class Pipeline {
  readonly #stages: { name: string; stage: Stage }[];
  readonly #stderr: CaptureSink;
  /** The last stage's output. Nothing runs before it is read. */
  readonly output: ByteSource;

  /**
   * Connects `commands` to `source`. `upstream` is the pipeline that produces `source`, if there is
   * one.
   */
  constructor(
    commands: readonly Command[],
    source: ByteSource,
    context: PipelineContext,
    upstream?: Pipeline,
  ) {
    this.#stderr = upstream === undefined ? new CaptureSink(STDERR_LIMIT) : upstream.#stderr;
    this.#stages = upstream === undefined ? [] : [...upstream.#stages];
    const encoder = new TextEncoder();
    const io = {
      signal: context.signal,
      open: context.open,
      warn: (message: string) => void this.#stderr.write(encoder.encode(`${message}\n`)),
      ...(context.temp === undefined ? {} : { temp: context.temp }),
    };
    let output = source;
    for (const { name, args, builtin } of commands) {
      const stage = new Stage(builtin, args, { ...io, stdin: output });
      this.#stages.push({ name, stage });
      output = stage;
    }
    this.output = output;
  }

  /** How the stages ended. */
  report(): PipelineReport {
    const status = this.#stages.map(({ stage }) => stage.status ?? null);
    const stderr = this.#stderr.text();
    const failed = this.#stages.filter(({ name, stage }) => hasFailed(name, stage.status))
      .map(({ name, stage }) => `${name} failed with status ${stage.status}`);
    if (failed.length === 0) return { status, stderr, error: null };
    const [firstLine = ""] = stderr.split("\n", 1);
    const why = firstLine === "" ? "" : `: ${firstLine}`;
    return { status, stderr, error: failed.join(", ") + why };
  }
}

function hasFailed(name: string, status: number | undefined): boolean {
  if (status === undefined || status === 0 || status === READER_LEFT) return false;
  return status !== 1 || !ANSWERS_WITH_1.has(name);
}
