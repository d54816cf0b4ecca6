import { pageHelp, readCommand, UsageError } from "../../command_line/mod.ts";
import { envValue, openRawTerminal, terminals } from "../../sys/mod.ts";
import { attachableSessions } from "../../terminal/mod.ts";
import { stderrMessages } from "../messages/mod.ts";
import { printText, type TextOutput } from "../pages/pages.ts";
import { untilSignal } from "../signals/signals.ts";
import { findAttachFolders } from "../state/mod.ts";
import { chooseSession } from "./choose_session.ts";
import { joinSession } from "./join_session.ts";
import { listSessions, NO_SESSIONS } from "./list_sessions.ts";
import { ATTACH_PAGE } from "./page.ts";

/** Runs `llmcmd attach`: lists the sessions that can be joined, or joins one. */
export async function runAttach(args: readonly string[], stdout: TextOutput): Promise<number> {
  const page = ATTACH_PAGE;
  const { options, given } = readCommand(args, page);
  if (options.help) return await printText(stdout, pageHelp(page));
  const [name, ...more] = given.flatMap((item) => item.kind === "operand" ? [item.value] : []);
  const [extra] = more;
  if (extra !== undefined) throw new UsageError(`unexpected operand '${extra}'`);
  const { all } = await findAttachFolders();
  if (name === undefined) {
    const sessions = await attachableSessions(all);
    const text = sessions.length === 0 ? NO_SESSIONS : listSessions(sessions, Date.now());
    return await printText(stdout, text);
  }
  const { stdin, stdout: shown } = terminals();
  if (!stdin || !shown) {
    const which = stdin ? "output" : "input";
    throw new UsageError(`standard ${which} is not a terminal, which joining a session needs`);
  }
  const session = chooseSession(name, await attachableSessions(all));
  if (envValue("LLMCMD_SESSION") === session.sessionId) {
    throw new UsageError(`this terminal is the session ${session.sessionId} itself`);
  }
  const messages = stderrMessages(page.name);
  return await untilSignal(async (signal) => {
    const terminal = await openRawTerminal({ pasteMarks: false });
    try {
      return await joinSession(session, { terminal, messages, signal, key: options.escape });
    } finally {
      terminal.close();
      await messages.flush();
    }
  }, () => messages.flush());
}
