import {
  InvalidArgument,
  matchChoice,
  type RefusedName,
  refusedOptions,
  type ReportFault,
  standardOptions,
  UINTMAX,
} from "../../core/mod.ts";
import { byteCount, widthOf } from "./counts.ts";
import { type OdType, parseTypes } from "./types.ts";
import type { CommandSpec, ParsedArgument } from "../../../command_line/mod.ts";

type Option =
  | "radix"
  | "endian"
  | "skip"
  | "limit"
  | "type"
  | "all"
  | "width"
  | "old";

/** Types for which the old one-letter options stand. */
const OLD: Readonly<Record<string, string>> = {
  a: "a",
  b: "o1",
  B: "o2",
  c: "c",
  d: "u2",
  D: "u4",
  e: "fD",
  f: "fF",
  F: "fD",
  h: "x2",
  H: "x4",
  i: "dI",
  I: "dL",
  l: "dL",
  L: "dL",
  o: "o2",
  O: "o4",
  s: "d2",
  x: "x2",
  X: "x4",
};
const SHOWN: Readonly<Record<string, string>> = {
  a: "names of characters, without the highest bit",
  b: "bytes in octal",
  c: "characters, and escapes such as \\n",
  d: "two bytes, unsigned",
  f: "floating-point numbers of four bytes",
  i: "four bytes, signed",
  l: "eight bytes, signed",
  o: "two bytes in octal",
  s: "two bytes, signed",
  x: "two bytes in hexadecimal",
};

const NO_STRINGS = "use grep -a -o '[[:print:]]\\{N,\\}' for strings of N characters";
/** The widest line, in bytes. */
const WIDEST = 4096n;

/** The command line of `od`. */
export const odCommand: CommandSpec<Option | "help" | "version" | RefusedName> = {
  name: "od",
  usage: "[OPTION]... [FILE]...",
  summary: "Print the bytes of all FILEs, one after the other, as numbers or characters; by " +
    "default as octal numbers of two bytes.\n\nStandard input is read where FILE " +
    "is - or no FILE is given.",
  abbreviationOrder: [
    "skip-bytes",
    "address-radix",
    "read-bytes",
    "format",
    "output-duplicates",
    "strings",
    "traditional",
    "width",
    "endian",
  ],
  options: [
    {
      name: "radix",
      short: "A",
      long: "address-radix",
      argument: "required",
      argumentName: "RADIX",
      help: "base of the offsets: d decimal, o octal, x hexadecimal, n for no offsets",
    },
    {
      name: "endian",
      long: "endian",
      argument: "required",
      argumentName: "{big|little}",
      help: "byte order of numbers",
    },
    {
      name: "skip",
      short: "j",
      long: "skip-bytes",
      argument: "required",
      argumentName: "BYTES",
      help: "skip BYTES bytes of the input first",
    },
    {
      name: "limit",
      short: "N",
      long: "read-bytes",
      argument: "required",
      argumentName: "BYTES",
      help: "read at most BYTES bytes",
    },
    {
      name: "type",
      short: "t",
      long: "format",
      argument: "required",
      argumentName: "TYPE",
      help: "print bytes as TYPE; give it again to print them also as another",
    },
    {
      name: "all",
      short: "v",
      long: "output-duplicates",
      help: "print repeated lines in full, not as one *",
    },
    {
      name: "width",
      short: "w",
      long: "width",
      argument: "optional",
      argumentName: "BYTES",
      help: "print BYTES bytes a line (default 16; 32 if no number follows)",
    },
    ...Object.entries(OLD).map(([short, type]) => ({
      name: "old" as const,
      short,
      ...(SHOWN[short] !== undefined && { help: `-t ${type}: ${SHOWN[short]}` }),
    })),
    ...refusedOptions({
      "-S=": NO_STRINGS,
      "--strings[=]": NO_STRINGS,
      "--traditional": "use -j for the offset",
    }),
    ...standardOptions,
  ],
  epilogue:
    "TYPE is one or more of a (names of characters), c (characters) and, with a size after " +
    "them, d (signed), u (unsigned), o (octal), x (hexadecimal) and f (floating point). The size is " +
    "a number of bytes, or C, S, I, L as in C; for f it is F, D or L. A z at the end puts the " +
    "printable characters after each line.\n\nBYTES may be hexadecimal (0x10), and may have a " +
    "unit: b for 512, K for 1024, KB for 1000, and likewise M, G, T, P, E, Z and Y.",
};

/** Settings read from a command line of `od`. Numbers of bytes may be infinite. */
export interface OdSettings {
  readonly files: readonly string[];
  readonly types: readonly OdType[];
  /** Base of the addresses; 0 for none. */
  readonly radix: 0 | 8 | 10 | 16;
  readonly skip: number;
  readonly limit: number;
  readonly all: boolean;
  /** Bytes a line. */
  readonly width: number;
  readonly warnings: readonly string[];
}

/** Reads the settings from options and operands. */
export function readOdSettings(
  items: Iterable<ParsedArgument<Option>>,
  report: ReportFault,
): OdSettings {
  const files: string[] = [];
  const formats: string[] = [];
  const warnings: string[] = [];
  let radix: OdSettings["radix"] = 8;
  let little = true;
  let skip = 0n;
  let limit: bigint | undefined;
  let all = false;
  let wanted: bigint | undefined;
  let fault: InvalidArgument | undefined;
  for (const item of items) {
    if (item.kind === "operand") {
      files.push(item.value);
      continue;
    }
    const { name, value, as, hasValue } = item;
    if (name === "old") formats.push(OLD[as.slice(1)] ?? "");
    else if (name === "endian") {
      little = matchChoice(value, "--endian", [["little"], ["big"]]) === "little";
    } else if (name === "radix") radix = readRadix(value);
    else if (name === "skip") skip = byteCount(value, as);
    else if (name === "limit") limit = byteCount(value, as);
    else if (name === "type") {
      formats.push(value);
      const found = faultOf(value);
      if (found !== undefined) report(found);
      fault ??= found;
    } else if (name === "all") all = true;
    else if (name === "width") wanted = hasValue ? widthOf(value, as) : 32n;
  }
  if (fault !== undefined) throw fault;
  const types = formats.flatMap((format) => parseTypes(format, little));
  const offset = files.find((file) => /^\+\d+[.bB]*$/.test(file));
  if (offset !== undefined) {
    throw new InvalidArgument(`offset '${offset}' is not supported: use -j (octal after a 0)`);
  }
  if (types.length === 0) types.push(...parseTypes("o2", little));
  const unit = types.reduce((size, type) => Math.max(size, type.size), 1);
  if ((wanted ?? 0n) > WIDEST) {
    throw new InvalidArgument(`width ${wanted} is not supported: use ${WIDEST} at most`);
  }
  let width = Number(wanted ?? 16n);
  if (wanted === 0n || (wanted ?? 16n) % BigInt(unit) !== 0n) {
    warnings.push(`warning: invalid width ${wanted}; using ${unit} instead`);
    width = unit;
  }
  if (limit !== undefined && skip + limit > UINTMAX) {
    throw new InvalidArgument("skip-bytes + read-bytes is too large");
  }
  return {
    files,
    types,
    radix,
    skip: Number(skip),
    limit: limit === undefined ? Infinity : Number(limit),
    all,
    width,
    warnings,
  };
}

/** Returns the error in a type string, if any. */
function faultOf(text: string): InvalidArgument | undefined {
  try {
    parseTypes(text, true);
  } catch (error) {
    if (error instanceof InvalidArgument) return error;
    throw error;
  }
  return undefined;
}

function readRadix(text: string): OdSettings["radix"] {
  const radix = ({ d: 10, o: 8, x: 16, n: 0 } as const)[text[0] ?? ""];
  if (radix !== undefined) return radix;
  throw new InvalidArgument(
    `invalid output address radix '${text[0] ?? "\0"}'; it must be one character from [doxn]`,
  );
}
