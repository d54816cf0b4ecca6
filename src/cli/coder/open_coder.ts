import { isRecord } from "../../base/mod.ts";
import {
  approvedTools,
  type AskFor,
  type AskUser,
  type CoderLimits,
  type CoderOptions,
  coderTools,
  type CoderToolsOptions,
  type CommandTool,
  Grants,
} from "../../coder/mod.ts";
import { openaiClient } from "../../llm/mod.ts";
import { currentFolder, hostFs, pathKind, processHost, scratchFolder } from "../../sys/mod.ts";
import {
  chooseSandbox,
  CommandSession,
  findShell,
  hiddenPaths,
  type Sandbox,
  type SandboxMode,
  visibleInRun,
} from "../../terminal/mod.ts";
import { hostVfs } from "../../vfs/mod.ts";
import { absolutePath } from "../paths/mod.ts";
import { ConfigError } from "../settings/mod.ts";
import { attachFolders, findAttachFolders, usualStateFolder } from "../state/mod.ts";
import { readAgentSettings } from "./agent_settings.ts";
import { noToAll, yesToAll } from "./approvals.ts";

/**
 * Milliseconds of retries once an endpoint has answered: a conversation survives a network that is
 * down for a while.
 */
const RETRY_TIME = 300_000;

/** Options of the coding agent on this machine. */
export interface OpenCoderOptions {
  /** The sandbox of commands. */
  readonly sandbox: SandboxMode;
  /**
   * Folders with files that may be changed, besides the current one and that for temporary files.
   */
  readonly allow: readonly string[];
  /** True if commands may use the network; true if absent. */
  readonly network?: boolean | undefined;
  /** Calls within the boundary that also need the user's approval; `never` if absent. */
  readonly calls?: AskFor | undefined;
  /** True to allow calls beyond the boundary without asking; false if absent. */
  readonly yes?: boolean | undefined;
  /** The endpoint; that of the environment if absent. */
  readonly baseUrl?: string | undefined;
  /** The model; that of the environment if absent. */
  readonly model?: string | undefined;
  /** The tools that run commands: the agent's own `bash`, or the CLI tools; `bash` if absent. */
  readonly commandTools?: "bash" | "cli" | undefined;
  /** Limits that override those of the environment. */
  readonly turnLimits?: Partial<CoderLimits> | undefined;
  /** Called with warnings for the user. */
  warn(message: string): void;
  /** Called with each chunk of the output of commands and the id of the call; see `coderTools`. */
  readonly onOutput?: CoderToolsOptions["onOutput"];
}

/** Options of `run()` that all turns share. */
export type CoderTurn =
  & Pick<CoderOptions, "client" | "model" | "limits" | "vfs" | "facts" | "tools">
  & { readonly smallModel: string; readonly runner: CommandSession };

/** Approvals of what a turn may do beyond the boundary. */
export interface TurnApprovals {
  /** Permissions that were granted for the session. */
  readonly grants: Grants;
  /** Asks the user; absent if nobody can be asked. */
  readonly ask?: AskUser | undefined;
}

/** The coding agent on this machine: its files, its shell, its environment. */
export interface OpenCoder extends AsyncDisposable {
  /** Options of `run()` for a turn in which nobody can be asked. */
  readonly turn: CoderTurn;
  /** Returns the options of `run()` for a turn. */
  turnWith(approvals: TurnApprovals): CoderTurn;
  /** The working folder. */
  readonly root: string;
  /** The folder of the sessions; `undefined` if neither HOME nor XDG_STATE_HOME is set. */
  readonly stateFolder: string | undefined;
}

/**
 * Opens the coding agent. Disposing it kills every process that its commands started.
 *
 * @throws {ConfigError} The key is missing, or a setting is wrong.
 */
export async function openCoder(options: OpenCoderOptions): Promise<OpenCoder> {
  const settings = await readAgentSettings(options.baseUrl, options.warn);
  const { apiKey, baseUrl, smallModel, patience } = settings;
  const limits = { ...settings.limits, ...options.turnLimits };
  const stateFolder = usualStateFolder();
  const root = currentFolder();
  const allow = options.allow.map((path) => absolutePath(path, root));
  checkFolders(allow);
  const { sandbox, hidden } = await confinement(options, {
    ...{ root, allow },
    own: (await findAttachFolders()).hidden,
  });
  // In the sandbox /tmp is private; without one all programs share it.
  const scratch = sandbox.kind === "none" ? await scratchFolder() : undefined;
  const tmp = scratch?.path ?? "/tmp";
  const runner = new CommandSession({
    ...{ cwd: root, sandbox },
    ...scratch === undefined ? {} : { env: { TMPDIR: tmp } },
  });
  const vfs = hostVfs(hostFs(), {
    root,
    // A user who works in / has not agreed to changes everywhere.
    writable: [...root === "/" ? [] : [root], ...allow, tmp],
    hidden,
    visible: visibleInRun,
    ...sandbox.kind === "none" ? {} : { mounts: () => runner.seenFolders() },
  });
  // The home folder that commands see.
  const home = processHost().env["HOME"];
  const { onOutput } = options;
  const like = coderTools({ vfs, runner, limits, home });
  const { calls = "never", yes = false } = options;
  /** The permissions of the running turn beyond the boundary. */
  let granted: Grants | undefined;
  const cli = options.commandTools !== "cli" ? undefined : await openCli({
    ...{ root, sandbox, runner, seconds: limits.bashSeconds, warn: options.warn },
    writable: () => [...granted?.folders ?? []],
  });
  const always = yes ? yesToAll(options.warn) : undefined;
  const otherwise = noToAll(options.warn);
  const common = {
    client: openaiClient({
      apiKey,
      baseUrl,
      ...patience,
      retryTime: RETRY_TIME,
    }),
    model: options.model ?? settings.model,
    ...{ smallModel, limits, runner, vfs },
  };
  const turnWith = ({ grants, ask = always }: TurnApprovals): CoderTurn => {
    const approvals = { calls, grants, otherwise, ask: always ?? ask };
    const opened = [...grants.folders];
    granted = grants;
    const beyond = yes ? "allowed" : ask === undefined ? "refused" : "asked";
    return {
      ...common,
      tools: approvedTools({
        ...{ vfs, runner, limits, home, like, approvals, onOutput },
        commands: cli?.commands,
      }),
      facts: {
        platform: processHost().os,
        sandbox: factOf(sandbox, [root, ...allow, ...opened]),
        files: { writable: [root, ...allow, ...opened], tmp, beyond },
        calls: yes ? "never" : calls,
        commandTools: options.commandTools,
      },
    };
  };
  return {
    root,
    stateFolder,
    turn: turnWith({ grants: new Grants() }),
    turnWith,
    async [Symbol.asyncDispose]() {
      try {
        await cli?.[Symbol.asyncDispose]();
        await runner[Symbol.asyncDispose]();
      } finally {
        await scratch?.[Symbol.asyncDispose]();
      }
    },
  };
}

/** Opens the CLI tools on the agent's own command session. */
async function openCli({ root, seconds, ...more }: {
  readonly root: string;
  readonly sandbox: Sandbox;
  readonly runner: CommandSession;
  readonly writable: () => readonly string[];
  readonly seconds: number | undefined;
  readonly warn: (message: string) => void;
}): Promise<AsyncDisposable & { readonly commands: readonly CommandTool[] }> {
  const { cliToolsOnHost, WorkingFolders } = await import("../mcp/mcp.ts");
  const shell = findShell();
  // The next call of a tool reports it.
  shell.catch(() => {});
  const cli = cliToolsOnHost({
    program: "llmcmd agent",
    owner: "agent",
    attach: await attachFolders(),
    limits: seconds === undefined ? {} : { commandSeconds: seconds },
    folders: await WorkingFolders.open(hostFs(), root, []),
    ...{ ...more, shell },
  });
  // Text that CliWrite types into a shell is a command, too.
  const commandOf = (input: unknown) => {
    const text = isRecord(input) ? input["command"] ?? input["input"] : undefined;
    return typeof text === "string" ? text : undefined;
  };
  return {
    commands: [...cli.tools].map((tool) => ({ tool, commandOf })),
    [Symbol.asyncDispose]: () => cli[Symbol.asyncDispose](),
  };
}

/** The sandbox of commands, and the paths that are hidden from all tools. */
async function confinement(
  options: OpenCoderOptions,
  { root, allow, own }: { root: string; allow: string[]; own: readonly string[] },
): Promise<{ sandbox: Sandbox; hidden: string[] }> {
  const { network = true, sandbox: mode, warn } = options;
  const sandbox = await chooseSandbox(mode, { writable: allow, hidden: own, network });
  if (sandbox.kind === "none") {
    if (!network) {
      throw new ConfigError(`Commands can't be kept from the network: ${sandbox.reason}`);
    }
    if (mode === "auto") warn(`commands run without a sandbox: ${sandbox.reason}`);
  }
  if (root === "/") warn("the working folder is /: every change of a file needs approval");
  const { env } = processHost();
  return { sandbox, hidden: [...hiddenPaths(env["HOME"], own), ...SYSTEM] };
}

/**
 * Folders with only the system's own files: processes with their environment, devices, settings and
 * sockets of the kernel and of services.
 */
const SYSTEM = ["/proc", "/sys", "/dev", "/run"];

function checkFolders(folders: readonly string[]): void {
  for (const folder of folders) {
    const kind = pathKind(folder);
    if (kind === "folder" || kind === "unknown") continue;
    throw new ConfigError(`There is no folder ${folder}, which --allow-dir names`);
  }
}

function factOf(sandbox: Sandbox, writable: readonly string[]) {
  if (sandbox.kind === "none") return sandbox;
  return { kind: sandbox.kind, network: sandbox.network, writable };
}
