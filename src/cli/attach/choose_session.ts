import { closest } from "../../base/mod.ts";
import { UsageError } from "../../command_line/mod.ts";
import type { AttachableSession } from "../../terminal/mod.ts";

/**
 * The session of a name: its id, or `ID@PID` where several servers have one of that id.
 *
 * @throws {UsageError} There is none, or several: the message lists them.
 */
export function chooseSession(
  name: string,
  sessions: readonly AttachableSession[],
): AttachableSession {
  const found = sessions.filter((it) => it.sessionId === name || fullName(it) === name);
  const [only] = found;
  if (only !== undefined && found.length === 1) return only;
  if (only !== undefined) {
    throw new UsageError(
      `several servers have a session ${name}: give ${found.map(fullName).join(" or ")}`,
    );
  }
  if (sessions.length === 0) throw new UsageError(`there is no session '${name}', nor any other`);
  const names = sessions.map(({ sessionId }) => sessionId);
  const near = closest(name, names);
  const hint = near === undefined ? "" : `; did you mean '${near}'?`;
  throw new UsageError(`there is no session '${name}': there are ${names.join(", ")}${hint}`);
}

function fullName({ sessionId, pid }: AttachableSession): string {
  return `${sessionId}@${pid}`;
}
