import type { Chunk } from "../../../streams/mod.ts";
import { builtinOf, InvalidArgument, standardOptions } from "../../core/mod.ts";
import type { Builtin, BuiltinIo } from "../../builtin.ts";
import {
  formatFloat,
  isTooWide,
  isWide,
  LineOutput,
  narrowed,
  parseDouble,
  putWide,
  quote,
  utf8,
} from "../../text/mod.ts";
import { type CountPlan, countUp } from "./count.ts";
import { type CommandSpec, type ParsedArgument, UsageError } from "../../../command_line/mod.ts";
import {
  defaultFormat,
  readSeqFormat,
  readSeqNumber,
  type SeqFormat,
  type SeqNumber,
} from "./number.ts";

type Option = "format" | "separator" | "equalWidth" | "help" | "version";

const command: CommandSpec<Option> = {
  name: "seq",
  usage: [
    "[OPTION]... LAST",
    "[OPTION]... FIRST LAST",
    "[OPTION]... FIRST INCREMENT LAST",
  ],
  summary:
    "Print the numbers from FIRST to LAST in steps of INCREMENT. FIRST and INCREMENT default to 1.",
  stopAtOperand: true,
  // A negative number is an operand.
  obsolete: (word) => /^-[.0-9]/.test(word) ? ["--", word] : undefined,
  abbreviationOrder: ["equal-width", "format", "separator"],
  options: [
    {
      name: "format",
      short: "f",
      long: "format",
      argument: "required",
      argumentName: "FORMAT",
      help: "print each number by FORMAT, as printf does: %g, %.2f, %03g",
    },
    {
      name: "separator",
      short: "s",
      long: "separator",
      argument: "required",
      argumentName: "STRING",
      help: "put STRING, not a newline, between the numbers",
    },
    {
      name: "equalWidth",
      short: "w",
      long: "equal-width",
      help: "pad the numbers with zeros to the same width",
    },
    ...standardOptions,
  ],
  epilogue:
    "Numbers may have a fraction and an exponent. A negative INCREMENT counts down; 0 is an " +
    "error. Nothing is printed if FIRST is already beyond LAST.\nFORMAT has one " +
    "conversion of a, e, f, g, A, E, F or G. Without -f, all numbers have as many decimals as " +
    "FIRST or INCREMENT; if a number is a hexadecimal fraction, the format is %g.",
};

interface Settings {
  readonly first: SeqNumber;
  readonly step: SeqNumber;
  readonly last: SeqNumber;
  readonly format: SeqFormat | undefined;
  readonly separator: string;
  readonly equalWidth: boolean;
  /** The whole numbers to count up, if GNU `seq` counts these operands so, in any size. */
  readonly whole: CountPlan | undefined;
}

function readSettings(items: Iterable<ParsedArgument<Option>>): Settings {
  const operands: string[] = [];
  let text: string | undefined;
  let separator = "\n";
  let equalWidth = false;
  for (const item of items) {
    if (item.kind === "operand") operands.push(item.value);
    else if (item.name === "format") text = item.value;
    else if (item.name === "separator") separator = item.value;
    else equalWidth = true;
  }
  if (operands.length === 0) throw new UsageError("missing operand");
  if (operands[3] !== undefined) throw new UsageError(`extra operand ${quote(operands[3])}`);
  const format = text === undefined ? undefined : readSeqFormat(text);
  if (format !== undefined && equalWidth) {
    throw new UsageError("format string may not be specified when printing equal width strings");
  }
  const numbers: SeqNumber[] = [];
  for (const [i, operand] of operands.entries()) {
    const number = readSeqNumber(operand);
    if (operands.length === 3 && i === 1 && number.value === 0) {
      throw new UsageError(`invalid Zero increment value: ${quote(operand)}`);
    }
    numbers.push(number);
  }
  const one = readSeqNumber("1");
  const last = numbers.at(-1) ?? one;
  const first = numbers.length > 1 ? numbers[0] ?? one : one;
  const step = numbers.length > 2 ? numbers[1] ?? one : one;
  const plain = format === undefined && !equalWidth && utf8(separator).length === 1;
  const digits = operands.every((operand) => /^[0-9]+$/.test(operand));
  const whole = plain
    ? wholeNumbers(first, step, last, { digits, between: separator.charCodeAt(0) })
    : undefined;
  const inexact = numbers.find(isInexact);
  if (whole === undefined && inexact !== undefined) {
    throw new InvalidArgument(
      `${inexact.text}: whole numbers above ${Number.MAX_SAFE_INTEGER} are possible in a plain ` +
        "'seq FIRST LAST' only",
    );
  }
  return { first, step, last, format, separator, equalWidth, whole };
}

/** True for a whole number that a double cannot hold. */
function isInexact({ text, value }: SeqNumber): boolean {
  return /^-?\d{16,}$/.test(text) && Number.isFinite(value) && BigInt(text) !== BigInt(value);
}

/** Returns the operands as whole numbers if GNU `seq` takes them so. */
function wholeNumbers(
  first: SeqNumber,
  step: SeqNumber,
  last: SeqNumber,
  { digits, between }: { readonly digits: boolean; readonly between: number },
): CountPlan | undefined {
  const isWhole = ({ precision, value }: SeqNumber): boolean =>
    precision === 0 && value >= 0 && !Object.is(value, -0);
  if (!isWhole(first) || !isWhole(step) || !isWhole(last)) return undefined;
  if (first.value === Infinity || step.value > 200) return undefined;
  const by = BigInt(Math.trunc(step.value));
  if (digits) return { first: BigInt(first.text), step: by, last: BigInt(last.text), between };
  const end = last.value === Infinity ? undefined : BigInt(Math.trunc(last.value));
  return { first: BigInt(Math.trunc(first.value)), step: by, last: end, between };
}

/** The command `seq`; see {@linkcode Builtin}. */
export const seq: Builtin = builtinOf(
  command,
  readSettings,
  (settings, io) => settings.whole === undefined ? calculate(settings, io) : count(settings.whole),
);

async function* calculate(settings: Settings, io: BuiltinIo): AsyncGenerator<Chunk, number, void> {
  const { first, step, last, equalWidth } = settings;
  const separator = utf8(settings.separator);
  const format = settings.format ?? defaultFormat(first, step, last, equalWidth);
  const [prefix, suffix] = [utf8(format.prefix), utf8(format.suffix)];
  const wide = isWide(format);
  const out = new LineOutput();
  let any = false;
  for (const number of numbers(settings, format)) {
    if (isTooWide(format)) {
      io.warn("seq: write error: Value too large for defined data type");
      return 1;
    }
    if (any) out.put(separator);
    any = true;
    if (wide) {
      out.put(prefix);
      putWide(out, number, format);
      out.put(suffix);
    } else out.putText(number);
    while (out.full) yield out.take();
  }
  if (any) out.putByte(10);
  while (out.length > 0) yield out.take();
  return 0;
}

/** Returns the numbers as texts. Prefix and suffix are included, except for a wide format. */
function numbers(settings: Settings, format: SeqFormat): Iterable<string> {
  if (isWide(format)) return calculatedNumbers(settings, format);
  if (settings.format === undefined && format.letter === "f") {
    const scaled = scaledNumbers(settings, format);
    if (scaled !== undefined) return scaled;
  }
  return calculatedNumbers(settings, format);
}

async function* count(plan: CountPlan): AsyncGenerator<Chunk, number, void> {
  yield* countUp(plan);
  return 0;
}

/** Numbers calculated as doubles. */
function* calculatedNumbers(
  { first, step, last }: Settings,
  format: SeqFormat,
): Generator<string, void, void> {
  const end = last.value;
  const past = (x: number): boolean => step.value < 0 ? x < end : x > end;
  if (past(first.value)) return;
  const wide = isWide(format);
  const { prefix, suffix } = wide ? { prefix: "", suffix: "" } : format;
  const shape = wide ? narrowed(format) : format;
  let shown = formatFloat(first.value, shape);
  yield prefix + shown + suffix;
  for (let i = 1;; i++) {
    const x = first.value + step.value * i;
    const text = formatFloat(x, shape);
    if (past(x)) {
      // A rounding error must not drop the last number.
      const read = parseDouble(text);
      const equal = read.length === text.trimEnd().length && read.value === end;
      if (equal && text !== shown) yield prefix + text + suffix;
      return;
    }
    shown = text;
    yield prefix + text + suffix;
  }
}

/** Largest whole number in calculations here. */
const EXACT = 2 ** 51;

/**
 * Calculates numbers with a fixed number of decimals as whole numbers: fast and without rounding.
 * `undefined` if they do not fit.
 */
function scaledNumbers(settings: Settings, format: SeqFormat): Iterable<string> | undefined {
  const { first, step, last } = settings;
  const shown = format.precision ?? 0;
  const places = Math.max(shown, last.precision);
  if (places > 15) return undefined;
  const start = scale(first.text, places);
  const by = scale(step.text, places);
  const end = scale(last.text, places);
  if (start === undefined || by === undefined || end === undefined || by === 0) return undefined;
  const unit = 10 ** (places - shown);
  function* generate(): Generator<string, void, void> {
    const { width } = format;
    for (let i = 0;; i++) {
      const x = (start as number) + i * (by as number);
      if ((by as number) < 0 ? x < (end as number) : x > (end as number)) return;
      let text = String(Math.abs(x) / unit);
      if (shown > 0) {
        text = text.padStart(shown + 1, "0");
        text = `${text.slice(0, -shown)}.${text.slice(-shown)}`;
      }
      const sign = x < 0 || (i === 0 && Object.is(first.value, -0)) ? "-" : "";
      yield sign + text.padStart(width - sign.length, "0");
    }
  }
  return generate();
}

/**
 * Returns a decimal number times 10 to the power of `places`; `undefined` unless that is a whole
 * number that can be added exactly.
 */
function scale(text: string, places: number): number | undefined {
  const match = /^(-?)(\d*)\.?(\d*)$/.exec(text);
  if (match === null) return undefined;
  const [, sign, whole = "", fraction = ""] = match;
  const value = Number(whole + fraction.padEnd(places, "0"));
  if (fraction.length > places || value >= EXACT) return undefined;
  return sign === "-" ? -value : value;
}
