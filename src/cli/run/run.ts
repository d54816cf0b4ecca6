import { follow } from "../../agent/mod.ts";
import { redactor } from "../../base/mod.ts";
import { type LlmcmdOptions, run } from "../../llmcmd/mod.ts";
import { Alarm, type ByteSink, LimitError } from "../../streams/mod.ts";
import {
  createFile,
  openOutputFile,
  requireNet,
  stdoutSink,
  tempFolder,
  terminals,
} from "../../sys/mod.ts";
import { missingKey } from "../configuration/mod.ts";
import {
  chatClientOf,
  hostOf,
  LIMIT_NAMES,
  readRunSettings,
  type RunSettings,
} from "../endpoint/mod.ts";
import { type Failure, failureOf, failureOfRun } from "../failure/mod.ts";
import { besideStatusLine, type Messages, stderrMessages } from "../messages/mod.ts";
import { printText, type TextOutput } from "../pages/pages.ts";
import { nameOf, SETTINGS } from "../settings/mod.ts";
import { untilSignal } from "../signals/signals.ts";
import { emptiedNote, partialNote } from "../text/mod.ts";
import type { RunArguments } from "./arguments.ts";
import { describeFirstRequest } from "./dry_run.ts";
import { type OpenInputs, openInputs, type StandardInput } from "./open_inputs.ts";
import { keptFiles, requireKeptInputs, requireOwnEvents } from "./overwritten.ts";
import { readInstructions } from "./read_instructions.ts";
import { RunWatch } from "./run_watch.ts";
import { statsLine } from "./stats.ts";
import { quoteText } from "./verbose.ts";

/** One run of the main command. */
interface Job {
  readonly args: RunArguments;
  /** The text of the instructions. */
  readonly instructions: string;
  readonly settings: RunSettings;
  readonly messages: Messages;
  readonly signal: AbortSignal;
}

/** Runs the main command; resolves to the exit status. `--dry-run` prints to `stdout`. */
export async function runCommand(args: RunArguments, stdout: TextOutput): Promise<number> {
  const messages = stderrMessages("llmcmd");
  try {
    const { settings, hidden } = await readRunSettings(args, (text) => messages.warn(text));
    messages.redactWith(redactor([settings.apiKey, new URL(settings.baseUrl).search]));
    if (args.verbose && hidden.length > 0) {
      messages.say(`not read, as a permission is missing: ${hidden.join(" ")}`);
    }
    if (!args.dryRun) {
      if (settings.apiKey === undefined) throw missingKey("llmcmd", hidden, settings.baseUrl);
      requireNet(hostOf(settings.baseUrl));
    }
    return await untilSignal(async (signal) => {
      const instructions = await inTime(settings, signal, (signal) => {
        return readInstructions(args.instructions, signal);
      });
      const job = { args, instructions, settings, messages, signal };
      return await (args.dryRun ? dryRun(job, stdout) : work(job));
    }, () => messages.flush());
  } catch (error) {
    return report(failureOf(error), messages);
  } finally {
    await messages.flush();
  }
}

async function work(job: Job): Promise<number> {
  const { args, settings, messages, signal } = job;
  requireOwnEvents(args);
  const stdout = stdoutSink();
  const inputs = await inTime(settings, signal, (signal) => {
    return openInputs(args.inputs, standardInput(args), signal);
  });
  let failure: Failure;
  let partial: string | undefined;
  try {
    if (args.output === undefined) requireKeptInputs(inputs, args.inputs);
    const output = args.output === undefined ? undefined : await inTime(
      settings,
      signal,
      (signal) => openOutputFile(args.output ?? "", signal, keptFiles(args)),
    );
    if (output?.inPlace !== undefined && output.before > 0) {
      messages.warn(
        `${output.path} can only be written in place, at the end (${output.inPlace}): ` +
          "a crash at that moment can lose its present content",
      );
    }
    inputs.fds.open({
      number: 1,
      name: args.output ?? "stdout",
      sink: output ?? besideProgress(stdout, messages),
    });
    try {
      failure = await runJob(job, inputs, () => (output ?? stdout).written);
      if (failure.done === true) {
        if (output?.written === 0 && output.before > 0) {
          messages.warn(emptiedNote(output.path));
        }
        await output?.close();
      }
    } catch (error) {
      failure = failureOf(error);
    }
    // An output that is not closed by now leaves its file as it was.
    await output?.abort();
    partial = output?.partial;
  } finally {
    await inputs.fds.abort(signal.reason);
  }
  return report(failure, messages, partial);
}

/** Runs the model on the open descriptors and shows its events. */
async function runJob(
  job: Job,
  inputs: OpenInputs,
  outputBytes: () => number,
): Promise<Failure> {
  const { args, messages, settings, signal } = job;
  const { events: name } = args;
  const events = name === undefined || name === "-"
    ? name
    : await inTime(settings, signal, (signal) => createFile(name, signal));
  try {
    using watch = new RunWatch({
      messages,
      verbose: args.verbose,
      ...(events === undefined ? {} : { events: typeof events === "string" ? "messages" : events }),
      outputBytes,
      progress: showsProgress(args),
    });
    const result = await follow(
      run({ ...llmcmdOptions(job, inputs), signal }),
      (event) => watch.show(event),
    );
    if (args.verbose && result.text.trim() !== "") messages.say(quoteText(result.text));
    if (args.stats) messages.say(statsLine(result));
    const failure = failureOfRun(result);
    if (result.reason !== "length" || failure.message === undefined) return failure;
    // A model's hidden reasoning counts, too.
    const raise = `raise ${
      nameOf(SETTINGS.maxTokens, "llmcmd")
    } (${settings.maxTokens} tokens) to go on`;
    return { ...failure, message: `${failure.message}; ${raise}` };
  } finally {
    if (typeof events === "object") await events.close();
  }
}

function llmcmdOptions(
  { args, instructions, settings }: Job,
  { fds, terminal, instructionsFromInput }: OpenInputs,
): LlmcmdOptions {
  return {
    instructions,
    fds,
    terminal,
    instructionsFromInput,
    client: chatClientOf(settings),
    model: args.model ?? settings.model,
    maxTokens: settings.maxTokens,
    limits: settings.limits,
    temp: tempFolder,
  };
}

async function dryRun(job: Job, stdout: TextOutput): Promise<number> {
  const { args, settings, messages, signal } = job;
  const inputs = await inTime(settings, signal, (signal) => {
    return openInputs(args.inputs, standardInput(args), signal);
  });
  try {
    inputs.fds.open({ number: 1, name: args.output ?? "stdout", sink: stdoutSink() });
    const options = llmcmdOptions(job, inputs);
    const { body, target } = describeFirstRequest(options, settings);
    messages.say(`not sent: ${target}`);
    return await printText(stdout, body);
  } finally {
    await inputs.fds.abort();
  }
}

function standardInput({ instructions }: RunArguments): StandardInput {
  const taken = "file" in instructions && instructions.file === "-";
  return { terminal: terminals().stdin, taken };
}

/** Runs `open` within the time limit of the run, as opening a FIFO may block for ever. */
async function inTime<Value>(
  { limits: { seconds } }: RunSettings,
  signal: AbortSignal,
  open: (signal: AbortSignal) => Promise<Value>,
): Promise<Value> {
  const end = new AbortController();
  const alarm = new Alarm();
  alarm.set(seconds * 1000, () => {
    end.abort(
      new LimitError(
        { name: LIMIT_NAMES.seconds, max: seconds },
        `Opening the files takes longer than ${LIMIT_NAMES.seconds} (${seconds} seconds)`,
      ),
    );
  });
  try {
    return await open(AbortSignal.any([signal, end.signal]));
  } finally {
    alarm.clear();
  }
}

/** True on a terminal, unless the user types the input there. */
function showsProgress({ inputs }: RunArguments): boolean {
  const { stdin, stderr } = terminals();
  return stderr && !(stdin && inputs.includes("-"));
}

function besideProgress(stdout: ByteSink, messages: Messages): ByteSink {
  const isTerminal = terminals();
  return isTerminal.stdout && isTerminal.stderr ? besideStatusLine(stdout, messages) : stdout;
}

/** Shows a failure; returns the exit status. */
function report({ status, message }: Failure, messages: Messages, partial?: string): number {
  const kept = partial === undefined ? [] : [partialNote(partial)];
  const parts = message === undefined ? kept : [message, ...kept];
  if (parts.length > 0) messages.say(parts.join("; "));
  return status;
}
