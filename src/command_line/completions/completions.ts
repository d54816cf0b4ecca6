import { UsageError } from "../options.ts";
import type { CommandPage, SubcommandPage } from "../page.ts";
import { bashScript } from "./bash.ts";
import { fishScript } from "./fish.ts";
import { zshScript } from "./zsh.ts";

type MakeScript = (page: CommandPage, subcommands: readonly SubcommandPage[]) => string;

const SCRIPTS: Readonly<Record<string, MakeScript>> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
};

/**
 * Makes the completion script for a shell from the pages of the commands.
 *
 * @throws {UsageError} If the shell is not bash, zsh or fish.
 */
export function renderCompletions(
  shell: string,
  page: CommandPage,
  subcommands: readonly SubcommandPage[],
): string {
  const make = Object.hasOwn(SCRIPTS, shell) ? SCRIPTS[shell] : undefined;
  if (make === undefined) {
    throw new UsageError(`no completions for '${shell}': give bash, zsh or fish`);
  }
  return make(page, subcommands);
}
