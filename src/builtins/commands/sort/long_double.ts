/**
 * Decimal numbers with up to so many digits are told apart by C's `long double` (LDBL_DIG), so
 * that their decimals may be compared instead.
 */
export const EXACT_DIGITS = 18;

const MANTISSA_BITS = 64;

/**
 * Rounds the number 0.DIGITS x 10^exponent to a `long double` of x86 (64 bits of mantissa) and
 * gives it as digits and exponent again: the decimal number of up to 18 digits that rounds to the
 * same one, if there is one, so that equal numbers are equal texts.
 */
export function roundDecimal(digits: string, exponent: number): [string, number] {
  const [mantissa, power] = round(digits, exponent);
  const short = shorten(digits, exponent);
  const [otherMantissa, otherPower] = round(...short);
  if (mantissa === otherMantissa && power === otherPower) return short;
  // Its exact decimal expansion.
  const scaled = power >= 0 ? mantissa << BigInt(power) : mantissa * 5n ** BigInt(-power);
  const text = scaled.toString();
  return [text.replace(/0+$/, ""), text.length + Math.min(0, power)];
}

/** Rounds to 18 decimal digits. */
function shorten(digits: string, exponent: number): [string, number] {
  const up = (digits[EXACT_DIGITS] ?? "0") >= "5" ? 1n : 0n;
  const text = (BigInt(digits.slice(0, EXACT_DIGITS)) + up).toString();
  return [text.replace(/0+$/, ""), exponent + text.length - EXACT_DIGITS];
}

/** The nearest mantissa x 2^power, ties to even. */
function round(digits: string, exponent: number): [bigint, number] {
  const scale = exponent - digits.length;
  let top = BigInt(digits);
  let bottom = 1n;
  if (scale >= 0) top *= 10n ** BigInt(scale);
  else bottom = 10n ** BigInt(-scale);
  let power = bits(top) - bits(bottom) - MANTISSA_BITS;
  const divide = (): [bigint, bigint, bigint] => {
    const over = power >= 0 ? bottom << BigInt(power) : bottom;
    const under = power >= 0 ? top : top << BigInt(-power);
    return [under / over, under % over, over];
  };
  let [quotient, rest, over] = divide();
  if (bits(quotient) > MANTISSA_BITS) {
    power++;
    [quotient, rest, over] = divide();
  } else if (bits(quotient) < MANTISSA_BITS) {
    power--;
    [quotient, rest, over] = divide();
  }
  const half = rest * 2n;
  if (half > over || (half === over && (quotient & 1n) === 1n)) quotient++;
  if (bits(quotient) > MANTISSA_BITS) {
    quotient >>= 1n;
    power++;
  }
  return [quotient, power];
}

function bits(value: bigint): number {
  return value.toString(2).length;
}
