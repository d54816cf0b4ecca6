/** Describes for messages the text that {@linkcode parseSize} accepts. */
export const SIZES = "a number of bytes, such as 1048576, 64K, 20M or 1G";

/** K, M, G and T count in 1024s, as for `head -c` and `ls -h`; KB and so on in 1000s. */
const POWERS = "KMGT";

/**
 * Reads a size: digits alone are bytes, `64K`, `20M`, `1G`, `1T` and `20MiB` count in 1024s, `20MB`
 * in 1000s. Upper and lower case mean the same. `undefined` for anything else, and for more bytes
 * than can be counted exactly.
 */
export function parseSize(text: string): number | undefined {
  const [, digits, letter, rest = ""] = /^(\d+)(?:([KMGT])(i?B)?|B)?$/i.exec(text) ?? [];
  if (digits === undefined) return undefined;
  const power = letter === undefined ? 0 : POWERS.indexOf(letter.toUpperCase()) + 1;
  const bytes = Number(digits) * (rest.length === 1 ? 1000 : 1024) ** power;
  return Number.isSafeInteger(bytes) ? bytes : undefined;
}
