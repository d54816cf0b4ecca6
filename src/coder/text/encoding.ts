import { joinBytes } from "../../base/mod.ts";
import type { TextEncoding, TextFormat } from "./text_format.ts";

/** The characters of windows-1252 at 0x80 to 0x9f, as the WHATWG's Encoding Standard lists them. */
const WINDOWS_1252 = "\u20ac\x81\u201a\u0192\u201e\u2026\u2020\u2021\u02c6\u2030\u0160\u2039" +
  "\u0152\x8d\u017d\x8f\x90\u2018\u2019\u201c\u201d\u2022\u2013\u2014\u02dc\u2122\u0161\u203a" +
  "\u0153\x9d\u017e\u0178";

/** Units that are made into a string at once: arguments have their place on the stack. */
const UNITS = 8192;

/** The base of lone surrogates that stand for bytes that are not UTF-8, as in Python. */
const STRAY = 0xdc00;

/**
 * The text of bytes in a format, without its byte order mark. Every byte is in it: those of UTF-8
 * that are no character become lone surrogates, U+DC80 to U+DCFF, which {@linkcode encodeText}
 * makes into the same bytes again. For display see {@linkcode legible}.
 */
export function decodeText(bytes: Uint8Array, { encoding, bom, strays }: TextFormat): string {
  const body = bom ? bytes.subarray(encoding === "UTF-8" ? 3 : 2) : bytes;
  if (encoding === "windows-1252") return decodeWindows1252(body);
  return encoding === "UTF-8" ? decodeUtf8(body, strays) : decodeUnits(body, encoding);
}

/** The text with U+FFFD where it has lone surrogates. */
export function legible(text: string): string {
  return text.replace(/[\ud800-\udfff]/gu, "\ufffd");
}

/**
 * The bytes of text in a format, with its byte order mark.
 *
 * @throws {RangeError} A character is not in the encoding; the message names it and `path`.
 */
export function encodeText(
  text: string,
  format: TextFormat,
  path: string,
): Uint8Array<ArrayBuffer> {
  const { encoding, bom, strays } = format;
  const whole = bom ? `\ufeff${text}` : text;
  if (encoding === "windows-1252") return encodeWindows1252(whole, path);
  if (encoding === "UTF-8") return encodeUtf8(whole, strays > 0, path);
  const bytes = new Uint8Array(whole.length * 2);
  const view = new DataView(bytes.buffer);
  for (let at = 0; at < whole.length; at++) {
    view.setUint16(at * 2, whole.charCodeAt(at), encoding === "UTF-16LE");
  }
  return bytes;
}

/** Counts the bytes of whole characters: the beginning of a text may end within one. */
export function wholeCharacters(bytes: Uint8Array, encoding: TextEncoding): number {
  const { length } = bytes;
  if (encoding === "windows-1252") return length;
  if (encoding === "UTF-8") {
    for (let back = 1; back <= Math.min(3, length); back++) {
      const byte = bytes[length - back] ?? 0;
      if (byte < 0x80) break;
      if (byte < 0xc0) continue;
      const needs = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
      return back < needs ? length - back : length;
    }
    return length;
  }
  const even = length - length % 2;
  const high = bytes[encoding === "UTF-16LE" ? even - 1 : even - 2] ?? 0;
  return even > 0 && (high & 0xfc) === 0xd8 ? even - 2 : even;
}

function decodeUtf8(bytes: Uint8Array, strays: number): string {
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  if (strays === 0) return decoder.decode(bytes);
  const units = stringOf(bytes, (byte) => byte);
  return units.replace(
    /[\xc2-\xdf][\x80-\xbf]|(?:\xe0[\xa0-\xbf]|[\xe1-\xec\xee\xef][\x80-\xbf]|\xed[\x80-\x9f])[\x80-\xbf]|(?:\xf0[\x90-\xbf]|[\xf1-\xf3][\x80-\xbf]|\xf4[\x80-\x8f])[\x80-\xbf]{2}|[\x80-\xff]/g,
    (found) =>
      found.length === 1
        ? String.fromCharCode(STRAY + found.charCodeAt(0))
        : decoder.decode(Uint8Array.from(found, (unit) => unit.charCodeAt(0))),
  );
}

function encodeUtf8(text: string, strays: boolean, path: string): Uint8Array<ArrayBuffer> {
  const encoder = new TextEncoder();
  const lone = [...text.matchAll(/[\ud800-\udfff]/gu)];
  if (lone.length === 0) return encoder.encode(text);
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let from = 0;
  for (const { 0: unit, index } of lone) {
    const byte = unit.charCodeAt(0) - STRAY;
    if (!strays || byte < 0x80 || byte > 0xff) throw lacking(text, index, "UTF-8", path);
    parts.push(encoder.encode(text.slice(from, index)), Uint8Array.of(byte));
    from = index + 1;
  }
  parts.push(encoder.encode(text.slice(from)));
  return joinBytes(parts);
}

function decodeWindows1252(bytes: Uint8Array): string {
  return stringOf(
    bytes,
    (byte) => byte >= 0x80 && byte < 0xa0 ? WINDOWS_1252.charCodeAt(byte - 0x80) : byte,
  );
}

function encodeWindows1252(text: string, path: string): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(text.length);
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    const special = code < 0x80 || code >= 0xa0 && code < 0x100
      ? -1
      : WINDOWS_1252.indexOf(text.charAt(at));
    if (special < 0 && code > 0xff) throw lacking(text, at, "windows-1252 (Latin-1)", path);
    bytes[at] = special < 0 ? code : 0x80 + special;
  }
  return bytes;
}

function decodeUnits(bytes: Uint8Array, encoding: TextEncoding): string {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const units = new Uint16Array(bytes.length >> 1);
  for (let at = 0; at < units.length; at++) {
    units[at] = view.getUint16(at * 2, encoding === "UTF-16LE");
  }
  return stringOf(units, (unit) => unit);
}

function stringOf(values: Uint8Array | Uint16Array, unitOf: (value: number) => number): string {
  let text = "";
  for (let at = 0; at < values.length; at += UNITS) {
    const units = Array.from(values.subarray(at, at + UNITS), unitOf);
    text += String.fromCharCode(...units);
  }
  return text;
}

function lacking(text: string, index: number, encoding: string, path: string): RangeError {
  const code = text.codePointAt(index) ?? 0;
  const hex = code.toString(16).toUpperCase().padStart(4, "0");
  const surrogate = code >= 0xd800 && code <= 0xdfff;
  const what = surrogate ? `half of a surrogate pair, U+${hex},` : legibleName(code, hex);
  const line = text.slice(0, index).split(/\r\n|\n|\r/).length;
  const way = surrogate
    ? "write the whole character"
    : "write it otherwise, or first convert the file with bash: " +
      "iconv -f WINDOWS-1252 -t UTF-8 FILE > NEW && mv NEW FILE";
  return new RangeError(
    `${what} in line ${line} of the new contents is not in ${encoding}, the encoding of ${path}: ` +
      way,
  );
}

function legibleName(code: number, hex: string): string {
  return `${String.fromCodePoint(code)} (U+${hex})`;
}
