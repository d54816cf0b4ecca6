import * as z from "zod";
import type { SessionOutput } from "../ports/mod.ts";
import { structuredResult, type Tool } from "../tool/mod.ts";
import { type CliContext, folderOf } from "./cli_context.ts";
import { posixTool } from "./cli_tool.ts";
import { outputFields, outputOf, passwordHint, stateFields, stateOf } from "./session_result.ts";
import { suggestion } from "./_suggestion.ts";
import { checkVariable } from "./variables.ts";

const DESCRIPTION = `Starts an interactive shell session for complex or long-running operations.

Use CliSession when:
- Running commands that take > 30 seconds
- Need to run multiple related commands
- Working with interactive tools (repl, debugger)
- Need to preserve working directory across commands

Workflow:
1. CliSession to start (get sessionId)
2. CliWrite to send commands
3. CliRead to get output
4. CliStop when done

Example - Run tests and debug:
1. CliSession workingDirectory="/project" (get sessionId)
2. CliWrite input="npm test{enter}" until="prompt"
3. CliRead to see more results
4. CliWrite input="npm run test:debug failed-test{enter}"
5. CliRead to see debug output
6. CliStop sessionId="..."

With command, the session runs that instead of a shell and ends with it.`;

const HINT = "Use CliWrite to send commands, CliRead to get output, CliStop to terminate";

/** Hint about a command that has already ended; `undefined` while it runs. */
async function endHint(first: SessionOutput, context: CliContext): Promise<string | undefined> {
  const { isRunning, exitCode, hasMore, output } = first;
  if (isRunning) return undefined;
  const how = exitCode === null ? "it was killed" : `exit code ${exitCode}`;
  const rest = hasMore ? " Read the rest of its output with CliRead." : "";
  const why = exitCode === 0 ? undefined : await suggestion({ exitCode, stderr: output }, context);
  return `The command has ended (${how}).${rest}${why === undefined ? "" : ` ${why}`}`;
}

/** Longest wait for the first output, in milliseconds. */
const FIRST_OUTPUT = 5000;
/** Most bytes of the first output. */
const FIRST_BYTES = 64 * 1024;

/** The input of CliSession. */
export interface CliSessionInput {
  /** A command line to run instead of a shell. */
  command?: string | undefined;
  /** The folder to start in. */
  workingDirectory?: string | undefined;
  /** The id to use. */
  sessionId?: string | undefined;
  /** Variables to set. */
  env?: Record<string, string> | undefined;
  /** Columns of the terminal. */
  columns?: number | undefined;
  /** Rows of the terminal. */
  rows?: number | undefined;
}

/** The tool CliSession: starts a program on a terminal of its own. */
export function cliSession(context: CliContext): Tool<CliSessionInput> {
  return posixTool(context, {
    name: "CliSession",
    description: DESCRIPTION,
    input: z.strictObject({
      command: z.string().min(1).optional().describe(
        "Initial command to run (default: starts shell)",
      ),
      workingDirectory: z.string().optional().describe("Starting directory"),
      sessionId: z.string().regex(/^[\w.-]{1,64}$/, "use 1 to 64 of A-Z a-z 0-9 _ . -").optional()
        .describe("Custom session ID (auto-generated if not provided)"),
      env: z.record(z.string(), z.string()).optional().describe("Environment variables to set"),
      columns: z.int().min(20).max(500).optional().describe("Columns of the terminal (120)"),
      rows: z.int().min(5).max(200).optional().describe("Rows of the terminal (40)"),
    }),
    output: z.object({
      status: z.literal("started"),
      sessionId: z.string(),
      pid: z.int().nullable().describe("null in a sandbox, outside of which it means nothing"),
      shell: z.string(),
      workingDirectory: z.string(),
      initialOutput: z.string(),
      hint: z.string(),
      ...outputFields,
      ...stateFields,
    }),
    annotations: {
      title: "Start a terminal session",
      readOnlyHint: false,
      destructiveHint: true,
      idempotentHint: false,
      openWorldHint: true,
    },
    async execute({ workingDirectory, env = {}, ...input }, { signal }) {
      const { sessions, owner, variables } = context;
      const folder = await folderOf(context, workingDirectory);
      for (const [name, value] of Object.entries(env)) checkVariable(name, value);
      const session = await sessions.start(owner, {
        ...input,
        workingDirectory: folder,
        env: { ...variables.changes, ...env },
        signal,
      });
      // A shell may pause in its start-up files, so a pause of the output does not count.
      const until = input.command === undefined ? { kind: "input" } as const : undefined;
      const wait = { timeout: FIRST_OUTPUT, maxBytes: FIRST_BYTES, until, signal };
      const first = await session.read(wait).catch(async (error) => {
        // A caller that has cancelled never gets the id, so it could not stop the session.
        if (signal.aborted) await session.stop({ force: true, maxBytes: 0 });
        throw error;
      });
      const { sessionId, pid, shell } = session;
      return structuredResult({
        status: "started",
        sessionId,
        pid,
        shell,
        workingDirectory: session.workingDirectory,
        initialOutput: first.output,
        hint: passwordHint(session, first) ?? await endHint(first, context) ?? HINT,
        ...outputOf(first),
        ...stateOf(first),
      });
    },
  });
}
