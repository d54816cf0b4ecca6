import type { CommandSpec, HelpSection, OptionSpec } from "./options.ts";

/** One option of a command, with its completion. */
export interface CommandOption<Name extends string = string> extends OptionSpec<Name> {
  /** Completion of the argument: names of files, or one of these words. */
  readonly complete?: "file" | readonly string[];
  /** True if every occurrence counts, not only the last. */
  readonly repeats?: boolean;
}

/** A titled part of a page. */
export interface PageSection extends HelpSection {
  /** True if only the manual page has this part, not `--help`. */
  readonly manual?: boolean;
}

/** An example command line. */
export interface PageExample {
  /** Purpose of the command line, in a short sentence. */
  readonly about: string;
  /** The command line. */
  readonly line: string;
}

/**
 * The full description of a command: parser, `--help`, manual page and all completions are made
 * from it.
 */
export interface CommandPage<Name extends string = string> extends CommandSpec<Name> {
  /** The options, in the order of the help. */
  readonly options: readonly CommandOption<Name>[];
  /**
   * The operands, for completion: files, names without completion, or these words for the first
   * operand. If absent, the command takes no operands.
   */
  readonly operands?: "file" | "name" | readonly string[];
  /** Hint for a command without operands: `give the message with -p`. */
  readonly insteadOfOperands?: string;
  /** Titled parts below the options. */
  readonly sections: readonly PageSection[];
  /** The examples, at the end. */
  readonly examples: readonly PageExample[];
}

/** A command whose name is the first word of another command's operands. */
export interface SubcommandPage {
  /** The word that selects it. */
  readonly word: string;
  /** One line for the help of the parent command. */
  readonly about: string;
  /** The subcommand's own page. */
  readonly page: CommandPage;
}
