/** The letters of C's escapes by the byte that each stands for, without that of the backslash. */
export const ESCAPE_LETTERS: Readonly<Record<number, string>> = {
  7: "a",
  8: "b",
  9: "t",
  10: "n",
  11: "v",
  12: "f",
  13: "r",
};

/** The bytes that C's escapes stand for, by the byte of the letter after the backslash. */
export const ESCAPED_BYTES: ReadonlyMap<number, number> = new Map(
  Object.entries(ESCAPE_LETTERS).map(([byte, letter]) => [letter.charCodeAt(0), Number(byte)]),
);

/** Writes a byte as C's escape: `\n` where it has a letter, `\033` where it has none. */
export function escapeByte(byte: number): string {
  return `\\${ESCAPE_LETTERS[byte] ?? byte.toString(8).padStart(3, "0")}`;
}
