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

/** What the old one-letter options stand for. */
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

const NO_STRINGS = "use grep -a -o '[[:print:]]\\{3,\\}'";
/** The widest line, in bytes. */
const WIDEST = 4096n;

/** The command line of `od`. */
export const odCommand: CommandSpec<Option | "help" | "version" | RefusedName> = {
  name: "od",
  usage: "[OPTION]... [FILE]...",
  summary: "Print the bytes of all FILEs, one after the other, as numbers or characters: two " +
    "bytes to an octal number if no option says otherwise.\n\nStandard input is read where FILE " +
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
      help: "how offsets are written: d decimal, o octal, x hexadecimal, n not at all",
    },
    {
      name: "endian",
      long: "endian",
      argument: "required",
      argumentName: "{big|little}",
      help: "which byte of a number comes first",
    },
    {
      name: "skip",
      short: "j",
      long: "skip-bytes",
      argument: "required",
      argumentName: "BYTES",
      help: "skip so many bytes first",
    },
    {
      name: "limit",
      short: "N",
      long: "read-bytes",
      argument: "required",
      argumentName: "BYTES",
      help: "read no more than so many bytes",
    },
    {
      name: "type",
      short: "t",
      long: "format",
      argument: "required",
      argumentName: "TYPE",
      help: "how bytes are printed; several times for several lines of each",
    },
    {
      name: "all",
      short: "v",
      long: "output-duplicates",
      help: "print equal lines too, in the place of one *",
    },
    {
      name: "width",
      short: "w",
      long: "width",
      argument: "optional",
      argumentName: "BYTES",
      help: "bytes of a line: 16 without this option, 32 where it has no number",
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
    "a number of bytes, or C, S, I, L as in C; for f it is F, D or L. A z after it all puts the " +
    "printable characters at the end of each line.\n\nBYTES may be hexadecimal (0x10), and have a " +
    "unit after it: b for 512, K for 1024, KB for 1000, and likewise M, G, T, P, E, Z and Y.",
};

/** What a command line of `od` comes to. Numbers of bytes may be infinite. */
export interface OdSettings {
  readonly files: readonly string[];
  readonly types: readonly OdType[];
  /** Base of the addresses; 0 for none. */
  readonly radix: 0 | 8 | 10 | 16;
  readonly skip: number;
  readonly limit: number;
  readonly all: boolean;
  /** Bytes of a line. */
  readonly width: number;
  readonly warnings: readonly string[];
}

/** Makes the settings of options and operands. */
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

/** What is wrong with a type string. */
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
