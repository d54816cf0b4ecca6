import {
  InvalidArgument,
  parseNumber,
  readBounded,
  type RefusedName,
  refusedOptions,
  standardOptions,
  toCount,
  UINTMAX,
} from "../../core/mod.ts";
import { type CommandSpec, type ParsedArgument, UsageError } from "../../../command_line/mod.ts";
import { quote } from "../../text/mod.ts";

/** The names in shuf's option table. */
export type ShufOption =
  | "echo"
  | "range"
  | "count"
  | "output"
  | "repeat"
  | "zero";

/** The option table of `shuf`. */
export const shufCommand: CommandSpec<ShufOption | "help" | "version" | RefusedName> = {
  name: "shuf",
  usage: ["[OPTION]... [FILE]", "-e [OPTION]... [ARG]...", "-i LO-HI [OPTION]..."],
  summary:
    "Print the lines of FILE in random order.\n\nStandard input is read where FILE is - or " +
    "no FILE is given.",
  abbreviationOrder: [
    "echo",
    "input-range",
    "head-count",
    "output",
    "random-source",
    "repeat",
    "zero-terminated",
  ],
  options: [
    { name: "echo", short: "e", long: "echo", help: "treat each ARG as a line" },
    {
      name: "range",
      short: "i",
      long: "input-range",
      argument: "required",
      argumentName: "LO-HI",
      help: "treat the numbers from LO to HI as lines",
    },
    {
      name: "count",
      short: "n",
      long: "head-count",
      argument: "required",
      argumentName: "COUNT",
      help: "print COUNT lines at most",
    },
    {
      name: "output",
      short: "o",
      long: "output",
      argument: "required",
      argumentName: "FILE",
      help: "write to FILE, which may be the input",
    },
    {
      name: "repeat",
      short: "r",
      long: "repeat",
      help: "allow a line to be printed again; without -n, output does not end",
    },
    {
      name: "zero",
      short: "z",
      long: "zero-terminated",
      help: "lines end with NUL, not with a newline",
    },
    ...refusedOptions({ "--random-source=": "leave it out for another order each time" }),
    ...standardOptions,
  ],
};

/** A range of whole numbers, which is empty if `high` is one less than `low`. */
export interface Range {
  readonly low: number;
  readonly high: number;
}

/** Source of the lines: a file (`-` for standard input), arguments or a range. */
export type ShufInput =
  | { readonly kind: "file"; readonly path: string }
  | { readonly kind: "arguments"; readonly lines: readonly string[] }
  | { readonly kind: "range"; readonly range: Range };

/** Settings from a command line of `shuf`. */
export interface ShufSettings {
  readonly input: ShufInput;
  /** Number of lines wanted; `Infinity` for all. */
  readonly count: number;
  readonly repeat: boolean;
  readonly output: string | undefined;
  /** The byte that ends lines. */
  readonly separator: number;
}

/** Reads the settings from a parsed command line. */
export function readShufSettings(items: Iterable<ParsedArgument<ShufOption>>): ShufSettings {
  const operands: string[] = [];
  let echo = false;
  let repeat = false;
  let separator = 10;
  let range: Range | undefined;
  let count = Infinity;
  let output: string | undefined;
  for (const item of items) {
    if (item.kind === "operand") {
      operands.push(item.value);
      continue;
    }
    const { name, value } = item;
    if (name === "echo") echo = true;
    else if (name === "repeat") repeat = true;
    else if (name === "zero") separator = 0;
    else if (name === "range") {
      if (range !== undefined) throw new InvalidArgument("multiple -i options specified");
      range = readRange(value);
    } else if (name === "count") count = Math.min(count, readCount(value));
    else {
      if (output !== undefined && output !== value) {
        throw new InvalidArgument("multiple output files specified");
      }
      output = value;
    }
  }
  if (echo && range !== undefined) throw new UsageError("cannot combine -e and -i options");
  const extra = range !== undefined ? operands[0] : echo ? undefined : operands[1];
  if (extra !== undefined) throw new UsageError(`extra operand ${quote(extra)}`);
  const input: ShufInput = range !== undefined
    ? { kind: "range", range }
    : echo
    ? { kind: "arguments", lines: operands }
    : { kind: "file", path: operands[0] ?? "-" };
  return { input, count, repeat, output, separator };
}

function readCount(text: string): number {
  const parsed = parseNumber(text, "");
  if (parsed.ok) return toCount(parsed.value);
  if (parsed.problem === "overflow") return Infinity;
  throw new InvalidArgument(`invalid line count: ${quote(text)}`);
}

const BAD_RANGE = "invalid input range";

function readRange(text: string): Range {
  const [, before, after = text] = /^([^-]*)-([^]*)$/.exec(text) ?? [];
  const bounds = { min: 0n, max: UINTMAX };
  const low = before === undefined ? undefined : readBounded(before, BAD_RANGE, bounds);
  const high = readBounded(after, BAD_RANGE, bounds);
  if (low === undefined || low > high + 1n) {
    throw new InvalidArgument(`${BAD_RANGE}: ${quote(text)}`);
  }
  if (high > BigInt(Number.MAX_SAFE_INTEGER)) {
    throw new InvalidArgument(
      `${BAD_RANGE}: ${quote(text)}: numbers above ${Number.MAX_SAFE_INTEGER} are not supported`,
    );
  }
  return { low: Number(low), high: Number(high) };
}
