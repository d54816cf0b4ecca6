import { bashScript } from "./bash.ts";
import { fishScript } from "./fish.ts";
import { zshScript } from "./zsh.ts";
import type { CommandPage, Subcommand } from "../pages/mod.ts";
import { UsageError } from "../usage.ts";

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
