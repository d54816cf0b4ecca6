import * as z from "zod";
import type { CommandOutcome, CommandSandbox } from "../ports/mod.ts";
import { defineTool, type Tool } from "../tool/mod.ts";
import type { Toolbox } from "./toolbox.ts";

/** Details of a `bash` call for people who watch. */
export interface BashDetails {
  /** The shell's status, or `null` when the command was killed. */
  exitCode: number | null;
  /** True where it reached its time-out. */
  timedOut: boolean;
  /** It was stopped. */
  aborted: boolean;
  /** The sandbox that it ran in. */
  sandbox: CommandSandbox;
  /** The file with the whole output, when only its tail is shown. */
  outputPath?: string;
  /** Its duration in seconds. */
  seconds: number;
}

/** The input of `bash`. */
export interface BashInput {
  /** The command line. */
  command: string;
  /** Seconds. */
  timeout?: number | undefined;
}

/** The tool `bash`: runs a command in a shell, with a time-out that the model may choose. */
export function bashTool(
  { runner, limits, writable, onOutput: show }: Toolbox,
): Tool<BashInput> {
  return defineTool({
    name: "bash",
    description: "Execute a shell command",
    input: z.object({
      command: z.string().describe("Command to execute"),
      timeout: z.number().positive().max(limits.bashSecondsMost).optional().describe(
        `Seconds after which it is killed, ${limits.bashSeconds} if absent`,
      ),
    }),
    async execute({ command, timeout = limits.bashSeconds }, { signal, callId, onOutput }) {
      const outcome = await runner.run(command, {
        timeout: timeout * 1000,
        signal,
        ...(writable === undefined ? {} : { writable: writable() }),
        onOutput: show === undefined ? onOutput : (chunk) => show(callId, chunk),
      });
      const { exitCode, timedOut, aborted, sandbox, truncated, duration } = outcome;
      const details: BashDetails = {
        exitCode,
        timedOut,
        aborted,
        sandbox,
        ...(truncated?.path === undefined ? {} : { outputPath: truncated.path }),
        seconds: duration / 1000,
      };
      const content = describeOutcome(outcome, timeout);
      return exitCode === 0 ? { content, details } : { content, error: true, details };
    },
  });
}

/**
 * The output of a command with notes on how it ended: the exit code, the sandbox, and where the
 * rest of the output is. Also shown to people after `!command`.
 */
export function describeOutcome(outcome: CommandOutcome, timeout: number): string {
  const { text, truncated, background, survivors } = outcome;
  const notes: string[] = [];
  if (truncated !== undefined) {
    const { lines, bytes, shownLines, path, note } = truncated;
    notes.push(
      `These are the last ${shownLines} of ${lines} lines (${bytes} bytes); ` +
        (path === undefined
          ? "the rest is lost"
          : `the whole is in ${path}: read it with read_file and offset, or grep it, ` +
            "instead of running the command again"),
    );
    if (note !== undefined) notes.push(note);
  }
  if (background !== undefined) {
    const where = background.path === undefined ? "" : `; their output goes to ${background.path}`;
    notes.push(
      `Processes that it started go on in the background until they are killed${where}`,
    );
  }
  if (survivors === "unknown") notes.push("Processes that it started may be left");
  else if (survivors > 0) notes.push(`${survivors} processes could not be killed`);
  notes.push(`${ending(outcome, timeout)}, ${sandboxLabel(outcome.sandbox)}`);
  const gap = text === "" || text.endsWith("\n") ? "" : "\n";
  return `${text}${gap}${notes.map((note) => `[${note}]`).join("\n")}`;
}

function ending({ exitCode, signal, timedOut, aborted }: CommandOutcome, timeout: number): string {
  if (timedOut) {
    return `Timed out after ${timeout} s and killed with all that it started ` +
      "(give a longer timeout if it needs one)";
  }
  if (aborted) return "Stopped and killed with all that it started";
  if (exitCode === null) return "Killed";
  return signal === null ? `Exit code ${exitCode}` : `Exit code ${exitCode} (${signal})`;
}

function sandboxLabel(sandbox: CommandSandbox): string {
  if (sandbox.kind === "none") return "no sandbox";
  const { kind, network, apart = [] } = sandbox;
  const notes = [
    network ? kind : `${kind} without network`,
    ...apart.includes("processes") ? ["other commands can't see or stop its processes"] : [],
    ...apart.includes("network") ? ["other commands can't reach its ports"] : [],
  ];
  return `sandbox ${notes.join(", ")}`;
}
