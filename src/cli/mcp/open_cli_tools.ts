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

/** Options of {@linkcode openCliTools}. */
export interface OpenCliToolsOptions {
  /** The program with the tools, such as `llmcmd mcp`. */
  readonly program: string;
  /** The owner of the sessions. */
  readonly owner: string;
  /** The sandbox of commands. */
  readonly sandbox: SandboxMode;
  /**
   * Folders that commands may start in, the usual one first. If empty, all, and usually the current
   * one.
   */
  readonly allow: readonly string[];
  /** Name or path of the shell; bash, else sh, if absent. */
  readonly shell?: string | undefined;
  /** The tools to offer; all if absent. */
  readonly only?: readonly CliToolName[] | undefined;
  /** Limits that differ from the defaults. */
  readonly limits?: Partial<CliLimits> | undefined;
  /** Most terminal sessions that run at once; 16 if absent. */
  readonly maxSessions?: number | undefined;
  /** Called with warnings for the user. */
  readonly warn: (message: string) => void;
  /** True if the user was already warned that there is no sandbox; false if absent. */
  readonly sandboxTold?: boolean | undefined;
}

/** The CLI tools. Disposing them ends the sessions that they started. */
export interface CliToolsOnHost extends AsyncDisposable {
  readonly tools: Registry;
}

/** The CLI tools with their command session. */
export interface OpenCliTools extends CliToolsOnHost {
  /** True if a sandbox confines commands. */
  readonly sandboxed: boolean;
}

/**
 * Opens the CLI tools on this machine. Disposing them kills every process that commands and
 * sessions have started.
 *
 * @throws {CommandStartError} The required sandbox does not work, or the shell is not usable.
 * @throws {UsageError} A folder of `allow` is missing, or the usual folder is `/` and there is a sandbox.
 */
export async function openCliTools(options: OpenCliToolsOptions): Promise<OpenCliTools> {
  const { warn } = options;
  const folders = await WorkingFolders.open(hostFs(), currentFolder(), options.allow);
  const root = folders.usual;
  const attach = await attachFolders();
  const shell = findShell(options.shell);
  // Only a shell that was asked for must exist now; else the first call reports a missing one.
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
      "the current folder is /, so a sandbox would confine nothing: give --allow-dir=FOLDER, or " +
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

/** Options of {@linkcode cliToolsOnHost}. */
export interface CliToolsOnHostOptions
  extends
    Pick<OpenCliToolsOptions, "program" | "owner" | "only" | "limits" | "maxSessions" | "warn"> {
  /** The folders of the sockets by which people join sessions. */
  readonly attach: AttachFolders;
  /** The folders that commands may start in. */
  readonly folders: WorkingFolders;
  /** The sandbox of commands. */
  readonly sandbox: Sandbox;
  /** Runs commands in that sandbox. The tools do not dispose of it. */
  readonly runner: CommandSession;
  /** Folders that commands may write to, besides those of the sandbox; none if absent. */
  readonly writable?: (() => readonly string[]) | undefined;
  /** The shell; if it rejects, each call of a tool reports the error. */
  readonly shell: Promise<ShellFacts>;
}

/** Opens the CLI tools on an existing command session. Disposing them ends terminal sessions. */
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
        // First, so that people who have joined see the end.
        await sessions[Symbol.asyncDispose]();
      } finally {
        await attach[Symbol.asyncDispose]();
      }
    },
  };
}

/** The variables of this process, without those that make programs run other code. */
function allowedVariables(): Record<string, string> {
  return Object.fromEntries(
    Object.entries(processHost().env).filter(([name]) => !isForbidden(name)),
  );
}
