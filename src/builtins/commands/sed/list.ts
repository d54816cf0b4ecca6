import type { Chunk } from "../../../streams/mod.ts";
import { escapeByte, type Space } from "../../text/mod.ts";

const BACKSLASH = 92;

/** The output of `l` for each byte. */
const SHOWN: readonly Chunk[] = Array.from({ length: 256 }, (_, byte) => {
  if (byte === BACKSLASH) return Uint8Array.of(BACKSLASH, BACKSLASH);
  if (byte >= 32 && byte < 127) return Uint8Array.of(byte);
  return Uint8Array.from(escapeByte(byte), (ch) => ch.charCodeAt(0));
});

/**
 * Appends the bytes as `l` shows them, unambiguously and broken into lines of at most `width`
 * columns (0 or less: not broken), with `$` and `separator` at the end.
 */
export function appendListing(into: Space, space: Space, width: number, separator: number): void {
  const { bytes, start, end } = space;
  let column = 0;
  for (let i = start; i < end; i++) {
    const shown = SHOWN[bytes[i] as number] as Chunk;
    if (width > 0 && column + shown.length > width - 1) {
      into.appendByte(BACKSLASH);
      into.appendByte(separator);
      column = 0;
    }
    into.append(shown);
    column += shown.length;
  }
  into.appendByte(36);
  into.appendByte(separator);
}
