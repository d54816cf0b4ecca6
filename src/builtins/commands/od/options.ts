import {
  InvalidArgument,
  matchChoice,
  type ReportFault,
  standardOptions,
  UINTMAX,
} from "../../core/mod.ts";
import { byteCount, oldOffsets, widthOf } from "./offsets.ts";
import { type OdType, parseTypes } from "./types.ts";
import { type CommandSpec, type ParsedArgument, UsageError } from "../../../command_line/mod.ts";
import { quote } from "../../text/mod.ts";

type Option =
  | "radix"
  | "endian"
  | "skip"
  | "limit"
  | "strings"
  | "type"
  | "all"
  | "width"
  | "traditional"
  | "old"
  | "help"
  | "version";

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

/** The command line of `od`. */
export const odCommand: CommandSpec<Option> = {
  name: "od",
  usage: [
    "[OPTION]... [FILE]...",
    "[-abcdfilosx]... [FILE] [[+]OFFSET[b]]",
    "--traditional [OPTION]... [FILE] [[+]OFFSET[b] [+][LABEL][b]]",
  ],
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
    { name: "strings", short: "S", argument: "required", argumentName: "BYTES" },
    {
      name: "strings",
      long: "strings",
      argument: "optional",
      argumentName: "BYTES",
      help:
        "print texts that end with NUL and have so many printable characters, 3 if not given; " +
        "also -S BYTES",
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
    {
      name: "traditional",
      long: "traditional",
      help: "take offset and label as the third form has them",
    },
    ...Object.entries(OLD).map(([short, type]) => ({
      name: "old" as const,
      short,
      ...(SHOWN[short] !== undefined && { help: `-t ${type}: ${SHOWN[short]}` }),
    })),
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
  /** Least length of strings with `-S`. */
  readonly strings: number | undefined;
  readonly all: boolean;
  /** Bytes of a line. */
  readonly width: number;
  /** The second address of the first byte. */
  readonly label: number | undefined;
  readonly warnings: readonly string[];
}

/** Makes the settings of options and operands. */
export function readOdSettings(
  items: Iterable<ParsedArgument<Option>>,
  report: ReportFault,
): OdSettings {
  let files: string[] = [];
  const formats: string[] = [];
  const warnings: string[] = [];
  let radix: OdSettings["radix"] = 8;
  let little = true;
  let skip = 0n;
  let limit: bigint | undefined;
  let strings: bigint | undefined;
  let all = false;
  let modern = false;
  let traditional = false;
  let wanted: bigint | undefined;
  let fault: InvalidArgument | undefined;
  for (const item of items) {
    if (item.kind === "operand") {
      files.push(item.value);
      continue;
    }
    const { name, value, as, hasValue } = item;
    if (name === "old") formats.push(OLD[as.slice(1)] ?? "");
    else if (name === "traditional") traditional = true;
    else if (name === "endian") {
      little = matchChoice(value, "--endian", [["little"], ["big"]]) === "little";
    } else {
      modern = true;
      if (name === "radix") radix = readRadix(value);
      else if (name === "skip") skip = byteCount(value, as);
      else if (name === "limit") limit = byteCount(value, as);
      else if (name === "strings") strings = hasValue ? byteCount(value, as) : 3n;
      else if (name === "type") {
        formats.push(value);
        const found = faultOf(value);
        if (found !== undefined) report(found);
        fault ??= found;
      } else if (name === "all") all = true;
      else if (name === "width") wanted = hasValue ? widthOf(value, as) : 32n;
    }
  }
  if (fault !== undefined) throw fault;
  const types = formats.flatMap((format) => parseTypes(format, little));
  if (strings !== undefined && types.length > 0) {
    throw new InvalidArgument("no type may be specified when dumping strings");
  }
  let label: bigint | undefined;
  if (!modern || traditional) {
    const old = oldOffsets(files, traditional);
    ({ files, label } = old);
    skip = old.skip ?? skip;
    if (traditional && files[1] !== undefined) {
      throw new UsageError(
        `extra operand ${quote(files[1])}\nod: compatibility mode supports at most one file`,
      );
    }
  }
  if (types.length === 0) types.push(...parseTypes("o2", little));
  const unit = types.reduce((size, type) => Math.max(size, type.size), 1);
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
    strings: strings === undefined ? undefined : Number(strings),
    all,
    width,
    label: label === undefined ? undefined : Number(label),
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
