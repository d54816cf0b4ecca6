import { InvalidArgument } from "./command.ts";
import { UINTMAX } from "./number.ts";
import { quote } from "../text/mod.ts";

/** Largest value of C's `intmax_t`. */
export const INTMAX = 2n ** 63n - 1n;

/** Why a number in an option's argument cannot be used, as C's `strerror` says it. */
const OVERFLOW = "Value too large for defined data type";
const RANGE = "Numerical result out of range";
/**
 * Beyond this number, half of C's `INT_MAX`, gnulib reports an overflow of the type instead of a
 * number out of range.
 */
const NEAR = 2n ** 30n - 1n;

/** The number that a whole argument stands for, as `strtoumax` reads it; `undefined` if it is none. */
export function readDecimal(text: string, signed = false): bigint | undefined {
  const match = /^[ \t\n\v\f\r]*([+-]?)([0-9]+)$/.exec(text);
  if (match === null || (match[1] === "-" && !signed)) return undefined;
  const value = BigInt(match[2] ?? "0");
  return match[1] === "-" ? -value : value;
}

/** How {@linkcode readBounded} reads a number. */
export interface Bounds {
  readonly min: bigint;
  readonly max: bigint;
  /** Whether the type is signed, so that a minus sign is allowed. */
  readonly signed?: boolean;
}

/**
 * Reads a decimal number between bounds, with the messages of gnulib's `xdectoumax`, which begin
 * with `what`.
 *
 * @throws {InvalidArgument} When it is no number or out of bounds.
 */
export function readBounded(text: string, what: string, bounds: Bounds): bigint {
  const { min, max, signed = false } = bounds;
  const value = readDecimal(text, signed);
  if (value === undefined) throw new InvalidArgument(`${what}: ${quote(text)}`);
  if (value >= min && value <= max) return value;
  const overflows = value > UINTMAX || (signed && value > INTMAX) ||
    value > NEAR || value < -NEAR - 1n;
  const why = overflows ? OVERFLOW : RANGE;
  throw new InvalidArgument(`${what}: ${quote(text)}: ${why}`);
}
