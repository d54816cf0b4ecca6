/** Argument of an option: none, one that is required, or one that may be left out. */
export type OptionArgument = "none" | "required" | "optional";

/** One option of a command: a row of its option table. */
export interface OptionSpec<Name extends string = string> {
  /** Name that the program uses for the option, independent of the spelling that was given. */
  readonly name: Name;
  /** One-character spelling, without the dash: `n` for `-n`. */
  readonly short?: string;
  /** Long spelling or spellings, without the dashes: `lines` for `--lines`. */
  readonly long?: string | readonly string[];
  /** Argument of the option; `"none"` by default. */
  readonly argument?: OptionArgument;
  /** Placeholder for the argument in the help: `NUM`. */
  readonly argumentName?: string;
  /** One sentence for the help. An option without it is left out of the help. */
  readonly help?: string;
}

/** Current words for an obsolete spelling; an object says how many words they replace. */
export type ModernWords =
  | readonly string[]
  | { readonly words: readonly string[]; readonly consumed: number };

/** A titled part of the help below the options: variables, exit statuses, examples. */
export interface HelpSection {
  /** The heading, such as `Exit status`. */
  readonly title: string;
  /** Paragraphs. */
  readonly text?: readonly string[];
  /** Terms and what they mean. */
  readonly terms?: readonly (readonly [term: string, meaning: string])[];
  /** Lines that are shown as they are, such as commands. */
  readonly lines?: readonly string[];
}

/** A command, as {@linkcode parseOptions} and {@linkcode formatHelp} need it. */
export interface CommandSpec<Name extends string = string> {
  /** The command's name, as messages begin with it. */
  readonly name: string;
  /** The rest of the usage line, or of several: `[OPTION]... [FILE]...`. */
  readonly usage: string | readonly string[];
  /** Purpose of the command: the paragraph below the usage line. */
  readonly summary: string;
  /** The option table, in the order of the help. */
  readonly options: readonly OptionSpec<Name>[];
  /**
   * Order of the long options in the list behind "possibilities:", if it is not the table's.
   * Options that are not listed here come last.
   */
  readonly abbreviationOrder?: readonly string[];
  /** Titled parts of the help below the options. */
  readonly sections?: readonly HelpSection[];
  /** Text at the end of the help. */
  readonly epilogue?: string;
  /** True if the first operand ends the options, as POSIX demands and GNU does not. */
  readonly stopAtOperand?: boolean;
  /** True to parse on after a wrong option, to report all that are wrong. */
  readonly readsOn?: boolean;
  /**
   * Translates an obsolete spelling (`head -5`, `sort +1 -2`) into current words.
   *
   * Called for every word before `--` that is not an option's argument; `undefined` keeps the word.
   */
  readonly obsolete?: (
    word: string,
    index: number,
    args: readonly string[],
  ) => ModernWords | undefined;
}

/** An option as it stood on the command line. */
export interface ParsedOption<Name extends string = string> {
  /** Distinguishes it from an operand. */
  readonly kind: "option";
  /** The name from the option table. */
  readonly name: Name;
  /** The argument; empty if there is none. */
  readonly value: string;
  /** True if there is an argument: distinguishes `--color` from `--color=`. */
  readonly hasValue: boolean;
  /** The spelling in full, `-n` or `--lines`, even if it was abbreviated. */
  readonly as: string;
  /** Index of the word in `args`. */
  readonly index: number;
}

/** An operand as it stood on the command line. */
export interface ParsedOperand {
  /** Distinguishes it from an option. */
  readonly kind: "operand";
  /** The word. */
  readonly value: string;
  /** True if the word came after `--`, where a leading dash has no meaning. */
  readonly afterDashes: boolean;
  /** Index of the word in `args`. */
  readonly index: number;
}

/** One item of a parsed command line. */
export type ParsedArgument<Name extends string = string> = ParsedOption<Name> | ParsedOperand;

/** The rule of the command line that was broken. */
export type UsageProblem =
  | "unknown"
  | "ambiguous"
  | "missing-argument"
  | "unexpected-argument"
  | "choice"
  | "other";

/**
 * A wrong command line. The message is GNU getopt's, without the command's name.
 *
 * @example
 * ```ts
 * import { parseOptions, tryHelp, UsageError } from "@llmcmd/llmcmd/builtins";
 * import assert from "node:assert/strict";
 *
 * const command = { name: "lines", usage: "", summary: "", options: [] };
 * try {
 *   for (const _ of parseOptions(["--many"], command));
 * } catch (error) {
 *   assert(error instanceof UsageError);
 *   assert.equal(error.problem, "unknown");
 *   assert.equal(error.option, "--many");
 *   assert.equal(error.message, "unrecognized option '--many'");
 *   assert.equal(tryHelp("lines"), "Try 'lines --help' for more information.");
 * }
 * ```
 */
export class UsageError extends Error {
  /** The error's name. */
  override readonly name = "UsageError";
  /** The rule that was broken. */
  readonly problem: UsageProblem;
  /** The option at fault, with its dashes; empty if no option is at fault. */
  readonly option: string;

  /** Creates the error. */
  constructor(message: string, problem: UsageProblem = "other", option = "") {
    super(message);
    this.problem = problem;
    this.option = option;
  }
}

/** The line that GNU tools print after a usage error. */
export function tryHelp(command: string): string {
  return `Try '${command} --help' for more information.`;
}

/**
 * Parses a command line as GNU `getopt_long` does: combined short options, attached and separate
 * arguments, unambiguous abbreviations of long options, `--`, operands between options.
 *
 * Yields options and operands lazily, in the order of the command line: a caller that meets
 * `--help` first never sees an error that comes later.
 *
 * @example
 * ```ts
 * import { parseOptions } from "@llmcmd/llmcmd/builtins";
 * import assert from "node:assert/strict";
 *
 * const command = {
 *   name: "head",
 *   usage: "[OPTION]... [FILE]...",
 *   summary: "Print the first lines of each FILE.",
 *   options: [
 *     { name: "lines", short: "n", long: "lines", argument: "required" },
 *     { name: "quiet", short: "q", long: ["quiet", "silent"] },
 *   ],
 * } as const;
 * const items = [...parseOptions(["-qn5", "file", "--li", "7"], command)];
 * assert.deepEqual(items.map((item) => [item.kind, item.value]), [
 *   ["option", ""],
 *   ["option", "5"],
 *   ["operand", "file"],
 *   ["option", "7"],
 * ]);
 * ```
 *
 * `fail` is called at each word that the table does not allow; if it returns, parsing goes on after
 * that word. By default it throws.
 *
 * @throws {UsageError} When the iteration reaches a word that the table does not allow.
 */
export function* parseOptions<Name extends string>(
  args: readonly string[],
  command: CommandSpec<Name>,
  fail: (error: UsageError) => void = throwError,
): Generator<ParsedArgument<Name>, void, void> {
  let words: readonly string[] = args;
  /**
   * Words before index `fresh` came from `obsolete`, which has made the line `added` words longer.
   */
  let fresh = 0;
  let added = 0;
  let dashes = false;
  for (let i = 0; i < words.length; i++) {
    const index = i < fresh ? fresh - 1 - added : i - added;
    if (!dashes && i >= fresh) {
      const modern = command.obsolete?.(words[i] ?? "", index, args);
      const { words: replaced, consumed } = modern !== undefined && "words" in modern
        ? modern
        : { words: modern ?? [], consumed: 1 };
      if (replaced.length > 0) {
        words = [...words.slice(0, i), ...replaced, ...words.slice(i + consumed)];
        added += replaced.length - consumed;
        fresh = i + replaced.length;
      }
    }
    const word = words[i] ?? "";
    if (dashes || word === "-" || !word.startsWith("-")) {
      yield { kind: "operand", value: word, afterDashes: dashes, index };
      if (command.stopAtOperand === true) dashes = true;
    } else if (word === "--") {
      dashes = true;
    } else if (word.startsWith("--")) {
      const found = findLong(word, command);
      if (found instanceof UsageError) {
        fail(found);
        continue;
      }
      const { option, as, value } = found;
      const takes = option.argument ?? "none";
      if (takes === "none" && value !== undefined) {
        fail(
          new UsageError(
            `option '${as}' doesn't allow an argument`,
            "unexpected-argument",
            as,
          ),
        );
        continue;
      }
      if (takes === "required" && value === undefined && i + 1 >= words.length) {
        fail(new UsageError(`option '${as}' requires an argument`, "missing-argument", as));
        continue;
      }
      const given = takes === "required" ? value ?? words[++i] : value;
      yield makeOption(option.name, given, as, index);
    } else {
      i += yield* shortOptions(word, words[i + 1], command, index, fail);
    }
  }
}

function throwError(error: UsageError): never {
  throw error;
}

function makeOption<Name extends string>(
  name: Name,
  value: string | undefined,
  as: string,
  index: number,
): ParsedOption<Name> {
  return { kind: "option", name, value: value ?? "", hasValue: value !== undefined, as, index };
}

/** Yields the options of one word; returns the number of further words it used. */
function* shortOptions<Name extends string>(
  word: string,
  next: string | undefined,
  command: CommandSpec<Name>,
  index: number,
  fail: (error: UsageError) => void,
): Generator<ParsedArgument<Name>, number, void> {
  for (let at = 1; at < word.length;) {
    const letter = String.fromCodePoint(word.codePointAt(at) ?? 0);
    at += letter.length;
    const as = `-${letter}`;
    const option = command.options.find((each) => each.short === letter);
    if (option === undefined) {
      fail(new UsageError(`invalid option -- '${letter}'`, "unknown", as));
      continue;
    }
    const takes = option.argument ?? "none";
    if (takes === "none") {
      yield makeOption(option.name, undefined, as, index);
    } else if (at < word.length) {
      yield makeOption(option.name, word.slice(at), as, index);
      return 0;
    } else if (takes === "optional") {
      yield makeOption(option.name, undefined, as, index);
    } else if (next === undefined) {
      fail(
        new UsageError(`option requires an argument -- '${letter}'`, "missing-argument", as),
      );
    } else {
      yield makeOption(option.name, next, as, index);
      return 1;
    }
  }
  return 0;
}

/** The long spellings of an option, without dashes. */
export function longNames(option: OptionSpec): readonly string[] {
  if (option.long === undefined) return [];
  return typeof option.long === "string" ? [option.long] : option.long;
}

/** Finds the option that a word with two dashes means, or returns the error. */
function findLong<Name extends string>(
  word: string,
  command: CommandSpec<Name>,
): { option: OptionSpec<Name>; as: string; value: string | undefined } | UsageError {
  const equals = word.indexOf("=");
  const typed = word.slice(2, equals < 0 ? undefined : equals);
  const value = equals < 0 ? undefined : word.slice(equals + 1);
  const found: { option: OptionSpec<Name>; long: string }[] = [];
  for (const option of command.options) {
    for (const long of longNames(option)) {
      if (long === typed) return { option, as: `--${long}`, value };
      if (long.startsWith(typed)) found.push({ option, long });
    }
  }
  const order = command.abbreviationOrder ?? [];
  const rank = (long: string): number =>
    (order.indexOf(long) + order.length + 1) % (order.length + 1);
  found.sort((a, b) => rank(a.long) - rank(b.long));
  const first = found[0];
  if (first === undefined) {
    return new UsageError(`unrecognized option '${word}'`, "unknown", `--${typed}`);
  }
  // getopt does not list other spellings of the first match either.
  const others = found.filter(({ option }) => option.name !== first.option.name);
  if (others.length > 0) {
    const all = [first, ...others].map(({ long }) => ` '--${long}'`).join("");
    return new UsageError(
      `option '${word}' is ambiguous; possibilities:${all}`,
      "ambiguous",
      word,
    );
  }
  return { option: first.option, as: `--${first.long}`, value };
}
