import type { CommandSpec, OptionSpec } from "../../command_line/mod.ts";

/** One option of a command, with what a shell can complete for its argument. */
export interface CommandOption<Name extends string = string> extends OptionSpec<Name> {
  /** What completes the argument: names of files, or one of these words. */
  readonly complete?: "file" | readonly string[];
}

/** A titled list of terms and what they mean: environment variables, exit codes. */
export interface PageList {
  /** The heading, such as `Exit status`. */
  readonly title: string;
  /** Paragraphs before the list. */
  readonly text?: readonly string[];
  /** Terms and what they mean. */
  readonly terms?: readonly (readonly [term: string, meaning: string])[];
  /** A command line after the paragraphs. */
  readonly line?: string;
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
  readonly options: readonly CommandOption<Name>[];
  /** What the operands are, for completion. */
  readonly operands?: "file";
  readonly examples: readonly PageExample[];
  readonly lists: readonly PageList[];
}
