import { type Chunk, type RandomAccess, readFully } from "../../streams/mod.ts";
import { COUNT_SUFFIXES, InvalidArgument, parseNumber, type ReportOperand } from "../core/mod.ts";
import type { BuiltinIo } from "../builtin.ts";
import { quote, quoteAlways, utf8 } from "../text/mod.ts";
import type { OptionSpec, ParsedArgument, ParsedOption } from "../../command_line/mod.ts";

/** The unit of counts in `head` and `tail`. */
export type Unit = "lines" | "bytes";

/** The option of `head` and `tail` for no headers. */
export const quietOption: OptionSpec<"quiet"> = {
  name: "quiet",
  short: "q",
  long: ["quiet", "silent"],
  help: "never print headers with file names",
};

/** The other common options; the digits are for the obsolete form `-5`. */
export const laterOptions: readonly OptionSpec<"verbose" | "zero" | "digit">[] = [
  {
    name: "verbose",
    short: "v",
    long: "verbose",
    help: "always print headers with file names",
  },
  {
    name: "zero",
    short: "z",
    long: "zero-terminated",
    help: "lines end with NUL, not with a newline",
  },
  ...Array.from("0123456789", (short) => ({ name: "digit" as const, short })),
];

/** The text about numbers at the end of both commands' help. */
export const countEpilogue = "NUM may have a unit: b for 512, K or KiB for 1024, kB for " +
  "1000, and likewise M, G, T, P, E, Z and Y for the next powers.";

/** Reads the number of lines or bytes, without its sign. */
export function readCount(text: string, unit: Unit): bigint {
  const parsed = parseNumber(text, COUNT_SUFFIXES);
  if (parsed.ok) return parsed.value;
  throw wrongCount(text, unit, parsed.problem === "overflow");
}

/** The error for an invalid number of lines or bytes. */
export function wrongCount(text: string, unit: Unit, tooLarge: boolean): InvalidArgument {
  const why = tooLarge ? ": Value too large for defined data type" : "";
  return new InvalidArgument(`invalid number of ${unit}: ${quote(text)}${why}`);
}

/** The options that {@linkcode CommonOptions} handles. */
const COMMON = ["quiet", "verbose", "zero"] as const;

/** Settings from the operands and options that `head` and `tail` have in common. */
export interface CommonSettings {
  readonly files: readonly string[];
  readonly headers: HeaderMode;
  /** The byte that ends a line. */
  readonly separator: number;
}

/** Reads the operands and the options that `head` and `tail` have in common. */
export class CommonOptions {
  readonly #files: string[] = [];
  #headers: HeaderMode = "several";
  #separator = 10;

  /** The settings read so far. */
  values(): CommonSettings {
    return { files: this.#files, headers: this.#headers, separator: this.#separator };
  }

  /** Handles the common items and yields those that only this command has. */
  *own<Name extends string>(
    items: Iterable<ParsedArgument<Name>>,
  ): Generator<ParsedOption<Exclude<Name, typeof COMMON[number]>>, void, void> {
    for (const item of items) {
      if (item.kind === "operand") this.#files.push(item.value);
      else if (isOwn(item)) yield item;
      else if (item.name === "quiet") this.#headers = "never";
      else if (item.name === "verbose") this.#headers = "always";
      else this.#separator = 0;
    }
  }
}

function isOwn<Name extends string>(
  item: ParsedOption<Name>,
): item is ParsedOption<Exclude<Name, typeof COMMON[number]>> & ParsedOption<Name> {
  return !COMMON.some((name) => name === item.name);
}

/** The condition for printing file names as headers. */
export type HeaderMode = "several" | "always" | "never";

/** Creates the header of each file, `==> name <==`, with an empty line before all but the first. */
export class Headers {
  readonly #wanted: boolean;
  #first = true;

  /** Decides by the mode and the number of operands. */
  constructor(mode: HeaderMode, operands: number) {
    this.#wanted = mode === "always" || (mode === "several" && operands > 1);
  }

  /** The header of a file, if headers are wanted. */
  *next(name: string): Generator<Chunk, void, void> {
    if (!this.#wanted) return;
    yield utf8(`${this.#first ? "" : "\n"}==> ${name === "-" ? "standard input" : name} <==\n`);
    this.#first = false;
  }
}

/** Reports problems with operands, with the messages of `head` and `tail`. */
export function endsReport(command: string, io: BuiltinIo, failed: () => void): ReportOperand {
  return (problem, name, why) => {
    const shown = quoteAlways(name === "-" ? "standard input" : name);
    io.warn(
      problem === "open"
        ? `${command}: cannot open ${shown} for reading: ${why}`
        : `${command}: error reading ${shown}: ${why}`,
    );
    failed();
  };
}

const BLOCK = 64 * 1024;

/**
 * The offset in a regular file where its last `count` lines begin. A last line without separator
 * counts. Reads backwards from the end.
 */
export async function lastLinesOffset(
  at: RandomAccess,
  separator: number,
  count: number,
  signal: AbortSignal,
): Promise<number> {
  const { size } = at;
  if (count === 0 || size === 0) return size;
  const buffer = new Uint8Array(Math.min(size, BLOCK));
  // The separator at the very end belongs to the last line, so the search begins before it.
  let left = count;
  let end = size - 1;
  while (end > 0) {
    signal.throwIfAborted();
    const start = Math.max(0, end - BLOCK);
    const block = buffer.subarray(0, end - start);
    const got = await readFully(at, start, block);
    let found = block.subarray(0, got).lastIndexOf(separator);
    while (found >= 0) {
      if (--left === 0) return start + found + 1;
      if (found === 0) break;
      found = block.subarray(0, found).lastIndexOf(separator);
    }
    end = start;
  }
  return 0;
}
