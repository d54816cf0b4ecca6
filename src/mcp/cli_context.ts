import type { CommandPort, SessionPort, TerminalSession } from "../ports/mod.ts";
import type { HostPort } from "./host_port.ts";
import type { CliLimits } from "./limits.ts";
import type { Variables } from "./variables.ts";

/** What the tools of one client share. */
export interface CliContext {
  /** Whose sessions they are. */
  readonly owner: string;
  /** The machine. */
  readonly host: HostPort;
  /** What runs commands. */
  readonly commands: CommandPort;
  /** The sessions of all clients. */
  readonly sessions: SessionPort;
  /** What CliEnv has changed for all commands. */
  readonly variables: Variables;
  /** The budgets. */
  readonly limits: CliLimits;
  /** Names of the tools that are on offer; hints name no others. */
  readonly offered: ReadonlySet<string>;
}

/**
 * The session of that id.
 *
 * @throws {RangeError} There is none: the message lists those that there are.
 */
export function sessionOf({ sessions, owner }: CliContext, sessionId: string): TerminalSession {
  const session = sessions.get(owner, sessionId);
  if (session !== undefined) return session;
  const missing = `There is no session ${JSON.stringify(sessionId)}`;
  const known = sessions.list(owner).map(({ sessionId, state }) =>
    state.isRunning ? sessionId : `${sessionId} (ended)`
  );
  if (known.length > 0) throw new RangeError(`${missing}: there are ${known.join(", ")}`);
  throw new RangeError(
    `${missing}, nor any other: ${sessions.unavailable ?? "start one with CliSession"}`,
  );
}

/** The folder that an input names, or the usual one. */
export async function folderOf({ host }: CliContext, path: string | undefined): Promise<string> {
  return path === undefined || path === "" ? host.workingDirectory : await host.folder(path);
}
