import { clip, closest } from "../../base/mod.ts";
import { type BuiltinName, builtinNames, isBuiltinName } from "../../builtins/mod.ts";
import { wayOf } from "./other_commands.ts";

/** A builtin, and what it is called with. */
export interface NamedCommand {
  readonly name: BuiltinName;
  readonly args: readonly string[];
  /** Warnings about words that were left out; for standard error. */
  readonly notes: readonly string[];
}

/** Folders of programs, as models write them in front of a name. */
const FOLDER = /^(?:(?:\/usr(?:\/local)?)?\/bin|\/opt\/homebrew\/bin)\//;

/** Names of a builtin with options. */
const ALIASES: ReadonlyMap<string, readonly [BuiltinName, string]> = new Map([
  ["egrep", ["grep", "-E"]],
  ["fgrep", ["grep", "-F"]],
]);

/** Commands that run the one after them. */
const PREFIXES: ReadonlySet<string> = new Set(["command", "env"]);

const VARIABLE = /^[A-Za-z_][A-Za-z0-9_]*=/;
const LOCALE = /^(?:LANG|LANGUAGE|LC_[A-Z]+)=/;

/** Locales whose characters are those of C.UTF-8, or bytes, and that sort as it does. */
const SAME_LOCALE = /=(?:C|POSIX|C\.utf-?8)?$/i;

/** The longest name that an error repeats, in characters. */
const MAX_NAME = 60;

/**
 * The builtin that the words of a command call, by any of the names that it has elsewhere: with the
 * folder (`/usr/bin/sort`), with GNU's `g` (`gsed`), `egrep` and `fgrep`. A locale and `command` or
 * `env` in front are left out; a locale that is not like C.UTF-8 leaves a note.
 *
 * Throws a `RangeError` for any other name, with the way to do that here.
 */
export function nameCommand(words: readonly string[]): NamedCommand {
  const notes: string[] = [];
  let at = 0;
  for (; at + 1 < words.length; at++) {
    const word = words[at] ?? "";
    if (LOCALE.test(word)) {
      if (!SAME_LOCALE.test(word)) notes.push(`${word}: the only locale is C.UTF-8`);
      // With options of its own it does something else than run the next command.
    } else if (!PREFIXES.has(word.replace(FOLDER, "")) || words[at + 1]?.startsWith("-")) break;
  }
  const [given = "", ...args] = words.slice(at);
  const plain = given.replace(FOLDER, "");
  const candidates = plain.startsWith("g") ? [plain, plain.slice(1)] : [plain];
  for (const name of candidates) {
    if (isBuiltinName(name)) return { name, args, notes };
    const [builtin, option] = ALIASES.get(name) ?? [];
    if (builtin !== undefined && option !== undefined) {
      return { name: builtin, args: [option, ...args], notes };
    }
  }
  throw new RangeError(unknownCommand(given, plain));
}

function unknownCommand(given: string, plain: string): string {
  if (VARIABLE.test(given)) {
    return `${clip(given, MAX_NAME)}: there are no variables: write values into the command`;
  }
  const missing = `${clip(plain, MAX_NAME)}: command not found`;
  const way = wayOf(plain);
  if (way !== undefined) return `${missing}; ${way}`;
  const [first = ""] = plain.split(/[\s|]/, 1);
  if (first !== plain && (isBuiltinName(first) || wayOf(first) !== undefined)) {
    return `${missing}: do not quote the whole command, only arguments`;
  }
  const near = closest(plain, builtinNames);
  const hint = near !== undefined
    ? `did you mean ${near}? `
    : plain.includes("/")
    ? "no programs can be run. "
    : "";
  return `${missing}; ${hint}The commands are ${builtinNames.join(", ")}`;
}
