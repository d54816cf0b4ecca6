import { UsageError } from "../../command_line/mod.ts";
import {
  type CliLimits,
  type CliToolName,
  cliTools,
  type CommandPort,
  isForbidden,
} from "../../mcp/mod.ts";
import { currentFolder, hostFs, processHost } from "../../sys/mod.ts";
import {
  chooseSandbox,
  CommandSession,
  findShell,
  type Sandbox,
  type SandboxMode,
  SessionManager,
  type ShellFacts,
} from "../../terminal/mod.ts";
import type { Registry } from "../../tool/mod.ts";
import { type AttachFolders, attachFolders } from "../state/mod.ts";
import { attachPoint } from "./attach_point.ts";
import { cliHost } from "./cli_host.ts";
import { WorkingFolders } from "./working_folders.ts";

/** How the tools run commands on this machine. */
export interface OpenCliToolsOptions {
  /** The program that has them, such as `llmcmd mcp`. */
  readonly program: string;
  /** Whose sessions they are. */
  readonly owner: string;
  /** What confines commands. */
  readonly sandbox: SandboxMode;
  /** The folders that commands may start in, the first one usually; empty: all, the current one. */
  readonly allow: readonly string[];
  /** The shell, a name or a path; bash, else sh, if absent. */
  readonly shell?: string | undefined;
  /** The tools to offer; all if absent. */
  readonly only?: readonly CliToolName[] | undefined;
  /** Budgets other than the usual ones. */
  readonly limits?: Partial<CliLimits> | undefined;
  /** Terminal sessions that may run at once; 16 if absent. */
  readonly maxSessions?: number | undefined;
  /** Is told what the user should know. */
  readonly warn: (message: string) => void;
  /** Whether the user was told before if there is no sandbox; false if absent. */
  readonly sandboxTold?: boolean | undefined;
}

/** The tools, with what they have started. */
export interface CliToolsOnHost extends AsyncDisposable {
  /** The tools. */
  readonly tools: Registry;
}

/** The tools, with all that is behind them. */
export interface OpenCliTools extends CliToolsOnHost {
  /** Whether a sandbox confines commands. */
  readonly sandboxed: boolean;
}

/**
 * Opens the CLI tools on this machine. Disposing kills everything that commands and sessions have
 * started.
 *
 * @throws {CommandStartError} The sandbox that is required does not work, or the shell is none.
 * @throws {UsageError} A folder of `allow` is missing, or there is a sandbox but no folder for it.
 */
export async function openCliTools(options: OpenCliToolsOptions): Promise<OpenCliTools> {
  const { warn } = options;
  const folders = await WorkingFolders.open(hostFs(), currentFolder(), options.allow);
  const root = folders.usual;
  const attach = await attachFolders();
  const shell = findShell(options.shell);
  // A shell that was asked for must be there; another is missed by whoever needs it.
  if (options.shell === undefined) shell.catch(() => {});
  const [sandbox] = await Promise.all([
    chooseSandbox(options.sandbox, {
      writable: folders.allowed?.filter((path) => path !== root) ?? [],
      hidden: attach.hidden,
    }),
    options.shell === undefined ? undefined : shell,
  ]);
  if (sandbox.kind === "none" && options.sandbox === "auto" && options.sandboxTold !== true) {
    warn(`commands run without a sandbox: ${sandbox.reason}`);
  }
  if (sandbox.kind === "bwrap" && root === "/") {
    throw new UsageError(
      "the current folder is /, to which a sandbox confines nothing: give --allow-dir=FOLDER, or " +
        "--sandbox=none",
    );
  }
  const runner = new CommandSession({ cwd: root, sandbox, base: allowedVariables() });
  const { program, owner, only, limits, maxSessions } = options;
  const cli = cliToolsOnHost({
    ...{ program, owner, only, limits, maxSessions, folders, sandbox, runner, shell, warn, attach },
  });
  return {
    tools: cli.tools,
    sandboxed: sandbox.kind !== "none",
    async [Symbol.asyncDispose]() {
      try {
        await cli[Symbol.asyncDispose]();
      } finally {
        // Last, as sessions use its folders.
        await runner[Symbol.asyncDispose]();
      }
    },
  };
}

/** What {@linkcode cliToolsOnHost} needs. */
export interface CliToolsOnHostOptions
  extends
    Pick<OpenCliToolsOptions, "program" | "owner" | "only" | "limits" | "maxSessions" | "warn"> {
  /** Where persons join sessions. */
  readonly attach: AttachFolders;
  /** The folders that commands may start in. */
  readonly folders: WorkingFolders;
  /** What confines commands. */
  readonly sandbox: Sandbox;
  /** What runs commands, in that sandbox. It is not disposed of. */
  readonly runner: CommandSession;
  /** Folders that commands may write to besides those of the sandbox; none if absent. */
  readonly writable?: (() => readonly string[]) | undefined;
  /** The shell; a rejection is told to whoever calls a tool. */
  readonly shell: Promise<ShellFacts>;
}

/** The CLI tools over a session of commands that is there already. Disposing ends terminal sessions. */
export function cliToolsOnHost(options: CliToolsOnHostOptions): CliToolsOnHost {
  const { owner, only, limits, folders, sandbox, runner, shell, writable, maxSessions } = options;
  const commands: CommandPort = {
    run: async (command, how) =>
      await runner.runApart(command, {
        ...how,
        writable: writable?.(),
        shell: (await shell).shellPath,
      }),
  };
  const attach = attachPoint(options, () => sessions);
  const sessions: SessionManager = new SessionManager({
    ...{ runner, sandbox, shell, maxSessions, attachable: attach.attachable },
  });
  const host = cliHost({
    folders,
    sandbox,
    facts: () => shell,
    environment: () => runner.environment,
  });
  return {
    tools: cliTools({ owner, host, commands, sessions, only, limits }),
    async [Symbol.asyncDispose]() {
      try {
        // First, so that those who have joined are told.
        await sessions[Symbol.asyncDispose]();
      } finally {
        await attach[Symbol.asyncDispose]();
      }
    },
  };
}

/** This process's variables, without those that make programs run other code. */
function allowedVariables(): Record<string, string> {
  return Object.fromEntries(
    Object.entries(processHost().env).filter(([name]) => !isForbidden(name)),
  );
}
