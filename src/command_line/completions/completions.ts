import { UsageError } from "../options.ts";
import type { CommandPage, SubcommandPage } from "../page.ts";

type MakeScript = (page: CommandPage, subcommands: readonly SubcommandPage[]) => string;

/** Each is loaded when it is asked for: `--help` starts without them. */
const SCRIPTS: Readonly<Record<string, () => Promise<MakeScript>>> = {
  bash: async () => (await import("./bash.ts")).bashScript,
  zsh: async () => (await import("./zsh.ts")).zshScript,
  fish: async () => (await import("./fish.ts")).fishScript,
};

/**
 * The completion script for a shell (bash, zsh or fish), made from the pages of the commands.
 *
 * @throws {UsageError} There is none for that shell.
 */
export async function completionScript(
  shell: string,
  page: CommandPage,
  subcommands: readonly SubcommandPage[],
): Promise<string> {
  const load = Object.hasOwn(SCRIPTS, shell) ? SCRIPTS[shell] : undefined;
  if (load === undefined) {
    throw new UsageError(`no completions for '${shell}': give bash, zsh or fish`);
  }
  return (await load())(page, subcommands);
}
