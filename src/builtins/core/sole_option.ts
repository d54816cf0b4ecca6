import type { Chunk } from "../../streams/mod.ts";
import { type CommandSpec, formatHelp, longNames } from "../../command_line/mod.ts";
import { utf8 } from "../text/mod.ts";

/**
 * The output of `--help` or `--version` for commands that accept these only as their sole argument
 * and treat all else as text (`echo`, `true`, `printf`); `undefined` for other arguments.
 * `abbreviate` allows abbreviations.
 */
export function soleOption(
  args: readonly string[],
  command: CommandSpec,
  abbreviate = false,
): Chunk | undefined {
  const [word = "", ...others] = args;
  if (others.length > 0 || !word.startsWith("--") || word === "--") return undefined;
  const [found] = command.options.flatMap(longNames).filter((long) =>
    `--${long}` === word || (abbreviate && `--${long}`.startsWith(word))
  );
  if (found === "help") return utf8(formatHelp(command));
  if (found === "version") return utf8(`${command.name} (llmcmd builtins)\n`);
  return undefined;
}
