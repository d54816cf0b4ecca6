import { bashScript } from "./completions_bash.ts";
import { fishScript } from "./completions_fish.ts";
import { zshScript } from "./completions_zsh.ts";
import type { CommandPage } from "./command_page.ts";
import type { Subcommand } from "./subcommands.ts";
import { UsageError } from "./usage.ts";

type MakeScript = (page: CommandPage, subcommands: readonly Subcommand[]) => string;

const SCRIPTS: Readonly<Record<string, MakeScript>> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
};

/**
 * The completion script for a shell, made from the pages of the commands.
 *
 * @throws {UsageError} There is none for that shell.
 */
export function completionScript(
  shell: string,
  page: CommandPage,
  subcommands: readonly Subcommand[],
): string {
  const make = Object.hasOwn(SCRIPTS, shell) ? SCRIPTS[shell] : undefined;
  if (make === undefined) {
    throw new UsageError(`no completions for '${shell}': give bash, zsh or fish`);
  }
  return make(page, subcommands);
}
