/** The result of a scan. */
export interface ByteScan {
  /** Offset of the first NUL, or -1. */
  readonly nul: number;
  /** True if all bytes are ASCII; may be false if there is a NUL. */
  readonly ascii: boolean;
}

const ONES = 0x01010101;
const HIGH = 0x80808080 | 0;

/**
 * Searches for NUL and bytes beyond ASCII in one pass, eight words at a time: twice as fast as
 * `indexOf` alone.
 */
export function scanBytes(bytes: Uint8Array): ByteScan {
  const end = bytes.length;
  let at = 0;
  let any = 0;
  for (; at < end && ((bytes.byteOffset + at) & 3) !== 0; at++) {
    const byte = bytes[at] as number;
    if (byte === 0) return { nul: at, ascii: any < 0x80 };
    any |= byte;
  }
  const words = new Int32Array(bytes.buffer, bytes.byteOffset + at, (end - at) >> 2);
  const eights = words.length & ~7;
  let high = 0;
  let i = 0;
  for (; i < eights; i += 8) {
    const a = words[i] as number;
    const b = words[i + 1] as number;
    const c = words[i + 2] as number;
    const d = words[i + 3] as number;
    const e = words[i + 4] as number;
    const f = words[i + 5] as number;
    const g = words[i + 6] as number;
    const h = words[i + 7] as number;
    const or = a | b | c | d | e | f | g | h;
    // In ASCII only a NUL borrows from the high bit; in other cases the words are examined one by
    // one.
    const less = (a - ONES) | (b - ONES) | (c - ONES) | (d - ONES) | (e - ONES) | (f - ONES) |
      (g - ONES) | (h - ONES);
    if (((or | less) & HIGH) === 0) continue;
    high |= or;
    const zero = hasZero(a) | hasZero(b) | hasZero(c) | hasZero(d) | hasZero(e) | hasZero(f) |
      hasZero(g) | hasZero(h);
    if (zero !== 0) break;
  }
  any |= (high & HIGH) === 0 ? 0 : 0x80;
  for (at += i * 4; at < end; at++) {
    const byte = bytes[at] as number;
    if (byte === 0) return { nul: at, ascii: any < 0x80 };
    any |= byte;
  }
  return { nul: -1, ascii: any < 0x80 };
}

/** Not 0 if a byte of the word is 0. */
function hasZero(word: number): number {
  return (word - ONES) & ~word & HIGH;
}

/** True if all bytes are ASCII. */
export function isAscii(bytes: Uint8Array, start: number, end: number): boolean {
  let at = start;
  for (; at < end && ((bytes.byteOffset + at) & 3) !== 0; at++) {
    if ((bytes[at] as number) > 0x7f) return false;
  }
  if (end - at >= 64) {
    const words = new Int32Array(bytes.buffer, bytes.byteOffset + at, (end - at) >> 2);
    for (let i = 0; i < words.length; i++) if (((words[i] as number) & HIGH) !== 0) return false;
    at += words.length * 4;
  }
  for (; at < end; at++) if ((bytes[at] as number) > 0x7f) return false;
  return true;
}
