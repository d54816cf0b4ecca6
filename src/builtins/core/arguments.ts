import { InvalidArgument } from "./command.ts";
import { UINTMAX } from "./number.ts";
import { quote } from "../text/mod.ts";

/** Largest value of C's `intmax_t`. */
export const INTMAX = 2n ** 63n - 1n;

/** C's `strerror` texts for a number that cannot be used. */
const OVERFLOW = "Value too large for defined data type";
const RANGE = "Numerical result out of range";
/**
 * From half of C's `INT_MAX` on, gnulib reports an overflow of the type instead of a number out of
 * range.
 */
const NEAR = 2n ** 30n - 1n;

/** The value of a decimal argument, as `strtoumax` reads it; `undefined` if it is not a number. */
export function readDecimal(text: string, signed = false): bigint | undefined {
  const match = /^[ \t\n\v\f\r]*([+-]?)([0-9]+)$/.exec(text);
  if (match === null || (match[1] === "-" && !signed)) return undefined;
  const value = BigInt(match[2] ?? "0");
  return match[1] === "-" ? -value : value;
}

/** Bounds for {@linkcode readBounded}. */
export interface Bounds {
  readonly min: bigint;
  readonly max: bigint;
  /** True if the type is signed, so that a minus sign is allowed. */
  readonly signed?: boolean;
}

/**
 * Reads a decimal number between bounds. Errors have the messages of gnulib's `xdectoumax` after
 * the prefix `what`.
 *
 * @throws {InvalidArgument} When it is not a number or out of bounds.
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
