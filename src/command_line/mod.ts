/**
 * Command lines: tables of options, the parser with GNU's rules, and what is made from the same
 * table: help, manual pages, and completions of three shells. Builtins have a table only; the
 * command `llmcmd` has pages, whose options also know what their arguments mean.
 *
 * It does not know any command, reads no environment and prints nothing. This door stays light:
 * manual page and completions are loaded when they are asked for. Not an entry of the package:
 * `/builtins` gives the parser to those who write builtins of their own.
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
 * The completion script for a shell (bash, zsh or fish), made from the pages of the commands.
 *
 * @throws {UsageError} There is none for that shell.
 */
export async function completionScript(
  shell: string,
  page: CommandPage,
  subcommands: readonly SubcommandPage[],
): Promise<string> {
  const { renderCompletions } = await import("./completions/completions.ts");
  return renderCompletions(shell, page, subcommands);
}
