/** What `uniq` compares and prints. */
export interface UniqueSettings {
  readonly skipFields: number;
  readonly skipChars: number;
  readonly checkChars: number;
  readonly ignoreCase: boolean;
  readonly separator: number;
  /** Whether the number of lines stands before each. */
  readonly count: boolean;
  /** Whether lines that stand alone are printed. */
  readonly singles: boolean;
  /** Whether lines that are repeated are printed. */
  readonly repeated: boolean;
  /** Whether all lines of a group are printed, not only the first. */
  readonly all: boolean;
  /** Whether lines that stand alone are groups too. */
  readonly allGroups: boolean;
  /** Where empty lines stand: before each group, between two, after the last. */
  readonly before: boolean;
  readonly between: boolean;
  readonly after: boolean;
}

/** What byte a letter is compared as with `-i`: its capital. */
const FOLDED: Uint8Array = Uint8Array.from(
  { length: 256 },
  (_, byte) => byte >= 97 && byte <= 122 ? byte - 32 : byte,
);

/** Where the part of a line begins that is compared. */
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

/** Whether `size` bytes are the same in two places. */
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
