/** A conversion of C's `printf`: `%-08.3f`. */
export interface Conversion {
  /** The flags among `-+ #0'` and `I`. */
  readonly flags: string;
  /** The least number of bytes. */
  readonly width: number;
  /** `undefined` if not given. */
  readonly precision: number | undefined;
  /** The letter. */
  readonly letter: string;
}

/** Pads to the width, with zeros between sign and digits if the flags ask for it. */
export function pad(
  sign: string,
  digits: string,
  { flags, width }: Conversion,
  zeros = true,
): string {
  const room = width - sign.length - digits.length;
  if (room <= 0) return sign + digits;
  if (flags.includes("-")) return sign + digits + " ".repeat(room);
  if (zeros && flags.includes("0")) return sign + "0".repeat(room) + digits;
  return " ".repeat(room) + sign + digits;
}

function signOf(negative: boolean, flags: string): string {
  return negative ? "-" : flags.includes("+") ? "+" : flags.includes(" ") ? " " : "";
}

/** Formats a whole number: `d i o u x X`. */
export function formatInteger(value: bigint, conversion: Conversion): string {
  const { flags, letter, precision } = conversion;
  const negative = value < 0n;
  const size = negative ? -value : value;
  const base = letter === "o" ? 8 : letter === "x" || letter === "X" ? 16 : 10;
  let digits = precision === 0 && size === 0n ? "" : size.toString(base);
  if (letter === "X") digits = digits.toUpperCase();
  digits = digits.padStart(precision ?? 0, "0");
  if (letter === "d" || letter === "i") {
    return pad(signOf(negative, flags), digits, conversion, precision === undefined);
  }
  let prefix = "";
  if (flags.includes("#")) {
    if (base === 8 && !digits.startsWith("0")) digits = `0${digits}`;
    if (base === 16 && size !== 0n) prefix = `0${letter}`;
  }
  return pad(prefix, digits, conversion, precision === undefined);
}

/** A number of at least 0: `mantissa * 2 ** exponent`. */
interface Exact {
  readonly mantissa: bigint;
  readonly exponent: number;
}

const view = new DataView(new ArrayBuffer(8));
const FRACTION_BITS = 52n;

function exactly(size: number): Exact {
  view.setFloat64(0, size);
  const bits = view.getBigUint64(0);
  const biased = Number(bits >> FRACTION_BITS);
  const fraction = BigInt.asUintN(Number(FRACTION_BITS), bits);
  return biased === 0
    ? { mantissa: fraction, exponent: -1074 }
    : { mantissa: fraction | 1n << FRACTION_BITS, exponent: biased - 1075 };
}

/** Divides and rounds to the nearest whole number, halves to even ones. */
function divideRounded(dividend: bigint, divisor: bigint): bigint {
  const quotient = dividend / divisor;
  const twice = (dividend - quotient * divisor) * 2n;
  return twice > divisor || (twice === divisor && (quotient & 1n) === 1n)
    ? quotient + 1n
    : quotient;
}

/** Formats a number: `a A e E f F g G`. A NaN has no sign. */
export function formatFloat(number: number, conversion: Conversion): string {
  const { flags, letter, precision } = conversion;
  const upper = letter < "a";
  const sign = signOf(number < 0 || Object.is(number, -0), flags);
  if (!Number.isFinite(number)) {
    const word = Number.isNaN(number) ? "nan" : "inf";
    return pad(sign, upper ? word.toUpperCase() : word, conversion, false);
  }
  const value = exactly(Math.abs(number));
  let digits: string;
  switch (letter.toLowerCase()) {
    case "a": {
      const text = hexadecimal(value, precision, flags);
      const zeros = pad(`${sign}${upper ? "0X" : "0x"}`, text.slice(2), conversion);
      return upper ? zeros.toUpperCase() : zeros;
    }
    case "e":
      digits = scientific(value, precision ?? 6, flags.includes("#"));
      break;
    case "g":
      digits = general(value, precision ?? 6, flags.includes("#"));
      break;
    default:
      digits = fixed(value, precision ?? 6, flags.includes("#"));
  }
  return pad(sign, upper ? digits.toUpperCase() : digits, conversion);
}

/** Returns the number times `10 ** power`, rounded to a whole number. */
function scaled({ mantissa, exponent }: Exact, power: number): bigint {
  let numerator = mantissa;
  let denominator = 1n;
  if (power >= 0) numerator *= 10n ** BigInt(power);
  else denominator *= 10n ** BigInt(-power);
  if (exponent >= 0) numerator <<= BigInt(exponent);
  else denominator <<= BigInt(-exponent);
  return divideRounded(numerator, denominator);
}

function point(whole: string, fraction: string, always: boolean): string {
  return fraction !== "" || always ? `${whole}.${fraction}` : whole;
}

function fixed(value: Exact, precision: number, always: boolean): string {
  // All digits after the first 1,074 are zeros.
  const exact = Math.min(precision, 1074);
  const text = scaled(value, exact).toString().padStart(exact + 1, "0");
  const at = text.length - exact;
  return point(text.slice(0, at), text.slice(at) + "0".repeat(precision - exact), always);
}

/** Returns the first `count` decimal digits, and the power of ten of the first one. */
function significant(value: Exact, count: number): { digits: string; power: number } {
  if (value.mantissa === 0n) return { digits: "0".repeat(count), power: 0 };
  const size = value.mantissa.toString(2).length + value.exponent;
  let power = Math.floor((size - 1) * Math.LOG10E * Math.LN2);
  for (;;) {
    const digits = scaled(value, count - 1 - power).toString();
    if (digits.length === count) return { digits, power };
    // The estimate was one too low, or rounding has added a digit.
    power += digits.length > count ? 1 : -1;
  }
}

function exponentOf(power: number): string {
  return `e${power < 0 ? "-" : "+"}${String(Math.abs(power)).padStart(2, "0")}`;
}

function scientific(value: Exact, precision: number, always: boolean): string {
  const { digits, power } = significant(value, precision + 1);
  return point(digits.slice(0, 1), digits.slice(1), always) + exponentOf(power);
}

function general(value: Exact, precision: number, alternate: boolean): string {
  const count = Math.max(1, precision);
  const { digits, power } = significant(value, count);
  const trim = (text: string): string => alternate ? text : text.replace(/\.?0+$/, "");
  if (power < -4 || power >= count) {
    const text = point(digits.slice(0, 1), digits.slice(1), alternate);
    return (digits.length > 1 ? trim(text) : text) + exponentOf(power);
  }
  const text = fixed(value, count - 1 - power, alternate);
  return text.includes(".") ? trim(text) : text;
}

/**
 * Formats as glibc does a `long double`: the first hexadecimal digit has four bits of the mantissa.
 */
function hexadecimal(value: Exact, precision: number | undefined, flags: string): string {
  let { mantissa, exponent } = value;
  if (mantissa === 0n) {
    return `0x${point("0", "0".repeat(precision ?? 0), flags.includes("#"))}p+0`;
  }
  const shift = 64 - mantissa.toString(2).length;
  mantissa <<= BigInt(shift);
  exponent += 60 - shift;
  if (precision !== undefined && precision < 15) {
    const drop = BigInt(4 * (15 - precision));
    mantissa = divideRounded(mantissa, 1n << drop) << drop;
    if (mantissa >= 1n << 64n) {
      mantissa >>= 4n;
      exponent += 4;
    }
  }
  const digits = mantissa.toString(16);
  const fraction = precision === undefined
    ? digits.slice(1).replace(/0+$/, "")
    : digits.slice(1).slice(0, precision).padEnd(precision, "0");
  const text = point(digits.slice(0, 1), fraction, flags.includes("#"));
  return `0x${text}p${exponent < 0 ? "-" : "+"}${Math.abs(exponent)}`;
}
