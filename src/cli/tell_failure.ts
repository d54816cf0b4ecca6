import { closest } from "../base/mod.ts";
import { UsageError } from "../command_line/mod.ts";
import { failureOf, STATUS } from "./exit_status.ts";
import { LLMCMD_PAGE, SUBCOMMANDS } from "./pages/mod.ts";
import { stderrMessages } from "./stderr_messages.ts";

/** Tells on standard error why a command line failed; resolves to the exit status. */
export async function tellFailure(error: unknown, args: readonly string[]): Promise<number> {
  const subcommand = SUBCOMMANDS.find(({ word }) => word === args[0]);
  const name = subcommand === undefined
    ? LLMCMD_PAGE.name
    : `${LLMCMD_PAGE.name} ${subcommand.word}`;
  const messages = stderrMessages(name);
  const { status, message } = failureOf(error);
  if (message !== undefined) messages.say(message);
  if (status === STATUS.configuration && error instanceof UsageError) {
    const near = subcommand === undefined && error.problem === "unknown"
      ? closest(args[0] ?? "", SUBCOMMANDS.map(({ word }) => word))
      : undefined;
    if (near !== undefined) messages.say(`Did you mean '${LLMCMD_PAGE.name} ${near}'?`);
    messages.say(`Try '${name} --help'`);
  }
  await messages.flush();
  return status;
}
