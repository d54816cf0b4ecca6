import type { CommandPort, SessionPort, TerminalSession } from "../ports/mod.ts";
import type { HostPort } from "./host_port.ts";
import type { CliLimits } from "./limits.ts";
import type { Variables } from "./variables.ts";

/** State that the tools of one client share. */
export interface CliContext {
  /** Owner of the client's sessions. */
  readonly owner: string;
  /** The machine. */
  readonly host: HostPort;
  /** Runs commands. */
  readonly commands: CommandPort;
  /** The sessions of all clients. */
  readonly sessions: SessionPort;
  /** Changes by CliEnv to the variables of all commands. */
  readonly variables: Variables;
  /** Limits of the tools. */
  readonly limits: CliLimits;
  /** Names of the offered tools; hints mention no others. */
  readonly offered: ReadonlySet<string>;
}

/**
 * Finds a session by its id.
 *
 * @throws {RangeError} It does not exist: the message lists the existing ones.
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

/** The folder that an input names, or the default working directory. */
export async function folderOf({ host }: CliContext, path: string | undefined): Promise<string> {
  return path === undefined || path === "" ? host.workingDirectory : await host.folder(path);
}
