import { clip, printable } from "../base/mod.ts";
import * as z from "zod";
import type { ApartResult, KeptOutput } from "../ports/mod.ts";
import { structuredResult, type Tool, type ToolContext } from "../tool/mod.ts";
import { suggestion } from "./_suggestion.ts";
import { type CliContext, folderOf } from "./cli_context.ts";
import { posixTool } from "./cli_tool.ts";
import type { CliLimits } from "./limits.ts";
import { withProgress } from "./with_progress.ts";

const description = ({ commandSeconds, secondsMost }: CliLimits, sessions: boolean) =>
  `Executes a command and returns the output. Best for quick operations.

Parameters:
- command: The shell command to run
- workingDirectory: Optional directory to run in
- timeout: Max seconds to wait (default: ${commandSeconds}, at most ${secondsMost})
- captureStderr: Include error output (default: true)

Use cases:
- List files: command="ls -la"
- Run tests: command="npm test"
- Check git status: command="git status"
- Compile code: command="dotnet build"

${
    sessions
      ? `For commands that take longer than ${commandSeconds} seconds, use CliSession instead.`
      : `For commands that take longer than ${commandSeconds} seconds, give a longer timeout.`
  }

After text edits, use this to:
1. Validate changes (linting, type checking)
2. Run tests to confirm fix
3. Format files (prettier, gofmt)

The command has no input and no terminal. Of a long output the beginning and the end are returned.`;

const output = z.object({
  status: z.enum(["success", "error", "timeout"]),
  exitCode: z.int().nullable().describe("128 + n for signal n; null when it was killed"),
  stdout: z.string(),
  stderr: z.string(),
  duration: z.number().describe("Seconds"),
  workingDirectory: z.string(),
  suggestion: z.string().optional(),
  signal: z.string().optional().describe("The signal that ended it"),
  background: z.boolean().optional().describe("Processes that it started go on in the background"),
  survivors: z.union([z.int(), z.literal("unknown")]).optional().describe(
    "Processes that could not be killed",
  ),
});

/** Result of CliRun. */
export type CliRunResult = z.infer<typeof output>;

/** The input of CliRun. */
export interface CliRunInput {
  /** The command line. */
  command: string;
  /** The folder to run it in. */
  workingDirectory?: string | undefined;
  /** Time-out in seconds. */
  timeout?: number | undefined;
  /** True to include standard error in the result, the default. */
  captureStderr?: boolean | undefined;
}

/** The tool CliRun: runs one command line and waits for its end. */
export function cliRun(context: CliContext): Tool<CliRunInput> {
  const { limits, offered } = context;
  let running = 0;
  return posixTool(context, {
    name: "CliRun",
    description: description(limits, offered.has("CliSession")),
    input: z.strictObject({
      command: z.string().min(1).describe("The command to execute"),
      workingDirectory: z.string().optional().describe(
        "Directory to run command in (default: current)",
      ),
      timeout: z.int().min(1).max(limits.secondsMost).optional().describe(
        `Max seconds to wait (default: ${limits.commandSeconds})`,
      ),
      captureStderr: z.boolean().optional().describe("Include stderr in output (default: true)"),
    }),
    output,
    annotations: {
      title: "Run a command",
      readOnlyHint: false,
      destructiveHint: true,
      idempotentHint: false,
      openWorldHint: true,
    },
    async execute(input, call) {
      if (running >= limits.commands) {
        throw new RangeError(
          `${running} commands are running, the most allowed at once: wait until one has ended`,
        );
      }
      running++;
      try {
        return structuredResult(await run(input, context, call));
      } finally {
        running--;
      }
    },
  });
}

async function run(
  { command, workingDirectory, timeout, captureStderr = true }: CliRunInput,
  context: CliContext,
  call: ToolContext,
): Promise<CliRunResult> {
  const { limits, commands, variables } = context;
  const seconds = timeout ?? limits.commandSeconds;
  const folder = await folderOf(context, workingDirectory);
  const last = new LastLine();
  const outcome = await withProgress(
    call.progress,
    { interval: limits.progressInterval, seconds, message: () => last.text },
    () =>
      commands.run(command, {
        workingDirectory: folder,
        env: variables.changes,
        timeout: seconds * 1000,
        maxBytes: limits.outputBytes,
        signal: call.signal,
        ...(call.progress === undefined ? {} : { onOutput: (chunk) => last.take(chunk) }),
      }),
  );
  const { exitCode, timedOut, signal, background, survivors } = outcome;
  const status = timedOut ? "timeout" : exitCode === 0 ? "success" : "error";
  const hint = timedOut
    ? tooSlow(seconds, context)
    : status === "error"
    ? await suggestion({ exitCode, stderr: endOf(outcome) }, context)
    : undefined;
  return {
    status,
    exitCode,
    stdout: outputText(outcome.stdout),
    stderr: captureStderr ? outputText(outcome.stderr) : "",
    duration: Math.round(outcome.duration) / 1000,
    workingDirectory: folder,
    ...(hint === undefined ? {} : { suggestion: hint }),
    ...(signal === null ? {} : { signal }),
    ...(background ? { background } : {}),
    ...(survivors === 0 ? {} : { survivors }),
  };
}

/** Hint after a time-out: the specification's sentence, then the alternatives. */
function tooSlow(seconds: number, { limits, offered }: CliContext): string {
  const session = offered.has("CliSession")
    ? " Use CliSession for long-running commands."
    : " Run it in parts.";
  const longer = seconds >= limits.secondsMost
    ? ""
    : ` A timeout may have up to ${limits.secondsMost} seconds.`;
  return `Command did not complete.${session}${longer}`;
}

/** The end of standard error, where shells report why they could not run something. */
function endOf({ stderr: { head, tail } }: ApartResult): string {
  return `${head}\n${tail}`.slice(-4096);
}

function outputText({ head, tail, bytes, droppedBytes }: KeptOutput): string {
  if (droppedBytes === 0) return head + tail;
  const gap = head === "" || head.endsWith("\n") ? "" : "\n";
  return `${head}${gap}[${droppedBytes} of ${bytes} bytes left out here: ` +
    `send the output to a file and read parts of it]\n${tail}`;
}

/** The last line of an output, for people who watch. */
class LastLine {
  readonly #decoder = new TextDecoder();
  #text = "";

  take(chunk: Uint8Array): void {
    // Longer lines are clipped anyway.
    const decoded = this.#decoder.decode(chunk.subarray(-4096), { stream: true });
    this.#text = `${this.#text}${decoded}`.slice(-4096);
  }

  get text(): string | undefined {
    const line = this.#text.trimEnd().split(/[\r\n]/).at(-1)?.trim();
    return line === undefined || line === "" ? undefined : clip(printable(line), 200);
  }
}
