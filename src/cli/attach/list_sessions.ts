import { nameOnOneLine } from "../../base/mod.ts";
import type { AttachableSession } from "../../terminal/mod.ts";
import { columnLines, fit } from "../text/mod.ts";

/** Most columns of a command and of a folder. */
const WIDEST = 40;

/** The message if no session can be joined. */
export const NO_SESSIONS =
  "There is no terminal session to join: an agent starts one with CliSession, " +
  "under llmcmd mcp, llmcmd serve or llmcmd agent --tools cli\n";

/** A table of sessions for people; `now` in milliseconds since 1970. */
export function listSessions(sessions: readonly AttachableSession[], now: number): string {
  const rows = sessions.map((it) =>
    [
      it.sessionId,
      `${it.program} ${it.pid}`,
      ago(now - Date.parse(it.startedAt)),
      it.state + (it.attached === 0 ? "" : `, ${it.attached} joined`),
      it.folder,
      it.command,
    ].map((text, column) => column < 3 ? text : fit(nameOnOneLine(text), WIDEST))
  );
  const table = [["SESSION", "SERVER", "SINCE", "STATE", "FOLDER", "COMMAND"], ...rows];
  return columnLines(table).map((line) => `${line}\n`).join("");
}

function ago(milliseconds: number): string {
  const seconds = Math.max(0, Math.round(milliseconds / 1000));
  if (!(seconds >= 120)) return `${seconds || 0} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 120 ? `${minutes} min` : `${Math.round(minutes / 60)} h`;
}
