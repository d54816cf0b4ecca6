import { CommandSession, type CommandSessionOptions } from "./command_session.ts";
import type { CommandOptions, CommandResult } from "./command.ts";

/**
 * Runs one command in a session of its own, so that no process is left when this settles, not even
 * in the background. A file with too long output stays until the caller removes it.
 *
 * @throws {CommandStartError} It could not be started.
 * @throws {PermissionError} `--allow-run` covers no shell.
 *
 * @example
 * ```ts
 * import { runCommand } from "@llmcmd/llmcmd/terminal";
 *
 * const { text, exitCode } = await runCommand("echo $((6 * 7))");
 * if (text !== "42\n" || exitCode !== 0) throw new Error("unexpected");
 * ```
 */
export async function runCommand(
  command: string,
  options: CommandSessionOptions & CommandOptions = {},
): Promise<CommandResult> {
  const { timeout, signal, onOutput, ...rest } = options;
  const session = new CommandSession({ keepOutput: true, ...rest });
  try {
    const result = await session.run(command, { timeout, signal, onOutput });
    return { ...result, background: undefined };
  } finally {
    await session[Symbol.asyncDispose]();
  }
}
