/** The number that {@linkcode parseDouble} found at the start of a text. */
export interface ParsedDouble {
  readonly value: number;
  /** Length of the number in characters; 0 if there is none. */
  readonly length: number;
  /** True if the number is too large, or too small for full precision. */
  readonly outOfRange: boolean;
}

/** Smallest number of full precision. */
const SMALLEST_NORMAL = 2 ** -1022;
const HEX = /^([+-]?)0[xX](?=\.?[0-9a-fA-F])([0-9a-fA-F]*)\.?([0-9a-fA-F]*)(?:[pP]([+-]?\d+))?/;
const DECIMAL = /^[+-]?(?=\.?\d)\d*\.?\d*(?:[eE][+-]?\d+)?/;
const WORD = /^([+-]?)(inf(?:inity)?|nan(?:\([A-Za-z0-9_]*\))?)/i;

/** Reads a number as C's `strtod` does in the C locale: decimal, hexadecimal, `inf` and `nan`. */
export function parseDouble(text: string): ParsedDouble {
  const [space = ""] = /^[ \t\n\v\f\r]*/.exec(text) ?? [];
  const rest = text.slice(space.length);
  const word = WORD.exec(rest);
  if (word !== null) {
    const [all, sign, name = ""] = word;
    const value = /^n/i.test(name) ? NaN : sign === "-" ? -Infinity : Infinity;
    return { value, length: space.length + all.length, outOfRange: false };
  }
  const hex = HEX.exec(rest);
  const [found = ""] = hex ?? DECIMAL.exec(rest) ?? [];
  if (found === "") return { value: 0, length: 0, outOfRange: false };
  const value = hex === null ? Number(found) : readHex(hex);
  const [mantissa = ""] = found.split(hex === null ? /e/i : /p/i, 1);
  const isZero = !/[1-9a-f]/i.test(mantissa.replace(/0x/i, ""));
  const size = Math.abs(value);
  return {
    value,
    length: space.length + found.length,
    outOfRange: size === Infinity || (!isZero && size < SMALLEST_NORMAL),
  };
}

function readHex([, sign, whole = "", fraction = "", power = "0"]: RegExpExecArray): number {
  const exponent = Number(power) - 4 * fraction.length;
  // In two steps: a single power of two may be out of range even if the result is not.
  const half = Math.trunc(exponent / 2);
  const size = Number(BigInt(`0x0${whole}${fraction}`)) * 2 ** half * 2 ** (exponent - half);
  return sign === "-" ? -size : size;
}
