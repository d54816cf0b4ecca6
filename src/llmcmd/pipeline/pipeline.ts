import { READER_LEFT, Stage, type TempStore } from "../../builtins/mod.ts";
import { type ByteSource, CaptureSink } from "../../streams/mod.ts";
import type { Feed } from "./feed.ts";
import type { CheckedCommand } from "./parse_command.ts";
import { type OperandFiles, StageFiles } from "./stage_files.ts";

/** Bytes of standard error that the model is shown. */
export const STDERR_LIMIT = 4 * 1024;

/** Builtins whose status 1 is an answer, not a failure. */
const ANSWERS_WITH_1: ReadonlySet<string> = new Set(["grep", "diff"]);

/**
 * Builtins that may find out in the middle of their output that their input is not what they take:
 * not sorted, or in another encoding. A model then mends that, and calls again.
 */
const REFUSE_LATE: ReadonlySet<string> = new Set(["base64", "comm", "iconv", "join"]);

/** The context that all running commands share. */
export interface PipelineContext {
  signal: AbortSignal;
  temp?: (() => Promise<TempStore>) | undefined;
  /** The files that they may open. */
  operands: OperandFiles;
}

/** The state of a pipeline's stages. */
export interface PipelineReport {
  /**
   * One status for each stage, earlier stages first; 141 for a stage whose reader stopped early,
   * `null` for one that has not ended.
   */
  status: (number | null)[];
  /** The first 4 KiB of what they wrote to standard error. */
  stderr: string;
  /** The failures. */
  error: string | null;
}

/** A command that runs, or will. */
interface RunningStage {
  readonly name: string;
  readonly stage: Stage;
  readonly files: StageFiles;
  readonly mayFail: boolean;
}

/**
 * Commands that are connected to each other and to a source, with the commands that produce that
 * source.
 */
export class Pipeline {
  readonly #stages: RunningStage[];
  /** Warnings beside the commands' own standard error. */
  readonly #notes: readonly string[];
  readonly #stderr: CaptureSink;
  readonly #operands: readonly OperandFiles[];
  /** The pipe fed by the model that it starts from, if any. */
  readonly #feed: Feed | undefined;
  /** The last stage's output. Nothing runs before it is read. */
  readonly output: ByteSource;

  /**
   * Connects `commands` to `source`, which comes from the pipeline `upstream` or the model's `feed`,
   * if from one of them.
   */
  constructor(
    commands: readonly CheckedCommand[],
    source: ByteSource,
    context: PipelineContext,
    { upstream, feed }: { upstream?: Pipeline | undefined; feed?: Feed } = {},
  ) {
    this.#feed = upstream === undefined ? feed : upstream.#feed;
    this.#stderr = upstream === undefined ? new CaptureSink(STDERR_LIMIT) : upstream.#stderr;
    this.#stages = upstream === undefined ? [] : [...upstream.#stages];
    const { signal, temp, operands } = context;
    this.#notes = [
      ...(upstream === undefined ? [] : upstream.#notes),
      ...commands.flatMap(({ name, notes = [] }) => notes.map((note) => `${name}: ${note}\n`)),
    ];
    this.#operands = upstream === undefined ? [operands] : [...upstream.#operands, operands];
    const warn = (message: string) => capture(this.#stderr, `${message}\n`);
    let output = source;
    for (const [at, { name, args, builtin, mayFail = false }] of commands.entries()) {
      const files = new StageFiles(name, at, output, operands);
      const { stdin, open, create } = files;
      const io = { stdin, open, create, signal, warn, ...(temp === undefined ? {} : { temp }) };
      const stage = new Stage(builtin, args, io);
      this.#stages.push({ name, stage, files, mayFail });
      output = stage;
    }
    this.output = output;
  }

  /** True if one of the commands may refuse its input after a part of its output. */
  get refusesLate(): boolean {
    return this.#stages.some(({ name }) => REFUSE_LATE.has(name)) ||
      this.#operands.some(({ pipelines }) => pipelines.some(({ refusesLate }) => refusesLate));
  }

  /** The stages' statuses, standard error and failures so far. */
  report(): PipelineReport {
    const status = this.#stages.map(({ stage }) => stage.status ?? null);
    const operands = this.#operands.flatMap(({ pipelines }) => pipelines)
      .map((pipeline) => pipeline.report());
    const problems = operands.flatMap(({ error }) => error ?? []);
    if (this.#feed?.missing !== undefined) problems.push(this.#feed.missing);
    const failed = this.#stages.filter(hasFailed);
    if (failed.length > 0) {
      const names = failed.map(({ name, stage: { status } }) =>
        status === 0 ? `${name} failed` : `${name} failed with status ${status}`
      );
      const refused = failed.map(({ files }) => files.refused).find((why) => why !== undefined);
      const said = this.#stderr.text().trimEnd().split("\n");
      // patch reports its failure last.
      const why = refused ?? said.at(failed[0]?.name === "patch" ? -1 : 0) ?? "";
      problems.push(names.join(", ") + (why === "" ? "" : `: ${why}`));
    }
    const all = new CaptureSink(STDERR_LIMIT);
    const before = operands.map(({ stderr }) => stderr);
    for (const text of [...before, ...this.#notes, this.#stderr.text()]) capture(all, text);
    const error = problems.length === 0 ? null : problems.join("; ");
    return { status, stderr: all.text(), error };
  }
}

/** Keeps text; a sink in memory takes it at once. */
function capture(sink: CaptureSink, text: string): void {
  void sink.write(new TextEncoder().encode(text));
}

function hasFailed({ name, stage: { status }, files, mayFail }: RunningStage): boolean {
  if (status === undefined || status === READER_LEFT) return false;
  const isFine = status === 0 || mayFail || (status === 1 && ANSWERS_WITH_1.has(name));
  return isFine ? files.failed : true;
}
