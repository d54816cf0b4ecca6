import type { Conversion } from "./format_number.ts";
import type { LineOutput } from "./line_output.ts";
import { utf8 } from "./output.ts";

/** Most digits of any number; all that follow are zeros. */
const MOST_DIGITS = 20_000;
/** Widest field and longest precision of C's `printf`, in bytes. */
const WIDEST = 2 ** 31 - 33;

/** True if C's `printf` refuses a conversion, because its result is longer than it can count. */
export function isTooWide({ width, precision = 0 }: Conversion): boolean {
  return width > WIDEST || precision > WIDEST;
}

/** True if the result of a conversion may be too long for a text in memory. */
export function isWide({ width, precision = 0 }: Conversion): boolean {
  return width > MOST_DIGITS || precision > MOST_DIGITS;
}

/** Returns the conversion without the padding that {@linkcode putWide} adds. */
export function narrowed(conversion: Conversion): Conversion {
  const { precision } = conversion;
  return {
    ...conversion,
    width: 0,
    precision: precision === undefined ? undefined : Math.min(precision, MOST_DIGITS),
  };
}

/**
 * Writes a number of any width. `text` is the number as the conversion of {@linkcode narrowed}
 * formats it.
 */
export function putWide(out: LineOutput, text: string, conversion: Conversion): void {
  const { flags, letter, width, precision } = conversion;
  const { at, times } = zeros(text, conversion);
  const room = Math.max(0, width - text.length - times);
  const left = flags.includes("-");
  const whole = "diouxX".includes(letter);
  const filled = !left && flags.includes("0") && isFinite(text) &&
    !(whole && precision !== undefined);
  const head = headOf(text);
  if (!left && !filled) out.repeat(32, room);
  out.put(utf8(text.slice(0, head)));
  if (filled) out.repeat(48, room);
  out.put(utf8(text.slice(head, at)));
  out.repeat(48, times);
  out.put(utf8(text.slice(at)));
  if (left) out.repeat(32, room);
}

function isFinite(text: string): boolean {
  return /\d/.test(text);
}

/** Returns the length of the sign and of `0x`. */
function headOf(text: string): number {
  return /^[-+ ]?(?:0[xX])?/.exec(text)?.[0].length ?? 0;
}

/**
 * Returns how many zeros the precision adds to those in the text, and the offset where they belong.
 */
function zeros(text: string, conversion: Conversion): { at: number; times: number } {
  const { flags, letter, precision = 0 } = conversion;
  const times = precision - MOST_DIGITS;
  const whole = "diouxX".includes(letter);
  const trimmed = "gG".includes(letter) && !flags.includes("#");
  if (times <= 0 || trimmed || !isFinite(text)) return { at: headOf(text), times: 0 };
  if (whole) return { at: headOf(text), times };
  const exponent = text.search("aA".includes(letter) ? /p/i : /e/i);
  return { at: exponent < 0 ? text.length : exponent, times };
}
