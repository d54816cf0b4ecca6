import { estimateTokens, sessionLabel } from "../../coder/mod.ts";
import type { AgentConversation } from "./conversation.ts";
import { welcome } from "./recap.ts";

/** A command such as `/clear`. Returns the text to print, which may be empty. */
export type SlashCommand = (
  conversation: AgentConversation,
  argument: string,
  signal: AbortSignal,
) => string | Promise<string>;

/** Most sessions that `/resume` lists. */
const MOST_LISTED = 20;

const HELP = `/help            this list
/clear           forget the conversation
/compact         put a summary in the place of all but what was said last
/model [NAME]    tell or change the model
/resume [N]      list the sessions of this folder, or go on with one
/usage           tokens of this session
!COMMAND         run a command in the shell; the agent does not see its output
Alt+Enter        begin a new line, as Enter does after a backslash
Ctrl+C           stop the agent; at the prompt, clear the line
Ctrl+D           exit`;

const COMMANDS: ReadonlyMap<string, SlashCommand> = new Map<string, SlashCommand>([
  ["help", () => HELP],
  ["clear", async (conversation) => {
    await conversation.clear();
    return "";
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

async function resume(conversation: AgentConversation, argument: string): Promise<string> {
  const byName = argument !== "" && !/^\d{1,3}$/.test(argument);
  const sessions = await conversation.list(byName ? Infinity : MOST_LISTED);
  if (argument === "") {
    const lines = sessions.map((session, index) =>
      `${String(index + 1).padStart(2)}  ${session.created.slice(0, 16).replace("T", " ")}  ` +
      sessionLabel(session)
    );
    return lines.length === 0
      ? "There are no sessions of this folder"
      : [...lines, "/resume N goes on with one"].join("\n");
  }
  const chosen = byName
    ? sessions.find(({ id }) => id === argument)
    : sessions[Number(argument) - 1];
  if (chosen === undefined) return `There is no session '${argument}': /resume lists them`;
  await conversation.resume(chosen.id);
  return welcome(sessionLabel(chosen), conversation.session.messages);
}
