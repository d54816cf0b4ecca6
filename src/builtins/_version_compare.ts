const DOT = 46;
const TILDE = 126;

function isDigit(byte: number): boolean {
  return byte >= 48 && byte <= 57;
}

function isAlpha(byte: number): boolean {
  return (byte >= 65 && byte <= 90) || (byte >= 97 && byte <= 122);
}

/** Weight of a byte that is no digit; the end comes before all but a tilde. */
function weight(text: Uint8Array, at: number, end: number): number {
  if (at === end) return -1;
  const byte = text[at] as number;
  if (isDigit(byte)) return 0;
  if (isAlpha(byte)) return byte;
  return byte === TILDE ? -2 : byte + 256;
}

/** Compares runs of digits as numbers and what is between them byte by byte. */
function compareRuns(
  a: Uint8Array,
  i: number,
  endA: number,
  b: Uint8Array,
  j: number,
  endB: number,
): number {
  while (i < endA || j < endB) {
    while (
      (i < endA && !isDigit(a[i] as number)) || (j < endB && !isDigit(b[j] as number))
    ) {
      const difference = weight(a, i, endA) - weight(b, j, endB);
      if (difference !== 0) return difference;
      i++;
      j++;
    }
    while (i < endA && a[i] === 48) i++;
    while (j < endB && b[j] === 48) j++;
    let first = 0;
    while (i < endA && j < endB && isDigit(a[i] as number) && isDigit(b[j] as number)) {
      if (first === 0) first = (a[i] as number) - (b[j] as number);
      i++;
      j++;
    }
    if (i < endA && isDigit(a[i] as number)) return 1;
    if (j < endB && isDigit(b[j] as number)) return -1;
    if (first !== 0) return first;
  }
  return 0;
}

/** Where a name's suffix, `(\.[A-Za-z~][A-Za-z0-9~]*)*$`, begins. */
function suffixStart(text: Uint8Array, from: number, to: number): number {
  for (let i = from;; i++) {
    const prefix = i;
    while (i + 1 < to && text[i] === DOT && startsSuffix(text[i + 1] as number)) {
      i += 2;
      while (i < to && continuesSuffix(text[i] as number)) i++;
    }
    if (i >= to) return Math.min(prefix, to);
  }
}

function startsSuffix(byte: number): boolean {
  return isAlpha(byte) || byte === TILDE;
}

function continuesSuffix(byte: number): boolean {
  return startsSuffix(byte) || isDigit(byte);
}

/**
 * Compares two names as gnulib's `filenvercmp` does (`sort -V`, `ls -v`): `a2` before `a10`, file
 * name suffixes last.
 */
export function compareVersions(
  a: Uint8Array,
  fromA: number,
  toA: number,
  b: Uint8Array,
  fromB: number,
  toB: number,
): number {
  const [lengthA, lengthB] = [toA - fromA, toB - fromB];
  if (lengthA === 0 || lengthB === 0) return Math.sign(lengthA) - Math.sign(lengthB);
  const [dotA, dotB] = [a[fromA] === DOT, b[fromB] === DOT];
  if (dotA !== dotB) return dotA ? -1 : 1;
  if (dotA) {
    for (const length of [1, 2]) {
      const isA = lengthA === length && (length === 1 || a[fromA + 1] === DOT);
      const isB = lengthB === length && (length === 1 || b[fromB + 1] === DOT);
      if (isA) return isB ? 0 : -1;
      if (isB) return 1;
    }
  }
  const prefixA = suffixStart(a, fromA, toA);
  const prefixB = suffixStart(b, fromB, toB);
  const result = compareRuns(a, fromA, prefixA, b, fromB, prefixB);
  if (result !== 0 || (prefixA === toA && prefixB === toB)) return result;
  return compareRuns(a, fromA, toA, b, fromB, toB);
}
