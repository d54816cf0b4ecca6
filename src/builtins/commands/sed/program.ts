import type { Regex } from "../../../regex/mod.ts";
import type { Chunk } from "../../../streams/mod.ts";
import type { Replacement } from "./replace.ts";
import type { Transliteration } from "./transliterate.ts";

/** A condition on one line. Without `regex`, a regex address means the last one used. */
export type Address =
  | { readonly type: "line"; readonly line: number }
  | { readonly type: "step"; readonly first: number; readonly step: number }
  | { readonly type: "last" }
  | { readonly type: "regex"; readonly regex: SedRegex | undefined };

/** The end of a range: an address, `+N` or `~N`. */
export type RangeEnd =
  | Address
  | { readonly type: "plus"; readonly count: number }
  | { readonly type: "multiple"; readonly count: number };

/** A regular expression of a script. */
export interface SedRegex {
  /** The expression. */
  readonly regex: Regex;
  /**
   * True if it is in an address and no `s` has used it yet. The first `s` that uses it must not
   * refer to sub-expressions that it lacks; as in GNU sed, later ones are not checked.
   */
  lacksGroups: boolean;
}

/** States of a range. */
export const RangeState = { inactive: 0, active: 1, closed: 2 } as const;

/** An `s` command. */
export interface Substitution {
  /** The regular expression; `undefined` means the last one used. */
  readonly regex: SedRegex | undefined;
  /** The replacement of a match. */
  readonly replacement: Replacement;
  /** `g`. */
  readonly global: boolean;
  /** `p`. */
  readonly print: boolean;
  /** The first match to replace, from 1. */
  readonly nth: number;
  /** Index of the file of `w` in {@linkcode SedProgram.outputs}, or -1. */
  readonly output: number;
}

/** One command. All have the same shape, which keeps the loop over them fast. */
export interface SedCommand {
  /** The command's letter, including `{` and `}`. */
  readonly name: string;
  /** First address. */
  readonly from: Address | undefined;
  /** The end of the range. */
  readonly to: RangeEnd | undefined;
  /** `!`. */
  readonly negate: boolean;
  /** True if an address is `$`, which needs to know if another line follows. */
  readonly looksAhead: boolean;
  /** True if the command may wait for input: `n`, `N`, `R`. */
  readonly waits: boolean;
  /** State of the range. */
  range: number;
  /** Last line of the range, if it is a number. */
  rangeEnd: number;
  /** Index of the command to continue with: for `{` if not selected, for `b t T` if they jump. */
  target: number;
  /** Text of `a i c`. */
  text: Chunk;
  /** Argument of `q Q l`; -1 if not given. */
  readonly number: number;
  /** Index in {@linkcode SedProgram.outputs} (`w W`) or {@linkcode SedProgram.inputs} (`r R`). */
  readonly file: number;
  /** Settings of `s`. */
  readonly substitution: Substitution | undefined;
  /** Settings of `y`. */
  readonly transliteration: Transliteration | undefined;
}

/** A script, ready to run. It can run only once, as ranges have state. */
export interface SedProgram {
  /** The commands, with blocks as jumps. */
  readonly commands: readonly SedCommand[];
  /** Names of the files to write, which are created before the first line is read. */
  readonly outputs: readonly string[];
  /** Names of the files to read. */
  readonly inputs: readonly string[];
  /** The position of the end of the script, for later messages. */
  readonly end: string;
  /** True if the script began with `#n`. */
  readonly silent: boolean;
}

/** The options of the command. */
export interface SedOptions {
  /** `--posix`. */
  readonly posix: boolean;
  /** `-n`. */
  readonly quiet: boolean;
  /** `-s`, also with `-i`. */
  readonly separate: boolean;
  /** The byte that ends a line: 10, or 0 with `-z`. */
  readonly separator: number;
  /** `-l`. */
  readonly lineLength: number;
  /** `-u`. */
  readonly unbuffered: boolean;
  /** `--follow-symlinks`. */
  readonly followLinks: boolean;
  /** `-i`: `undefined` if not given, otherwise the suffix of backups, which may be empty. */
  readonly inPlace: string | undefined;
}
