import type { CommandSpec } from "../../../command_line/mod.ts";
import { refusalOf } from "../../core/mod.ts";

const flag = (short: string, help: string) => ({ name: short, short, help });
const valued = (short: string, argumentName: string, help: string) =>
  ({ ...flag(short, help), argument: "required", argumentName }) as const;

/** The option table of `xxd`: for the help; `xxd` reads its command line in a way of its own. */
export const xxdCommand: CommandSpec = {
  name: "xxd",
  usage: ["[OPTION]... [INFILE]", "-r [-s [-]OFF] [-c COLS] [-p] [INFILE]"],
  summary: "Make a hexdump, or do the reverse.\n\nWith no INFILE, or when INFILE is -, read " +
    "standard input. Options stand before INFILE and are not combined.",
  options: [
    flag("b", "binary digit dump"),
    valued("c", "COLS", "format COLS octets per line: default 16, -i 12, -p 30, -b 6"),
    flag("d", "show offset in decimal instead of hex"),
    flag("e", "little-endian dump"),
    valued("g", "BYTES", "number of octets per group: default 2, -e 4, -b 1"),
    flag("h", "display this help and exit"),
    flag("i", "output in C include file style"),
    valued("l", "LEN", "stop after LEN octets"),
    valued("n", "NAME", "set the variable name used with -i"),
    flag("p", "output in plain hexdump style"),
    flag("r", "convert a hexdump into binary"),
    valued(
      "s",
      "[+][-]SEEK",
      "start at SEEK bytes of INFILE; with -r add it to the positions found",
    ),
    flag("u", "use upper case hex letters"),
    flag("v", "show version"),
  ],
};

/** Options of Vim's `xxd` that are refused, and the alternative to suggest. */
const REFUSED: Readonly<Record<string, string>> = {
  a: "leave it out",
  C: "use -n NAME, which names the variables",
  E: "",
  o: "leave it out",
};

/** The style of a dump. */
export type XxdStyle = "hex" | "bits" | "little" | "plain" | "include";

/** Settings read from a command line of `xxd`. */
export interface XxdSettings {
  readonly style: XxdStyle;
  readonly decimal: boolean;
  readonly upper: boolean;
  readonly revert: boolean;
  readonly columns: number;
  readonly group: number;
  /** Number of bytes to dump; infinite without `-l`. */
  readonly length: number;
  readonly variable: string | undefined;
  readonly seek: number;
  readonly relativeSeek: boolean;
  readonly negativeSeek: boolean;
  readonly input: string;
}

/** Result of a command line without settings. */
export type XxdRefusal =
  | { readonly kind: "help" | "version" | "usage" }
  | { readonly kind: "error"; readonly message: string };

const LONG_MAX = 2n ** 63n - 1n;

/** Reads the whole number at the start of a text as C does with base 0; 0 if there is none. */
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

/** Reads a number as `strtol` in C does. */
function long(text: string): bigint {
  const value = integer(text);
  if (value > LONG_MAX) return LONG_MAX;
  return value < -LONG_MAX - 1n ? -LONG_MAX - 1n : value;
}

/** Options with an argument, and how their long spellings continue after the letter. */
const VALUED: Readonly<Record<string, RegExp>> = {
  c: /^ols/,
  g: /^group/,
  l: /^en/,
  n: /^ame/,
  s: /^(?:kip|eek)/,
};
const FLAGS = "bdehipruv";

/** Reads a command line as `xxd` does: one option a word, decided by its first letter. */
export function readXxdSettings(args: readonly string[]): XxdSettings | XxdRefusal {
  const flags = new Set<string>();
  const values = new Map<string, string>();
  let style: XxdStyle = "hex";
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
    const refused = letter === "c" && rest.startsWith("apitalize") ? "C" : letter;
    const instead = REFUSED[refused];
    if (instead !== undefined) {
      return error(refusalOf(refused === letter ? `-${letter}` : word, instead));
    }
    if (VALUED[letter] !== undefined) {
      if (rest !== "" && !VALUED[letter].test(rest)) values.set(letter, rest);
      else {
        const next = args[++at];
        if (next === undefined) return { kind: "usage" };
        values.set(letter, next);
      }
    } else if (!FLAGS.includes(letter)) {
      return { kind: "usage" };
    } else {
      if (letter === "h") return { kind: "help" };
      if (letter === "v") return { kind: "version" };
      style = ({ b: "bits", e: "little", p: "plain", i: "include" } as const)[letter] ?? style;
      flags.add(letter);
    }
  }
  const operands = args.slice(at);
  return finish({ style, flags, values, operands });
}

interface Given {
  readonly style: XxdStyle;
  readonly flags: ReadonlySet<string>;
  readonly values: ReadonlyMap<string, string>;
  readonly operands: readonly string[];
}

const COLUMNS = { hex: 16, bits: 6, little: 16, plain: 30, include: 12 } as const;
const GROUPS = { hex: 2, bits: 1, little: 4, plain: 0, include: 0 } as const;

function error(message: string): XxdRefusal {
  return { kind: "error", message };
}

function finish({ style, flags, values, operands }: Given): XxdSettings | XxdRefusal {
  const numberOf = (letter: string, fallback: number): number => {
    const text = values.get(letter);
    return text === undefined ? fallback : Number(long(text));
  };
  /** Reads an `int` of C: numbers that do not fit wrap around. */
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
  if (operands[1] !== undefined && operands[1] !== "-") {
    return error(`OUTFILE '${operands[1]}' is not supported: xxd prints to standard output`);
  }
  const [, plus = "", minus = "", seek = ""] = /^(\+?)(-?)([^]*)$/.exec(values.get("s") ?? "") ??
    [];
  const length = numberOf("l", -1);
  return {
    style,
    decimal: flags.has("d"),
    upper: flags.has("u"),
    revert: flags.has("r"),
    columns,
    group,
    length: length < 0 ? Infinity : length,
    variable: values.get("n"),
    seek: Number(long(seek)),
    relativeSeek: plus !== "",
    negativeSeek: minus !== "",
    input: operands[0] ?? "-",
  };
}
