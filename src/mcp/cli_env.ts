import * as z from "zod";
import type { TerminalSession } from "../ports/mod.ts";
import { structuredResult, type Tool } from "../tool/mod.ts";
import { type CliContext, sessionOf } from "./cli_context.ts";
import { posixTool } from "./cli_tool.ts";
import { changed, checkVariable } from "./variables.ts";

const DESCRIPTION = `Manages environment variables for CLI commands.

Actions:
- get: Retrieve a variable's value
- set: Set a variable (persists for session/global)
- list: List all variables
- unset: Remove a variable

Examples:
- Get PATH: action="get", name="PATH"
- Set NODE_ENV: action="set", name="NODE_ENV", value="test"
- List all: action="list"
- Remove var: action="unset", name="DEBUG"

Use sessionId to scope to a specific session, otherwise affects all commands. A session's variables \
are changed by its shell, so it must be at its prompt; sessions that run already keep their own \
when a global one changes. Secrets of the environment are kept from commands.`;

/** Stands for a secret's value in a list. */
const MASK = "***";

/** The input of CliEnv. */
export interface CliEnvInput {
  /** The action. */
  action: "get" | "set" | "list" | "unset";
  /** The variable; not for `list`. */
  name?: string | undefined;
  /** Its value; for `set`. */
  value?: string | undefined;
  /** The session; all commands if absent. */
  sessionId?: string | undefined;
}

/** The tool CliEnv: reads and changes the variables of commands. */
export function cliEnv(context: CliContext): Tool<CliEnvInput> {
  return posixTool(context, {
    name: "CliEnv",
    description: DESCRIPTION,
    input: z.strictObject({
      action: z.enum(["get", "set", "list", "unset"]).describe(
        "One of: get, set, list, unset",
      ),
      name: z.string().optional().describe("Variable name (required for get/set/unset)"),
      value: z.string().optional().describe("Variable value (required for set)"),
      sessionId: z.string().optional().describe("Apply to specific session (default: global)"),
    }),
    output: z.object({
      status: z.enum(["set", "unset"]).optional(),
      name: z.string().optional(),
      value: z.string().nullable().optional().describe("null where it is not set"),
      source: z.string().optional().describe("global, or the session"),
      scope: z.string().optional().describe("global, or the session"),
      variables: z.record(z.string(), z.string()).optional().describe(
        `Values that look like secrets are ${MASK}`,
      ),
      count: z.int().optional(),
      note: z.string().optional(),
    }),
    annotations: {
      title: "Environment variables",
      readOnlyHint: false,
      destructiveHint: false,
      idempotentHint: true,
      openWorldHint: false,
    },
    async execute({ action, name, value, sessionId }, { signal }) {
      const session = sessionId === undefined ? undefined : sessionOf(context, sessionId);
      if (action === "list") return structuredResult(list(context, session));
      if (name === undefined) throw new TypeError(`${action} needs a name`);
      if (action === "get") return structuredResult(get(name, context, session));
      if (action === "set" && value === undefined) throw new TypeError("set needs a value");
      const wanted = action === "set" ? value ?? "" : null;
      checkVariable(name, wanted);
      if (session === undefined) context.variables.set(name, wanted);
      else await session.setVariable(name, wanted, signal);
      return structuredResult({
        status: action,
        name,
        ...(wanted === null ? {} : { value: wanted }),
        scope: scopeOf(session),
      });
    },
  });
}

function get(name: string, context: CliContext, session: TerminalSession | undefined) {
  const value = new Map(Object.entries(environmentOf(context, session))).get(name) ?? null;
  const withheld = value === null && context.host.withholds(name);
  return {
    name,
    value,
    source: scopeOf(session),
    ...(withheld ? { note: "It is set, but kept from commands as it looks like a secret" } : {}),
  };
}

function list(context: CliContext, session: TerminalSession | undefined) {
  const { host } = context;
  const variables = Object.entries(environmentOf(context, session))
    .sort(([a], [b]) => a < b ? -1 : 1)
    .map(([name, value]) => [name, host.looksSecret(name, value) ? MASK : value] as const);
  return {
    variables: Object.fromEntries(variables),
    count: variables.length,
    source: scopeOf(session),
  };
}

function environmentOf(
  { host, variables }: CliContext,
  session: TerminalSession | undefined,
): Readonly<Record<string, string>> {
  return session?.environment() ?? changed(host.environment(), variables.changes);
}

function scopeOf(session: TerminalSession | undefined): string {
  return session?.sessionId ?? "global";
}
