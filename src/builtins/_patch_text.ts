import type { Chunk } from "../streams/mod.ts";

/**
 * Bytes as lines of text in which each character is one byte. Lines keep their newlines; the last
 * may lack it.
 */
export function byteLines(bytes: Uint8Array): string[] {
  let text = "";
  for (let at = 0; at < bytes.length; at += 8192) {
    text += String.fromCharCode(...bytes.subarray(at, at + 8192));
  }
  const lines: string[] = [];
  for (let start = 0; start < text.length;) {
    const end = text.indexOf("\n", start) + 1 || text.length;
    lines.push(text.slice(start, end));
    start = end;
  }
  return lines;
}

/** The bytes of such a text. */
export function textBytes(text: string): Chunk {
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
  return bytes;
}

/** A text of bytes as Unicode: file names and messages. */
export function toUnicode(text: string): string {
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(textBytes(text));
}
