import type { CommandSpec, HelpSection, OptionSpec } from "./options.ts";

/** One option of a command, with what a shell completes for it. */
export interface CommandOption<Name extends string = string> extends OptionSpec<Name> {
  /** What completes the argument: names of files, or one of these words. */
  readonly complete?: "file" | readonly string[];
  /** Whether every one given counts, not only the last. */
  readonly repeats?: boolean;
}

/** A titled part of a page. */
export interface PageSection extends HelpSection {
  /** Only in the manual page: `--help` leaves it out. */
  readonly manual?: boolean;
}

/** An example command and what it does. */
export interface PageExample {
  /** What it does, in a short sentence. */
  readonly about: string;
  /** The command line. */
  readonly line: string;
}

/**
 * Everything that is to be said about a command, once: the parser, `--help`, the manual page and
 * the completions of all shells are made from it.
 */
export interface CommandPage<Name extends string = string> extends CommandSpec<Name> {
  /** The options, in the order of the help. */
  readonly options: readonly CommandOption<Name>[];
  /**
   * What the operands are, for completion: files, names that are not completed, or these words for
   * the first one. A command without takes none.
   */
  readonly operands?: "file" | "name" | readonly string[];
  /** What to do instead of giving an operand: `give the message with -p`. */
  readonly insteadOfOperands?: string;
  /** Titled parts below the options. */
  readonly sections: readonly PageSection[];
  /** The examples, at the end. */
  readonly examples: readonly PageExample[];
}

/** A command that is the first word of another's command line. */
export interface SubcommandPage {
  /** The word. */
  readonly word: string;
  /** One line for the help of the command above. */
  readonly about: string;
  /** All else that is to be said about it. */
  readonly page: CommandPage;
}
