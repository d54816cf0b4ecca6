import { closest } from "../../base/mod.ts";
import { UsageError } from "../../command_line/mod.ts";
import { stderrMessages } from "../messages/mod.ts";
import { failureOf, STATUS } from "./exit_status.ts";

/**
 * Reports the failure of a command line on standard error; resolves to the exit status. `program`
 * is the command's name, `words` are its subcommands.
 */
export async function reportFailure(
  error: unknown,
  args: readonly string[],
  program: string,
  words: readonly string[],
): Promise<number> {
  const subcommand = words.find((word) => word === args[0]);
  const name = subcommand === undefined ? program : `${program} ${subcommand}`;
  const messages = stderrMessages(name);
  const { status, message } = failureOf(error);
  if (message !== undefined) messages.say(message);
  if (status === STATUS.configuration && error instanceof UsageError) {
    const near = subcommand === undefined && error.problem === "unknown"
      ? closest(args[0] ?? "", words)
      : undefined;
    if (near !== undefined) messages.say(`Did you mean '${program} ${near}'?`);
    messages.say(`Try '${name} --help'`);
  }
  await messages.flush();
  return status;
}
