import { closest } from "../../base/mod.ts";
import { UsageError } from "../../command_line/mod.ts";
import type { AttachableSession } from "../../terminal/mod.ts";

/**
 * Finds a session by its id, or by `ID@PID` if several servers have that id.
 *
 * @throws {UsageError} No session matches, or several: the message lists them.
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
  if (sessions.length === 0) {
    throw new UsageError(`there is no session '${name}', and no other to join`);
  }
  const names = sessions.map(({ sessionId }) => sessionId);
  const near = closest(name, names);
  const hint = near === undefined ? "" : `; did you mean '${near}'?`;
  throw new UsageError(`there is no session '${name}': there are ${names.join(", ")}${hint}`);
}

function fullName({ sessionId, pid }: AttachableSession): string {
  return `${sessionId}@${pid}`;
}
