/** Significant digits to begin with, and those that always suffice. */
interface Digits {
  readonly first: number;
  readonly last: number;
}

const FLOAT: Digits = { first: 6, last: 9 };
const DOUBLE: Digits = { first: 15, last: 17 };
const LONG_DOUBLE: Digits = { first: 18, last: 21 };

/** Writes digits with the decimal exponent of the first as C's `%g` does. */
function general(digits: string, exponent: number): string {
  const precision = digits.length;
  const kept = digits.replace(/0+$/, "") || "0";
  if (exponent < -4 || exponent >= precision) {
    const sign = exponent < 0 ? "-" : "+";
    const power = String(Math.abs(exponent)).padStart(2, "0");
    return `${kept[0]}${kept.length > 1 ? `.${kept.slice(1)}` : ""}e${sign}${power}`;
  }
  if (exponent < 0) return `0.${"0".repeat(-exponent - 1)}${kept}`;
  const whole = kept.slice(0, exponent + 1).padEnd(exponent + 1, "0");
  const fraction = kept.slice(exponent + 1);
  return fraction === "" ? whole : `${whole}.${fraction}`;
}

/** More digits that tell a tie from what is near one. */
const EXTRA = 30;

function shortest(
  value: number,
  { first, last }: Digits,
  smallest: number,
  same: (text: string) => boolean,
): string {
  const size = Math.abs(value);
  let precision = size < smallest ? 1 : first;
  while (precision < last && !same(size.toExponential(precision - 1))) precision++;
  const [mantissa = "", exponent = "0"] = size.toExponential(precision - 1).split("e");
  const [longer = "", power = "0"] = size.toExponential(precision + EXTRA).split("e");
  const digits = longer.replace(".", "");
  // JavaScript rounds a tie up, C to the even digit.
  if (/^50*$/.test(digits.slice(precision)) && Number(digits[precision - 1]) % 2 === 0) {
    return general(digits.slice(0, precision), Number(power));
  }
  return general(mantissa.replace(".", ""), Number(exponent));
}

function special(value: number, negative: boolean): string | undefined {
  const sign = negative ? "-" : "";
  if (Number.isNaN(value)) return `${sign}nan`;
  if (!Number.isFinite(value)) return `${sign}inf`;
  return value === 0 ? `${sign}0` : undefined;
}

/** The shortest decimal number that reads back as the 4-byte float at `at`. */
export function floatText(view: DataView, at: number, little: boolean): string {
  const value = view.getFloat32(at, little);
  const negative = view.getUint32(at, little) >>> 31 === 1;
  const size = Math.abs(value);
  return special(value, negative) ??
    (negative ? "-" : "") +
      shortest(value, FLOAT, 2 ** -126, (text) => Math.fround(Number(text)) === size);
}

/** The shortest decimal number that reads back as the 8-byte float at `at`. */
export function doubleText(view: DataView, at: number, little: boolean): string {
  const value = view.getFloat64(at, little);
  const negative = view.getUint8(at + (little ? 7 : 0)) >> 7 === 1;
  const size = Math.abs(value);
  return special(value, negative) ?? (negative ? "-" : "") + shortestDouble(size);
}

const SMALLEST_NORMAL = 2 ** -1022;
/** Sizes of all numbers that have 17 or 18 decimal digits and no more, with much to spare. */
const TIES = { from: 1e-12, to: 1e45 };

function shortestDouble(size: number): string {
  const [mantissa = "", exponent = "0"] = size.toExponential().split("e");
  const digits = mantissa.replace(".", "");
  // JavaScript has the shortest digits at hand; only ties it may round otherwise.
  if (digits.length > DOUBLE.first && size > TIES.from && size < TIES.to) {
    return shortest(size, DOUBLE, SMALLEST_NORMAL, (text) => Number(text) === size);
  }
  const precise = size < SMALLEST_NORMAL ? digits : digits.padEnd(DOUBLE.first, "0");
  return general(precise, Number(exponent));
}

/** Where x87's exponent has its zero, with the 63 binary places of the significand. */
const BIAS = 16383 + 63;

/** The shortest decimal number that reads back as x87's 10-byte float in 16 bytes at `at`. */
export function longDoubleText(view: DataView, at: number, little: boolean): string {
  const significand = view.getBigUint64(little ? at : at + 8, little);
  const head = view.getUint16(little ? at + 8 : at + 6, little);
  const sign = head >> 15 === 1 ? "-" : "";
  const biased = head & 0x7fff;
  const integer = significand >> 63n === 1n;
  // Numbers without the integer bit are no numbers to the 80387 and later.
  if (biased === 0x7fff && significand === 1n << 63n) return `${sign}inf`;
  if (biased === 0x7fff || (biased > 0 && !integer)) return `${sign}nan`;
  if (significand === 0n) return `${sign}0`;
  const power = (biased === 0 ? 1 : biased) - BIAS;
  // The value is top / bottom.
  const top = power > 0 ? significand << BigInt(power) : significand;
  const bottom = power < 0 ? 1n << BigInt(-power) : 1n;
  let exponent = Math.floor((significand.toString(2).length - 1 + power) * Math.LOG10E * Math.LN2);
  if (!atLeast(top, bottom, exponent)) exponent--;
  while (atLeast(top, bottom, exponent + 1)) exponent++;
  let precision = biased === 0 ? 1 : LONG_DOUBLE.first;
  for (;; precision++) {
    let digits = rounded(top, bottom, precision - 1 - exponent);
    let first = exponent;
    if (digits.toString().length > precision) {
      digits /= 10n;
      first++;
    }
    if (
      precision >= LONG_DOUBLE.last ||
      readsBack(digits, first - precision + 1, significand, power)
    ) {
      return sign + general(digits.toString(), first);
    }
  }
}

function scaled(value: bigint, power: number): bigint {
  return power > 0 ? value * 10n ** BigInt(power) : value;
}

/** Whether top / bottom is at least 10 to the power of `exponent`. */
function atLeast(top: bigint, bottom: bigint, exponent: number): boolean {
  return scaled(top, -exponent) >= scaled(bottom, exponent);
}

/** top / bottom times 10 to the power of `power`, rounded half to even. */
function rounded(top: bigint, bottom: bigint, power: number): bigint {
  const dividend = scaled(top, power);
  const divisor = scaled(bottom, -power);
  const quotient = dividend / divisor;
  const twice = (dividend % divisor) * 2n;
  const up = twice > divisor || (twice === divisor && (quotient & 1n) === 1n);
  return up ? quotient + 1n : quotient;
}

/** Whether digits times a power of ten round to a significand times a power of two. */
function readsBack(
  digits: bigint,
  tens: number,
  significand: bigint,
  power: number,
): boolean {
  // Both in units of a quarter of the significand's last place, times a common divisor.
  const unit = power - 2;
  let value = scaled(digits, tens);
  let target = scaled(significand * 4n, -tens);
  let step = scaled(1n, -tens);
  if (unit > 0) {
    target <<= BigInt(unit);
    step <<= BigInt(unit);
  } else {
    value <<= BigInt(-unit);
  }
  const distance = value - target;
  const even = (significand & 1n) === 0n;
  // Below a power of two, numbers stand twice as close.
  const below = significand === 1n << 63n ? step : 2n * step;
  const above = 2n * step;
  if (distance >= 0n) return distance < above || (distance === above && even);
  return -distance < below || (-distance === below && even);
}
