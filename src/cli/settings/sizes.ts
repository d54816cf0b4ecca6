/** Describes for messages the sizes that {@linkcode parseSize} accepts. */
export const SIZES = "a number of bytes, such as 1048576, 64K, 20M or 1G";

/**
 * K, M, G and T are powers of 1024, as for `head -c` and `ls -h`; KB and so on are powers of 1000.
 */
const POWERS = "KMGT";

/**
 * Reads a size. Digits alone are bytes; `64K`, `20M`, `1G`, `1T` and `20MiB` use powers of 1024,
 * `20MB` of 1000. Case does not matter. `undefined` for anything else, and for more bytes than a
 * number holds exactly.
 */
export function parseSize(text: string): number | undefined {
  const [, digits, letter, rest = ""] = /^(\d+)(?:([KMGT])(i?B)?|B)?$/i.exec(text) ?? [];
  if (digits === undefined) return undefined;
  const power = letter === undefined ? 0 : POWERS.indexOf(letter.toUpperCase()) + 1;
  const bytes = Number(digits) * (rest.length === 1 ? 1000 : 1024) ** power;
  return Number.isSafeInteger(bytes) ? bytes : undefined;
}
