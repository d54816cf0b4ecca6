/**
 * Command lines: tables of options, a parser with GNU's rules, and the help, manual pages and
 * completions (bash, zsh, fish) that are made from these tables. Builtins have a table only; the
 * command `llmcmd` has pages, whose options also parse their arguments.
 *
 * It knows no particular command, reads no environment and prints nothing. Manual page and
 * completions are loaded only when they are asked for, which keeps the start fast. It is not an
 * entry of the package: `/builtins` exports the parser for builtins of other authors.
 *
 * @module
 */
import type { ManualFacts } from "./manual.ts";
import type { CommandPage, SubcommandPage } from "./page.ts";

export { formatHelp } from "./help.ts";
export type { ManualFacts } from "./manual.ts";
export {
  type CommandSpec,
  type HelpSection,
  longNames,
  type ModernWords,
  type OptionArgument,
  type OptionSpec,
  type ParsedArgument,
  type ParsedOperand,
  type ParsedOption,
  parseOptions,
  tryHelp,
  UsageError,
  type UsageProblem,
} from "./options.ts";
export type {
  CommandOption,
  CommandPage,
  PageExample,
  PageSection,
  SubcommandPage,
} from "./page.ts";
export { pageHelp } from "./page_help.ts";
export {
  type ArgumentInit,
  choice,
  type ChoiceInit,
  flag,
  list,
  notEmpty,
  optionalValue,
  type OptionInit,
  type PageOption,
  type ReadArgument,
  value,
  type ValueInit,
} from "./page_options.ts";
export {
  type CommandLine,
  commandPage,
  type OptionValues,
  type ReadablePage,
  readCommand,
} from "./read_command.ts";

/** The manual page (section 1) of a command and its subcommands as roff source. */
export async function manualPage(
  page: CommandPage,
  subcommands: readonly SubcommandPage[],
  facts: ManualFacts,
): Promise<string> {
  const { renderManual } = await import("./manual.ts");
  return renderManual(page, subcommands, facts);
}

/**
 * Makes the completion script for a shell from the pages of the commands.
 *
 * @throws {UsageError} If the shell is not bash, zsh or fish.
 */
export async function completionScript(
  shell: string,
  page: CommandPage,
  subcommands: readonly SubcommandPage[],
): Promise<string> {
  const { renderCompletions } = await import("./completions/completions.ts");
  return renderCompletions(shell, page, subcommands);
}
