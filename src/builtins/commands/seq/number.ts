import { type Conversion, parseDouble, quote } from "../../text/mod.ts";
import { InvalidArgument } from "../../core/mod.ts";
import { UsageError } from "../../../command_line/mod.ts";

/** An operand of `seq`: its value and its form. */
export interface SeqNumber {
  readonly text: string;
  readonly value: number;
  /** Length of the number when written without exponent. */
  readonly width: number;
  /** Digits after the point; `Infinity` if unknown (hexadecimal fractions). */
  readonly precision: number;
}

/**
 * Reads an operand.
 *
 * @throws {UsageError} If it is not a number.
 */
export function readSeqNumber(operand: string): SeqNumber {
  const { value, length, outOfRange } = parseDouble(operand);
  const refused = outOfRange && value !== 0;
  if (length === 0 || length < operand.length || refused) {
    throw new UsageError(`invalid floating point argument: ${quote(operand)}`);
  }
  if (Number.isNaN(value)) {
    throw new UsageError(`invalid ${quote("not-a-number")} argument: ${quote(operand)}`);
  }
  const text = operand.replace(/^[\s+]+/, "");
  const point = text.indexOf(".");
  let precision = point < 0 && !text.includes("p") ? 0 : Infinity;
  let width = 0;
  if (!/[xX]/.test(text) && Number.isFinite(value)) {
    width = text.length;
    let fraction = 0;
    if (point >= 0) {
      fraction = text.slice(point + 1).search(/[eE]|$/);
      precision = fraction;
      if (fraction === 0) width--;
      else if (!/[0-9]/.test(text[point - 1] ?? "")) width++;
    }
    const e = text.search(/[eE]/);
    if (e >= 0) {
      const exponent = Number(text.slice(e + 1));
      precision += exponent < 0 ? -exponent : -Math.min(precision, exponent);
      width -= text.length - e;
      if (exponent < 0) {
        if (point < 0 || e === point + 1) width++;
        width -= exponent;
      } else {
        if (point >= 0 && precision === 0 && fraction > 0) width--;
        width += exponent - Math.min(fraction, exponent);
      }
    }
  }
  return { text, value, width, precision };
}

/** A format with one conversion and the text around it. */
export interface SeqFormat extends Conversion {
  readonly prefix: string;
  readonly suffix: string;
}

/** Parses the argument of `-f`. */
export function readSeqFormat(format: string): SeqFormat {
  const [prefix = ""] = /^(?:%%|[^%])*/.exec(format) ?? [];
  const rest = format.slice(prefix.length);
  const name = `format ${quote(format)}`;
  if (rest === "") throw new InvalidArgument(`${name} has no % directive`);
  const [head = "", flags = "", width = "", precision] =
    /^%([-+#0 ']*)(\d*)(?:\.(\d*))?L?/.exec(rest) ?? [];
  const letter = rest[head.length];
  if (letter === undefined) throw new InvalidArgument(`${name} ends in %`);
  if (!"efgaEFGA".includes(letter)) {
    throw new InvalidArgument(`${name} has unknown %${letter} directive`);
  }
  const suffix = rest.slice(head.length + 1);
  if (!/^(?:%%|[^%])*$/.test(suffix)) {
    throw new InvalidArgument(`${name} has too many % directives`);
  }
  return {
    prefix: prefix.replaceAll("%%", "%"),
    suffix: suffix.replaceAll("%%", "%"),
    flags,
    width: Number(width),
    precision: precision === undefined ? undefined : Number(precision),
    letter,
  };
}

/** Returns the format for numbers in the form of the operands; `%g` if that is unknown. */
export function defaultFormat(
  first: SeqNumber,
  step: SeqNumber,
  last: SeqNumber,
  equalWidth: boolean,
): SeqFormat {
  const precision = Math.max(first.precision, step.precision);
  const around = { prefix: "", suffix: "" };
  if (precision === Infinity || last.precision === Infinity) {
    return { ...around, flags: "", width: 0, precision: undefined, letter: "g" };
  }
  if (!equalWidth) return { ...around, flags: "", width: 0, precision, letter: "f" };
  let firstWidth = first.width + precision - first.precision;
  let lastWidth = last.width + precision - last.precision;
  if (last.precision > 0 && precision === 0) lastWidth--;
  if (last.precision === 0 && precision > 0) lastWidth++;
  if (first.precision === 0 && precision > 0) firstWidth++;
  const width = Math.max(firstWidth, lastWidth);
  return { ...around, flags: "0", width, precision, letter: "f" };
}
