import type { Regex } from "../../../regex/mod.ts";
import type { Chunk } from "../../../streams/mod.ts";
import type { Replacement } from "./replace.ts";
import type { Transliteration } from "./transliterate.ts";

/** A condition on one line. A regex address without regex means the last one that was used. */
export type Address =
  | { readonly type: "line"; readonly line: number }
  | { readonly type: "step"; readonly first: number; readonly step: number }
  | { readonly type: "last" }
  | { readonly type: "regex"; readonly regex: SedRegex | undefined };

/** What ends a range: an address, `+N` or `~N`. */
export type RangeEnd =
  | Address
  | { readonly type: "plus"; readonly count: number }
  | { readonly type: "multiple"; readonly count: number };

/** A regular expression of a script. */
export interface SedRegex {
  /** The expression. */
  readonly regex: Regex;
  /**
   * Whether it stands in an address and no `s` has used it yet. The first one that does must not
   * refer to sub-expressions that it lacks; as in GNU sed nobody asks later.
   */
  lacksGroups: boolean;
}

/** Where a range is. */
export const RangeState = { inactive: 0, active: 1, closed: 2 } as const;

/** An `s` command. */
export interface Substitution {
  /** What is searched; `undefined` means the last regular expression used. */
  readonly regex: SedRegex | undefined;
  /** What takes its place. */
  readonly replacement: Replacement;
  /** `g`. */
  readonly global: boolean;
  /** `p`. */
  readonly print: boolean;
  /** The first match that is replaced, from 1. */
  readonly nth: number;
  /** Index of the file of `w` in {@linkcode SedProgram.outputs}, or -1. */
  readonly output: number;
}

/** One command. All have the same shape, so that the loop over them stays fast. */
export interface SedCommand {
  /** The command's letter; `{` and `}` too. */
  readonly name: string;
  /** First address. */
  readonly from: Address | undefined;
  /** What ends the range. */
  readonly to: RangeEnd | undefined;
  /** `!`. */
  readonly negate: boolean;
  /** Whether an address asks whether this is the last line. */
  readonly looksAhead: boolean;
  /** Whether the command may have to wait for what it reads: `n`, `N`, `R`. */
  readonly waits: boolean;
  /** State of the range. */
  range: number;
  /** Last line of the range, where it is a number. */
  rangeEnd: number;
  /** Where `{` goes if not selected, and `b t T` if so: an index in the list of commands. */
  target: number;
  /** Text of `a i c`. */
  text: Chunk;
  /** Argument of `q Q l`; -1 when there is none. */
  readonly number: number;
  /** Index in {@linkcode SedProgram.outputs} (`w W`) or {@linkcode SedProgram.inputs} (`r R`). */
  readonly file: number;
  /** Of `s`. */
  readonly substitution: Substitution | undefined;
  /** Of `y`. */
  readonly transliteration: Transliteration | undefined;
}

/** A script, ready to run. Ranges hold state: it runs once. */
export interface SedProgram {
  /** The commands, with blocks as jumps. */
  readonly commands: readonly SedCommand[];
  /** Names of the files that are written to; they are made before the first line is read. */
  readonly outputs: readonly string[];
  /** Names of the files that are read. */
  readonly inputs: readonly string[];
  /** Where the script ends, for messages of what goes wrong later. */
  readonly end: string;
  /** Whether the script began with `#n`. */
  readonly silent: boolean;
}

/** How a script is run: the command's options. */
export interface SedOptions {
  /** `--posix`. */
  readonly posix: boolean;
  /** `-n`. */
  readonly quiet: boolean;
  /** `-s`, also with `-i`. */
  readonly separate: boolean;
  /** What ends a line: 10, or 0 with `-z`. */
  readonly separator: number;
  /** `-l`. */
  readonly lineLength: number;
  /** `-u`. */
  readonly unbuffered: boolean;
  /** `--follow-symlinks`. */
  readonly followLinks: boolean;
  /** `-i`: `undefined` without, else the suffix of the backup, which may be empty. */
  readonly inPlace: string | undefined;
}
