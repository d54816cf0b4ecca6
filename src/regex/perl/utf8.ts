/**
 * PCRE2's errors for a pattern that is not UTF-8.
 *
 * @module
 */

/**
 * PCRE2's message for the first error in `bytes`, or `undefined`. The rules and their order are
 * those of its `valid_utf`, which accepts sequences of up to six bytes.
 */
export function utf8Fault(bytes: Uint8Array): string | undefined {
  for (let at = 0; at < bytes.length;) {
    const first = bytes[at] as number;
    const more = first < 0x80 ? 0 : moreBytes(first);
    const fault = first < 0x80 ? undefined : faultAt(bytes, at, more);
    if (fault !== undefined) return `UTF-8 error: ${fault}`;
    at += more + 1;
  }
  return undefined;
}

/** Number of bytes that should follow the first byte of a sequence. */
function moreBytes(first: number): number {
  if (first < 0xe0) return 1;
  if (first < 0xf0) return 2;
  return first < 0xf8 ? 3 : first < 0xfc ? 4 : 5;
}

function faultAt(bytes: Uint8Array, at: number, more: number): string | undefined {
  const first = bytes[at] as number;
  if (first < 0xc0) return "isolated byte with 0x80 bit set";
  if (first >= 0xfe) return "illegal byte (0xfe or 0xff)";
  const missing = more - (bytes.length - at - 1);
  if (missing > 0) return `${missing} byte${missing > 1 ? "s" : ""} missing at end`;
  const second = bytes[at + 1] as number;
  for (let i = 2; i <= more + 1; i++) {
    if (((bytes[at + i - 1] as number) & 0xc0) !== 0x80) {
      return `byte ${i} top bits not 0x80`;
    }
    if (i === 2 && more === 1 && first < 0xc2) return "overlong 2-byte sequence";
    if (i === 3 && more === 2) {
      if (first === 0xe0 && second < 0xa0) return "overlong 3-byte sequence";
      if (first === 0xed && second >= 0xa0) return "code points 0xd800-0xdfff are not defined";
    }
  }
  if (more === 3) {
    if (first === 0xf0 && second < 0x90) return "overlong 4-byte sequence";
    if (first > 0xf4 || first === 0xf4 && second > 0x8f) {
      return "code points greater than 0x10ffff are not defined";
    }
  }
  if (more < 4) return undefined;
  const overlong = more === 4 ? first === 0xf8 && second < 0x88 : first === 0xfc && second < 0x84;
  return overlong
    ? `overlong ${more + 1}-byte sequence`
    : `${more + 1}-byte character is not allowed (RFC 3629)`;
}
