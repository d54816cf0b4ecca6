import { nextSymbol } from "../../../regex/mod.ts";
import { blockSize, TextKernel } from "../../../simd/mod.ts";

/** Below this size copying the bytes to the kernel takes longer than it saves. */
const SMALL = 512;

/** True if bytes are valid UTF-8: code points up to U+10FFFF, no surrogates, none incomplete. */
export function isUtf8(bytes: Uint8Array, start: number, end: number): boolean {
  const kernel = end - start < SMALL ? undefined : TextKernel.shared;
  if (kernel === undefined) return isUtf8BySymbols(bytes, start, end);
  for (let at = start; at < end;) {
    let stop = Math.min(end, at + blockSize);
    // The piece ends before an incomplete character, which is checked with the next piece.
    for (let i = 0; i < 3 && stop < end && ((bytes[stop] as number) & 0xc0) === 0x80; i++) stop--;
    kernel.load(bytes, at, stop);
    if (!kernel.isUtf8(stop - at)) return false;
    at = stop;
  }
  return true;
}

/** The same without a kernel. Skips ASCII four bytes at a time. */
export function isUtf8BySymbols(bytes: Uint8Array, start: number, end: number): boolean {
  let at = start;
  while (at < end) {
    if (end - at >= 64 && ((bytes.byteOffset + at) & 3) === 0) {
      at += asciiRun(bytes, at, end);
      if (at >= end) return true;
    }
    if ((bytes[at] as number) < 0x80) {
      at++;
      continue;
    }
    const next = nextSymbol(bytes, at, end);
    if (next === at + 1) return false;
    at = next;
  }
  return true;
}

/** A lower bound of the ASCII bytes from `at` on; `at` is aligned to 4 bytes in memory. */
function asciiRun(bytes: Uint8Array, at: number, end: number): number {
  const words = new Int32Array(bytes.buffer, bytes.byteOffset + at, (end - at) >> 2);
  let i = 0;
  for (const quads = words.length & ~3; i < quads; i += 4) {
    const any = (words[i] as number) | (words[i + 1] as number) | (words[i + 2] as number) |
      (words[i + 3] as number);
    if ((any & 0x80808080) !== 0) break;
  }
  return i * 4;
}
