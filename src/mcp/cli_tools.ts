import type { CommandPort, SessionPort } from "../ports/mod.ts";
import { Registry, type Tool } from "../tool/mod.ts";
import type { CliContext } from "./cli_context.ts";
import { cliEnv } from "./cli_env.ts";
import { cliGetPlatform } from "./cli_get_platform.ts";
import { cliRead } from "./cli_read.ts";
import { cliRun } from "./cli_run.ts";
import { cliSession } from "./cli_session.ts";
import { cliStop } from "./cli_stop.ts";
import { cliWrite } from "./cli_write.ts";
import type { HostPort } from "./host_port.ts";
import { type CliLimits, defaultCliLimits } from "./limits.ts";
import { Variables } from "./variables.ts";

/** The names of the seven tools, in the order of the specification. */
export const CLI_TOOL_NAMES = [
  "CliGetPlatform",
  "CliRun",
  "CliSession",
  "CliRead",
  "CliWrite",
  "CliStop",
  "CliEnv",
] as const;

/** The name of one of the seven tools. */
export type CliToolName = typeof CLI_TOOL_NAMES[number];

/** The factory of each tool. */
const TOOLS = {
  CliGetPlatform: cliGetPlatform,
  CliRun: cliRun,
  CliSession: cliSession,
  CliRead: cliRead,
  CliWrite: cliWrite,
  CliStop: cliStop,
  CliEnv: cliEnv,
} as const satisfies Record<CliToolName, (context: CliContext) => unknown>;

/** Options of {@linkcode cliTools}. */
export interface CliToolsOptions {
  /** Owner of the sessions that these tools start. */
  readonly owner: string;
  /** The machine. */
  readonly host: HostPort;
  /** Runs commands. */
  readonly commands: CommandPort;
  /** The sessions of all clients. */
  readonly sessions: SessionPort;
  /** The tools to offer; all if absent. */
  readonly only?: readonly CliToolName[] | undefined;
  /** Limits that differ from {@linkcode defaultCliLimits}. */
  readonly limits?: Partial<CliLimits> | undefined;
}

/**
 * Makes the tools of one client. They hold the client's changes by CliEnv, so make them once per
 * client, not once per request.
 */
export function cliTools(options: CliToolsOptions): Registry {
  const { owner, host, commands, sessions, only = CLI_TOOL_NAMES } = options;
  const limits = { ...defaultCliLimits, ...options.limits };
  const variables = new Variables(limits.environmentBytes);
  const context: CliContext = {
    ...{ owner, host, commands, sessions, variables, limits },
    offered: new Set(only),
  };
  return new Registry(only.map((name): Tool => TOOLS[name](context)));
}
