import { unicodeWidth } from "@std/cli/unicode-width";

/** Cache of widths plus 1 of the characters up to U+FFFF; 0 if not computed yet. */
const known = new Uint8Array(0x10000);

function widthOf(code: number): number {
  const width = known[code];
  if (width !== undefined && width > 0) return width - 1;
  const measured = unicodeWidth(String.fromCodePoint(code));
  if (code < known.length) known[code] = measured + 1;
  return measured;
}

/** Width of well-formed UTF-8 in terminal columns; control characters have none. */
export function textWidth(bytes: Uint8Array, start: number, end: number): number {
  let width = 0;
  for (let i = start; i < end;) {
    const byte = bytes[i] as number;
    if (byte < 0x80) {
      if (byte >= 0x20 && byte !== 0x7f) width++;
      i++;
      continue;
    }
    const size = byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4;
    let code = byte & (0xff >> (size + 1));
    for (let k = 1; k < size; k++) code = (code << 6) | ((bytes[i + k] as number) & 0x3f);
    width += widthOf(code);
    i += size;
  }
  return width;
}
