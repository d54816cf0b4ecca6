/**
 * Numbers as C's `long double` has them on x86-64, with a mantissa of 64 bits. GNU's `seq` and
 * `printf` calculate with them, and their output depends on its rounding.
 */
export interface LongDouble {
  readonly kind: "finite" | "infinite" | "nan";
  readonly negative: boolean;
  /** The value is `mantissa * 2 ** exponent`. */
  readonly mantissa: bigint;
  readonly exponent: number;
}

/** Bits of a mantissa. */
const PRECISION = 64;
/** The smallest exponent of a mantissa's last bit, and the largest. */
const LEAST = -16445;
const MOST = 16384 - PRECISION;

/** Zero. */
export const ZERO: LongDouble = { kind: "finite", negative: false, mantissa: 0n, exponent: 0 };

function bits(value: bigint): number {
  return value === 0n ? 0 : value.toString(16).length * 4 -
    Math.clz32(Number.parseInt(value.toString(16).slice(0, 1), 16)) + 28;
}

/** Divides and rounds to the nearest whole number, halves to even ones. */
export function divideRounded(dividend: bigint, divisor: bigint): bigint {
  const quotient = dividend / divisor;
  const twice = (dividend - quotient * divisor) * 2n;
  return twice > divisor || (twice === divisor && (quotient & 1n) === 1n)
    ? quotient + 1n
    : quotient;
}

/** The nearest number to `numerator / denominator * 2 ** exponent`. */
function nearest(
  negative: boolean,
  numerator: bigint,
  denominator: bigint,
  exponent: number,
): LongDouble {
  if (numerator === 0n) return { ...ZERO, negative };
  let shift = PRECISION - (bits(numerator) - bits(denominator));
  for (;;) {
    let last = exponent - shift;
    if (last < LEAST) [shift, last] = [exponent - LEAST, LEAST];
    const mantissa = shift >= 0
      ? divideRounded(numerator << BigInt(shift), denominator)
      : divideRounded(numerator, denominator << BigInt(-shift));
    const size = bits(mantissa);
    if (size > PRECISION) {
      shift--;
      continue;
    }
    if (mantissa !== 0n && last + size > MOST + PRECISION) {
      return { kind: "infinite", negative, mantissa: 0n, exponent: 0 };
    }
    return { kind: "finite", negative, mantissa, exponent: last };
  }
}

/** What {@linkcode parseLongDouble} found at the start of a text. */
export interface ParsedLongDouble {
  readonly value: LongDouble;
  /** How many characters of the text make the number; 0 if there is none. */
  readonly length: number;
  /** Whether the number is too large, or too small to be held in full precision. */
  readonly outOfRange: boolean;
}

/** Digits of an exponent that are read; with more the number is infinite or 0 in any case. */
const FAR = 99999;

/** Reads a number as C's `strtold` does in the C locale: decimal, hexadecimal, `inf` and `nan`. */
export function parseLongDouble(text: string): ParsedLongDouble {
  const [space = ""] = /^[ \t\n\v\f\r]*/.exec(text) ?? [];
  const rest = text.slice(space.length);
  const found = (match: RegExpExecArray, value: LongDouble): ParsedLongDouble => ({
    value,
    length: space.length + match[0].length,
    outOfRange: value.kind === "infinite",
  });
  const hex = /^([+-]?)0[xX](?=\.?[0-9a-fA-F])([0-9a-fA-F]*)\.?([0-9a-fA-F]*)(?:[pP]([+-]?\d+))?/
    .exec(rest);
  if (hex !== null) {
    const [, sign, whole = "", fraction = "", power = "0"] = hex;
    const exponent = clamp(power) - 4 * fraction.length;
    return found(hex, nearest(sign === "-", BigInt(`0x0${whole}${fraction}`), 1n, exponent));
  }
  const decimal = /^([+-]?)(?=\.?\d)(\d*)\.?(\d*)(?:[eE]([+-]?\d+))?/.exec(rest);
  if (decimal !== null) {
    const [, sign, whole = "", fraction = "", power = "0"] = decimal;
    const digits = BigInt(whole + fraction);
    const exponent = clamp(power) - fraction.length;
    const negative = sign === "-";
    if (digits === 0n) return found(decimal, { ...ZERO, negative });
    // Far outside the range the result is known without computing a power of ten.
    const size = whole.replace(/^0+/, "").length + clamp(power);
    if (size > 5000) {
      return found(decimal, { kind: "infinite", negative, mantissa: 0n, exponent: 0 });
    }
    if (size < -6000 - fraction.length) {
      return { ...found(decimal, { ...ZERO, negative }), outOfRange: true };
    }
    const value = exponent >= 0
      ? nearest(negative, digits * 10n ** BigInt(exponent), 1n, 0)
      : nearest(negative, digits, 10n ** BigInt(-exponent), 0);
    const tiny = value.exponent === LEAST && bits(value.mantissa) < PRECISION;
    return { ...found(decimal, value), outOfRange: tiny || value.kind === "infinite" };
  }
  const word = /^([+-]?)(inf(?:inity)?|nan(?:\([A-Za-z0-9_]*\))?)/i.exec(rest);
  if (word === null) return { value: ZERO, length: 0, outOfRange: false };
  const kind = /^n/i.test(word[2] ?? "") ? "nan" : "infinite";
  const value = { ...ZERO, kind, negative: word[1] === "-" } as const;
  return { ...found(word, value), outOfRange: false };
}

function clamp(power: string): number {
  return Math.max(-FAR, Math.min(FAR, Number(power)));
}

/** The number nearest to an integer. */
export function fromInteger(value: bigint): LongDouble {
  return value < 0n ? nearest(true, -value, 1n, 0) : nearest(false, value, 1n, 0);
}

function signed({ negative, mantissa }: LongDouble): bigint {
  return negative ? -mantissa : mantissa;
}

/** The sum of two numbers, rounded. */
export function add(a: LongDouble, b: LongDouble): LongDouble {
  if (a.kind !== "finite" || b.kind !== "finite") {
    // Processors of this kind give the result with the sign bit set.
    const opposite = a.kind === "infinite" && b.kind === "infinite" && a.negative !== b.negative;
    if (opposite) return { ...ZERO, kind: "nan", negative: true };
    if (a.kind === "nan" || (b.kind !== "nan" && a.kind !== "finite")) return a;
    return b;
  }
  const exponent = Math.min(a.exponent, b.exponent);
  const sum = (signed(a) << BigInt(a.exponent - exponent)) +
    (signed(b) << BigInt(b.exponent - exponent));
  if (sum === 0n) return { ...ZERO, negative: a.negative && b.negative };
  return nearest(sum < 0n, sum < 0n ? -sum : sum, 1n, exponent);
}

/** A number times an integer of at least 0, rounded. */
export function multiply(a: LongDouble, times: bigint): LongDouble {
  if (a.kind !== "finite") return a;
  return nearest(a.negative, a.mantissa * times, 1n, a.exponent);
}

/** Compares two numbers, none of them `nan`: less than, equal to or greater than 0. */
export function compare(a: LongDouble, b: LongDouble): number {
  const rank = (x: LongDouble): number => x.kind === "finite" ? 0 : x.negative ? -1 : 1;
  if (rank(a) !== 0 || rank(b) !== 0) return rank(a) - rank(b);
  const exponent = Math.min(a.exponent, b.exponent);
  const difference = (signed(a) << BigInt(a.exponent - exponent)) -
    (signed(b) << BigInt(b.exponent - exponent));
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}

/** The integer part of a finite number. */
export function toInteger(value: LongDouble): bigint {
  const { exponent } = value;
  const whole = signed(value);
  return exponent >= 0 ? whole << BigInt(exponent) : whole / (1n << BigInt(-exponent));
}
