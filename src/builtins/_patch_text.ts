import { type ByteSource, type Chunk, LimitError } from "../streams/mod.ts";

/** The most that is held of each file, in bytes. */
const MAX_FILE = 64 * 1024 * 1024;

/**
 * Reads a file whole.
 *
 * @throws {LimitError} If it is longer than {@linkcode MAX_FILE}.
 */
export async function readWhole(source: ByteSource, name: string): Promise<Chunk> {
  let bytes: Chunk = new Uint8Array(Math.min(source.at?.size ?? 0, MAX_FILE) + 4096);
  let length = 0;
  for await (const chunk of source) {
    if (length + chunk.length > MAX_FILE) {
      throw new LimitError(
        { name: "file size", max: MAX_FILE },
        `${name}: File is longer than ${MAX_FILE} bytes, the most that is held in memory`,
      );
    }
    if (length + chunk.length > bytes.length) {
      const grown = new Uint8Array(Math.max(bytes.length * 2, length + chunk.length));
      grown.set(bytes.subarray(0, length));
      bytes = grown;
    }
    bytes.set(chunk, length);
    length += chunk.length;
  }
  return bytes.subarray(0, length);
}

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
