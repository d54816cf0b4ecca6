/** How an option takes an argument. */
export type OptionArgument = "none" | "required" | "optional";

/** One option of a command: a row of its option table. */
export interface OptionSpec<Name extends string = string> {
  /** What the program calls the option, whatever spelling was used. */
  readonly name: Name;
  /** One-character spelling, without the dash: `n` for `-n`. */
  readonly short?: string;
  /** Long spelling or spellings, without the dashes: `lines` for `--lines`. */
  readonly long?: string | readonly string[];
  /** Whether the option takes an argument. `"none"` when absent. */
  readonly argument?: OptionArgument;
  /** What the help calls the argument: `NUM`. */
  readonly argumentName?: string;
  /** One sentence for the help. Without it the help does not show the option. */
  readonly help?: string;
}

/** Today's words for an obsolete spelling; an object tells that it took more than one word. */
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

/** What {@linkcode parseOptions} and {@linkcode formatHelp} need to know about a command. */
export interface CommandSpec<Name extends string = string> {
  /** The command's name, as it stands before messages. */
  readonly name: string;
  /** What follows the name in the usage line, or in each: `[OPTION]... [FILE]...`. */
  readonly usage: string | readonly string[];
  /** What the command does: the paragraph below the usage line. */
  readonly summary: string;
  /** The option table, in the order of the help. */
  readonly options: readonly OptionSpec<Name>[];
  /**
   * Long options in the order in which "possibilities:" lists them, where that is not the table's.
   * Those that are not named come last.
   */
  readonly abbreviationOrder?: readonly string[];
  /** Titled parts of the help below the options. */
  readonly sections?: readonly HelpSection[];
  /** Text at the end of the help. */
  readonly epilogue?: string;
  /** Whether the first operand ends the options, as POSIX demands and GNU does not. */
  readonly stopAtOperand?: boolean;
  /** Whether a command line is read on after a wrong option, to report all that are wrong. */
  readonly readsOn?: boolean;
  /**
   * Replaces an obsolete spelling (`head -5`, `sort +1 -2`) by today's words. Called for every word
   * before `--` that is not an option's argument; `undefined` keeps the word as it is.
   */
  readonly obsolete?: (
    word: string,
    index: number,
    args: readonly string[],
  ) => ModernWords | undefined;
}

/** An option as it stood on the command line. */
export interface ParsedOption<Name extends string = string> {
  /** Tells it from an operand. */
  readonly kind: "option";
  /** The name from the option table. */
  readonly name: Name;
  /** The argument; empty when none was given. */
  readonly value: string;
  /** Whether an argument was given: tells `--color` from `--color=`. */
  readonly hasValue: boolean;
  /** The spelling in full, `-n` or `--lines`, also when it was abbreviated. */
  readonly as: string;
  /** Index of the word in `args`. */
  readonly index: number;
}

/** An operand as it stood on the command line. */
export interface ParsedOperand {
  /** Tells it from an option. */
  readonly kind: "operand";
  /** The word. */
  readonly value: string;
  /** Whether the word stood after `--`, where a leading dash means nothing. */
  readonly afterDashes: boolean;
  /** Index of the word in `args`. */
  readonly index: number;
}

/** One item of a parsed command line. */
export type ParsedArgument<Name extends string = string> = ParsedOption<Name> | ParsedOperand;

/** Which rule of the command line was broken. */
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
  /** Which rule was broken. */
  readonly problem: UsageProblem;
  /** The option at fault, with its dashes; empty when the fault is not in an option. */
  readonly option: string;

  /** Makes the error. */
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
 * Gives the options and operands lazily and in the order of the command line, so that a caller
 * that meets `--help` first never sees an error that comes later.
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
 * `fail` is called where the iteration reaches what the table does not allow; if it returns, the
 * iteration goes on after that. By default it throws.
 *
 * @throws {UsageError} When the iteration reaches what the table does not allow.
 */
export function* parseOptions<Name extends string>(
  args: readonly string[],
  command: CommandSpec<Name>,
  fail: (error: UsageError) => void = throwError,
): Generator<ParsedArgument<Name>, void, void> {
  let words: readonly string[] = args;
  /** Words before this one came from `obsolete`; `added` is how many more there are because of it. */
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

/** Gives the options of one word; returns how many more words it used. */
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

/** Finds the option that a word with two dashes means, or says what is wrong with it. */
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
  // As getopt does, leaves out other spellings of the first.
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
