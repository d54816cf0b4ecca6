/** Number of significant digits to try first, and the number that always suffices. */
interface Digits {
  readonly first: number;
  readonly last: number;
}

const FLOAT: Digits = { first: 6, last: 9 };
const DOUBLE: Digits = { first: 15, last: 17 };

/** Formats digits as `%g` in C does; `exponent` is the decimal exponent of the first. */
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

/** Further digits, to tell a tie from a number near one. */
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
/** Range of all numbers that have just 17 or 18 decimal digits, with a wide margin. */
const TIES = { from: 1e-12, to: 1e45 };

function shortestDouble(size: number): string {
  const [mantissa = "", exponent = "0"] = size.toExponential().split("e");
  const digits = mantissa.replace(".", "");
  // JavaScript's shortest digits are right, except that it may round ties otherwise.
  if (digits.length > DOUBLE.first && size > TIES.from && size < TIES.to) {
    return shortest(size, DOUBLE, SMALLEST_NORMAL, (text) => Number(text) === size);
  }
  const precise = size < SMALLEST_NORMAL ? digits : digits.padEnd(DOUBLE.first, "0");
  return general(precise, Number(exponent));
}
