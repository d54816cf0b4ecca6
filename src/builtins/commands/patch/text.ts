import type { Chunk } from "../../../streams/mod.ts";

/** Converts bytes to a text with one character for each byte. */
export function byteText(bytes: Uint8Array, start = 0, end: number = bytes.length): string {
  let text = "";
  for (let at = start; at < end; at += 8192) {
    text += String.fromCharCode(...bytes.subarray(at, Math.min(end, at + 8192)));
  }
  return text;
}

/** The bytes of such a text. */
export function textBytes(text: string): Chunk {
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
  return bytes;
}

/** Decodes such a text as UTF-8: for file names, and for lines of the patch in messages. */
export function toUnicode(text: string): string {
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(textBytes(text));
}
