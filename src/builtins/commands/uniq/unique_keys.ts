/** Settings of `uniq`. */
export interface UniqueSettings {
  readonly skipFields: number;
  readonly skipChars: number;
  readonly checkChars: number;
  readonly ignoreCase: boolean;
  readonly separator: number;
  /** True to print the number of lines before each line. */
  readonly count: boolean;
  /** True to print lines that are not repeated. */
  readonly singles: boolean;
  /** True to print lines that are repeated. */
  readonly repeated: boolean;
  /** True to print all lines of a group, not only the first. */
  readonly all: boolean;
  /** True if lines that are not repeated are groups, too. */
  readonly allGroups: boolean;
  /** True for empty lines before each group, between two, after the last. */
  readonly before: boolean;
  readonly between: boolean;
  readonly after: boolean;
}

/** The byte as which each letter is compared with `-i`: its capital. */
const FOLDED: Uint8Array = Uint8Array.from(
  { length: 256 },
  (_, byte) => byte >= 97 && byte <= 122 ? byte - 32 : byte,
);

/** Returns the start of the part of a line that is compared. */
export function keyStartOf(
  block: Uint8Array,
  start: number,
  end: number,
  { skipFields, skipChars }: UniqueSettings,
): number {
  let at = start;
  for (let field = 0; field < skipFields && at < end; field++) {
    while (at < end && isBlank(block[at])) at++;
    while (at < end && !isBlank(block[at])) at++;
  }
  return Math.min(end, at + skipChars);
}

/** True if `size` bytes are the same in both places. */
export function sameBytes(
  a: Uint8Array,
  aStart: number,
  b: Uint8Array,
  bStart: number,
  size: number,
  ignoreCase: boolean,
): boolean {
  for (let i = 0; i < size; i++) {
    const one = a[aStart + i] as number;
    const other = b[bStart + i] as number;
    if (one !== other && !(ignoreCase && FOLDED[one] === FOLDED[other])) return false;
  }
  return true;
}

/** Space, tab, and the newline that `-z` allows within a line. */
function isBlank(byte: number | undefined): boolean {
  return byte === 32 || byte === 9 || byte === 10;
}
