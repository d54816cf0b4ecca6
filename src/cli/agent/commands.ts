import { localTime } from "../../base/mod.ts";
import { estimateTokens, SessionError, sessionLabel } from "../../coder/mod.ts";
import type { StoredSession } from "../../store/mod.ts";
import { fit } from "../text/mod.ts";
import type { AgentConversation } from "./conversation.ts";
import { welcome } from "./recap.ts";

/**
 * A command such as `/clear`. Returns the text to print, which may be empty. Lines of a list are
 * cut to `columns`.
 */
export type SlashCommand = (
  conversation: AgentConversation,
  argument: string,
  signal: AbortSignal,
  columns: number,
) => string | Promise<string>;

/** Most sessions that `/resume` lists: of this folder, and of others. */
const MOST_LISTED = 20;
const MOST_ELSEWHERE = 5;
/** Columns of a title that are always shown. */
const LEAST_TITLE = 12;

const HELP = `/help            this list
/clear           begin a new session
/compact         put a summary in the place of all but what was said last
/model [NAME]    show or change the model
/resume [N]      list the sessions of this folder, or go on with one
/usage           tokens of this session
!COMMAND         run a command in the shell; the agent does not see its output
Alt+Enter        begin a new line, as Enter does after a backslash
Ctrl+C           stop the agent; at the prompt, clear the line; twice, exit
Ctrl+D           exit`;

const COMMANDS: ReadonlyMap<string, SlashCommand> = new Map<string, SlashCommand>([
  ["help", () => HELP],
  ["clear", async (conversation) => {
    const before = await conversation.clear();
    return before === undefined
      ? "Nothing was said in this session yet"
      : `This is a new session; /resume ${before.id} goes back to: ${sessionLabel(before)}`;
  }],
  ["compact", async (conversation, _, signal) => {
    try {
      const { before, after } = await conversation.compact(signal);
      return `About ${before} tokens became ${after}`;
    } catch (error) {
      if (error instanceof RangeError) return error.message;
      throw error;
    }
  }],
  ["model", (conversation, name) => {
    if (name !== "") conversation.model = name;
    return `Model: ${conversation.model}`;
  }],
  [
    "usage",
    ({ session: { usage, messages } }) =>
      `Input: ${usage.prompt_tokens} tokens, output: ${usage.completion_tokens} tokens, ` +
      `context: about ${estimateTokens(messages)} tokens`,
  ],
  ["resume", resume],
]);

/** The command in a line; `undefined` when the line is a message. */
export function slashCommand(
  line: string,
): { run: SlashCommand; argument: string } | undefined {
  const match = /^\/([a-z]+)(?:\s+(.*))?$/.exec(line.trim());
  if (match === null) return undefined;
  const [, name = "", argument = ""] = match;
  const run = COMMANDS.get(name) ?? (() => `There is no command /${name}: /help lists them`);
  return { run, argument: argument.trim() };
}

async function resume(
  conversation: AgentConversation,
  argument: string,
  _: AbortSignal,
  columns: number,
): Promise<string> {
  if (argument === "") return await listed(conversation, columns);
  const id = /^\d{1,3}$/.test(argument)
    ? (await conversation.list(Number(argument)))[Number(argument) - 1]?.id
    : argument;
  if (id === undefined) return `There is no session '${argument}': /resume lists them`;
  try {
    await conversation.resume(id);
  } catch (error) {
    if (!(error instanceof SessionError)) throw error;
    const { problem, message } = error;
    if (problem.kind === "missing") return `${message}: /resume lists them`;
    if (problem.kind === "elsewhere") return message;
    // A session that cannot be continued can still be read.
    const session = await conversation.read(id);
    return `${
      welcome(sessionLabel(session), { messages: session.messages }, "Not going on with")
    }\n\n${message}`;
  }
  return welcome(sessionLabel(conversation.session), conversation.session);
}

/** The list of `/resume`. */
export async function listed(
  conversation: Pick<AgentConversation, "list" | "listElsewhere">,
  columns: number,
): Promise<string> {
  const sessions = await conversation.list(MOST_LISTED);
  const lines = sessions.length === 0
    ? ["There are no sessions of this folder"]
    : sessions.map((session, at) => rowOf(String(at + 1).padStart(2), session, "", columns));
  const others = await conversation.listElsewhere(MOST_ELSEWHERE);
  if (others.length > 0) {
    lines.push("Of other folders, where llmcmd agent goes on with them:");
    for (const session of others) lines.push(rowOf("  ", session, `  (${session.root})`, columns));
  }
  if (sessions.length > 0) lines.push("/resume N goes on with one");
  return lines.join("\n");
}

/** A row with the time and the title of a session, between `before` and `behind`. */
function rowOf(
  before: string,
  { created, title }: StoredSession,
  behind: string,
  columns: number,
): string {
  const begin = `${before}  ${localTime(created)}  `;
  const left = columns - begin.length - behind.length;
  return begin + fit(title, Math.max(LEAST_TITLE, left)) + behind;
}
