/** Letters of C's escapes, by the byte for which each stands; without the backslash's own. */
export const ESCAPE_LETTERS: Readonly<Record<number, string>> = {
  7: "a",
  8: "b",
  9: "t",
  10: "n",
  11: "v",
  12: "f",
  13: "r",
};

/** Bytes for which C's escapes stand, by the byte of the letter after the backslash. */
export const ESCAPED_BYTES: ReadonlyMap<number, number> = new Map(
  Object.entries(ESCAPE_LETTERS).map(([byte, letter]) => [letter.charCodeAt(0), Number(byte)]),
);

/** Writes a byte as an escape of C: `\n` if it has a letter, otherwise in octal: `\033`. */
export function escapeByte(byte: number): string {
  return `\\${ESCAPE_LETTERS[byte] ?? byte.toString(8).padStart(3, "0")}`;
}
