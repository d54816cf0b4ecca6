import type { CommandSpec } from "../../../command_line/mod.ts";

const value = { argument: "required" } as const;

/** The option table of `xxd`: for the help; `xxd` reads its command line in a way of its own. */
export const xxdCommand: CommandSpec = {
  name: "xxd",
  usage: ["[OPTION]... [INFILE [OUTFILE]]", "-r [-s [-]OFF] [-c COLS] [-p] [INFILE]"],
  summary: "Make a hexdump, or do the reverse.\n\nWith no INFILE, or when INFILE is -, read " +
    "standard input. Options stand before INFILE and are not combined.",
  options: [
    { name: "a", short: "a", help: "a single '*' replaces lines of NULs" },
    { name: "b", short: "b", help: "binary digit dump" },
    { name: "C", short: "C", help: "capitalize variable names with -i" },
    {
      name: "c",
      short: "c",
      ...value,
      argumentName: "COLS",
      help: "format COLS octets per line: default 16, -i 12, -p 30, -b 6",
    },
    { name: "d", short: "d", help: "show offset in decimal instead of hex" },
    { name: "e", short: "e", help: "little-endian dump" },
    {
      name: "g",
      short: "g",
      ...value,
      argumentName: "BYTES",
      help: "number of octets per group: default 2, -e 4, -b 1",
    },
    { name: "h", short: "h", help: "display this help and exit" },
    { name: "i", short: "i", help: "output in C include file style" },
    { name: "l", short: "l", ...value, argumentName: "LEN", help: "stop after LEN octets" },
    {
      name: "n",
      short: "n",
      ...value,
      argumentName: "NAME",
      help: "set the variable name used with -i",
    },
    {
      name: "o",
      short: "o",
      ...value,
      argumentName: "OFF",
      help: "add OFF to the displayed file position",
    },
    { name: "p", short: "p", help: "output in plain hexdump style" },
    { name: "r", short: "r", help: "convert a hexdump into binary" },
    {
      name: "s",
      short: "s",
      ...value,
      argumentName: "[+][-]SEEK",
      help: "start at SEEK bytes of INFILE; with -r add it to the positions found",
    },
    { name: "u", short: "u", help: "use upper case hex letters" },
    { name: "v", short: "v", help: "show version" },
  ],
};

/** The style of a dump. */
export type XxdStyle = "hex" | "bits" | "little" | "plain" | "include";

/** What a command line of `xxd` comes to. */
export interface XxdSettings {
  readonly style: XxdStyle;
  readonly autoskip: boolean;
  readonly capitalize: boolean;
  readonly decimal: boolean;
  readonly upper: boolean;
  readonly revert: boolean;
  readonly columns: number;
  readonly group: number;
  /** How many bytes to dump; infinite without `-l`. */
  readonly length: number;
  readonly variable: string | undefined;
  readonly displayOffset: bigint;
  readonly seek: number;
  readonly relativeSeek: boolean;
  readonly negativeSeek: boolean;
  readonly input: string;
  readonly output: string | undefined;
}

/** Why a command line makes no settings. */
export type XxdRefusal =
  | { readonly kind: "help" | "version" | "usage" }
  | { readonly kind: "error"; readonly message: string };

const LONG_MAX = 2n ** 63n - 1n;
const ULONG_MAX = 2n ** 64n - 1n;

/** A whole number as C reads the start of a text with base 0; 0 where there is none. */
function integer(text: string): bigint {
  const [, sign = "", hex, octal, decimal] =
    /^[ \t\n\v\f\r]*([+-]?)(?:0[xX]([0-9a-fA-F]+)|(0[0-7]*)|([1-9]\d*))/.exec(text) ?? [];
  const size = hex !== undefined
    ? BigInt(`0x${hex}`)
    : octal !== undefined
    ? BigInt(`0o0${octal}`)
    : BigInt(decimal ?? 0);
  return sign === "-" ? -size : size;
}

/** As C's `strtol` reads it. */
function long(text: string): bigint {
  const value = integer(text);
  if (value > LONG_MAX) return LONG_MAX;
  return value < -LONG_MAX - 1n ? -LONG_MAX - 1n : value;
}

/** As C's `strtoul` reads it. */
function unsignedLong(text: string): bigint {
  const value = integer(text);
  return value > ULONG_MAX || value < -ULONG_MAX ? ULONG_MAX : value;
}

/** Options with an argument, and how their long spellings go on after the letter. */
const VALUED: Readonly<Record<string, RegExp>> = {
  c: /^ols/,
  g: /^group/,
  l: /^en/,
  n: /^ame/,
  o: /^ffset/,
  s: /^(?:kip|eek)/,
};
const FLAGS = "abCdEehipruv";

/** Reads a command line as `xxd` does: one option a word, its first letter counts. */
export function readXxdSettings(args: readonly string[]): XxdSettings | XxdRefusal {
  const flags = new Set<string>();
  const values = new Map<string, string>();
  let style: XxdStyle = "hex";
  let autoskip = false;
  let at = 0;
  for (; at < args.length; at++) {
    const word = args[at] ?? "";
    if (word === "--") {
      at++;
      break;
    }
    if (word === "--help") return { kind: "help" };
    const option = word.startsWith("--") ? word.slice(1) : word;
    if (!option.startsWith("-") || option === "-") break;
    const letter = option[1] ?? "";
    const rest = option.slice(2);
    if (letter === "c" && rest.startsWith("apitalize")) {
      flags.add("C");
    } else if (VALUED[letter] !== undefined) {
      if (rest !== "" && !VALUED[letter].test(rest)) values.set(letter, rest);
      else {
        const next = args[++at];
        if (next === undefined) return { kind: "usage" };
        values.set(letter, next);
      }
    } else if (!FLAGS.includes(letter)) {
      return { kind: "usage" };
    } else {
      if (letter === "a") autoskip = !autoskip;
      if (letter === "h") return { kind: "help" };
      if (letter === "v") return { kind: "version" };
      if (letter === "E") return error("option '-E' is not supported");
      style = ({ b: "bits", e: "little", p: "plain", i: "include" } as const)[letter] ?? style;
      flags.add(letter);
    }
  }
  const operands = args.slice(at);
  return finish({ style, autoskip, flags, values, operands });
}

interface Given {
  readonly style: XxdStyle;
  readonly autoskip: boolean;
  readonly flags: ReadonlySet<string>;
  readonly values: ReadonlyMap<string, string>;
  readonly operands: readonly string[];
}

const COLUMNS = { hex: 16, bits: 6, little: 16, plain: 30, include: 12 } as const;
const GROUPS = { hex: 2, bits: 1, little: 4, plain: 0, include: 0 } as const;

function error(message: string): XxdRefusal {
  return { kind: "error", message };
}

function finish({ style, autoskip, flags, values, operands }: Given): XxdSettings | XxdRefusal {
  const numberOf = (letter: string, fallback: number): number => {
    const text = values.get(letter);
    return text === undefined ? fallback : Number(long(text));
  };
  /** As C's `int`: what does not fit wraps around. */
  const intOf = (letter: string, fallback: number): number => {
    const text = values.get(letter);
    return text === undefined ? fallback : Number(BigInt.asIntN(32, long(text)));
  };
  let columns = intOf("c", 0);
  if (!values.has("c") || (columns === 0 && style !== "plain")) columns = COLUMNS[style];
  let group = intOf("g", -1);
  if (group < 0) group = GROUPS[style];
  const free = style === "plain" || style === "include";
  if (columns < (style === "plain" ? 0 : 1) || (!free && columns > 256)) {
    return error("invalid number of columns (max. 256).");
  }
  if (group < 1 || group > columns) group = columns;
  else if (style === "little" && (group & (group - 1)) !== 0) {
    return error("number of octets per group must be a power of 2 with -e.");
  }
  if (operands.length > 2) return { kind: "usage" };
  const [, plus = "", minus = "", seek = ""] = /^(\+?)(-?)([^]*)$/.exec(values.get("s") ?? "") ??
    [];
  const [, shift = "", offset = ""] = /^\+?(-?)([^]*)$/.exec(values.get("o") ?? "") ?? [];
  const length = numberOf("l", -1);
  const added = unsignedLong(offset);
  return {
    style,
    autoskip,
    capitalize: flags.has("C"),
    decimal: flags.has("d"),
    upper: flags.has("u"),
    revert: flags.has("r"),
    columns,
    group,
    length: length < 0 ? Infinity : length,
    variable: values.get("n"),
    displayOffset: shift === "" ? added : -added,
    seek: Number(long(seek)),
    relativeSeek: plus !== "",
    negativeSeek: minus !== "",
    input: operands[0] ?? "-",
    output: operands[1] === "-" ? undefined : operands[1],
  };
}
