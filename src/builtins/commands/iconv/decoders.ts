import type { Chunk } from "../../../streams/mod.ts";

/** Result of decoding some bytes. */
export interface Decoded {
  readonly text: string;
  /** Number of bytes that the text stands for. */
  readonly used: number;
  /**
   * Number of invalid bytes after those; 0 if there are none, or if the rest may be the beginning
   * of a character.
   */
  readonly invalid: number;
}

/** Reads text in an encoding. */
export interface Decoder {
  /**
   * Decodes bytes up to the first that is invalid or incomplete. They must begin with the first
   * byte that was not used before.
   */
  decode(bytes: Chunk): Decoded;
  /**
   * Returns how many of the bytes given to the last {@linkcode decode} stand for the first `length`
   * code units of its text.
   */
  bytesOf(bytes: Chunk, text: string, length: number): number;
}

/** True if the units of a `Uint16Array` have their low byte first, as on all common machines. */
const LITTLE = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1;
const units16 = new TextDecoder(LITTLE ? "utf-16le" : "utf-16be", { ignoreBOM: true });

/**
 * Returns the text of UTF-16 code units. The platform's decoder is much faster than a call for
 * each.
 */
function textOf(units: Uint16Array<ArrayBuffer>, count: number): string {
  return units16.decode(units.subarray(0, count));
}

/** Decodes UTF-8; a byte-order mark is a character. */
export class Utf8Decoder implements Decoder {
  readonly #decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  /**
   * True if the last bytes were invalid. Then the next may be, too, and each exception takes time.
   */
  #broken = false;

  decode(bytes: Chunk): Decoded {
    if (this.#broken) return this.#upToFault(bytes, bytes.length);
    let end = bytes.length;
    // At most three bytes at the end are an incomplete character.
    for (let back = 1; back <= Math.min(3, bytes.length); back++) {
      const at = bytes.length - back;
      if ((bytes[at] as number) < 0x80) break;
      if ((bytes[at] as number) < 0xc0) continue;
      if (isPrefix(bytes, at)) end = at;
      break;
    }
    try {
      return { text: this.#decoder.decode(bytes.subarray(0, end)), used: end, invalid: 0 };
    } catch {
      return this.#upToFault(bytes, end);
    }
  }

  #upToFault(bytes: Chunk, end: number): Decoded {
    const used = firstInvalid(bytes);
    const text = this.#decoder.decode(bytes.subarray(0, used));
    this.#broken = used < end && !isPrefix(bytes, used);
    if (!this.#broken) return { text, used, invalid: 0 };
    let invalid = 1;
    // As in glibc, the continuation bytes of an invalid character are skipped with it.
    while (invalid < 5 && ((bytes[used + invalid] ?? 0) & 0xc0) === 0x80) invalid++;
    return { text, used, invalid };
  }

  bytesOf(_bytes: Chunk, text: string, length: number): number {
    return new TextEncoder().encode(text.slice(0, length)).length;
  }
}

/** Returns the length of a character that begins with this byte; 0 if none does. */
function sizeOf(first: number): number {
  if (first < 0x80) return 1;
  if (first < 0xc2 || first > 0xf4) return 0;
  return first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
}

/** True if the second byte of a character can follow the first (Unicode 3.9, table 3-7). */
function canFollow(first: number, second: number): boolean {
  if ((second & 0xc0) !== 0x80) return false;
  if (first === 0xe0) return second >= 0xa0;
  if (first === 0xed) return second < 0xa0;
  if (first === 0xf0) return second >= 0x90;
  return first !== 0xf4 || second < 0x90;
}

/** True if the bytes from `at` to the end may be the beginning of a longer character. */
function isPrefix(bytes: Uint8Array, at: number): boolean {
  const first = bytes[at] as number;
  const have = bytes.length - at;
  if (have >= sizeOf(first)) return false;
  if (have > 1 && !canFollow(first, bytes[at + 1] as number)) return false;
  return have < 3 || ((bytes[at + 2] as number) & 0xc0) === 0x80;
}

/** Returns the offset of the first byte that is not part of a complete character. */
function firstInvalid(bytes: Uint8Array): number {
  for (let at = 0; at < bytes.length;) {
    const first = bytes[at] as number;
    const size = sizeOf(first);
    if (size === 0 || at + size > bytes.length) return at;
    if (size > 1 && !canFollow(first, bytes[at + 1] as number)) return at;
    for (let i = 2; i < size; i++) if (((bytes[at + i] as number) & 0xc0) !== 0x80) return at;
    at += size;
  }
  return bytes.length;
}

/**
 * Decodes one byte a character by a table from bytes to code units; U+FFFF marks an invalid byte.
 */
export class SingleByteDecoder implements Decoder {
  readonly #table: Uint16Array;
  #units = new Uint16Array(0);

  constructor(table: Uint16Array) {
    this.#table = table;
  }

  decode(bytes: Chunk): Decoded {
    const table = this.#table;
    if (this.#units.length < bytes.length) this.#units = new Uint16Array(bytes.length);
    const units = this.#units;
    let used = 0;
    for (; used < bytes.length; used++) {
      const unit = table[bytes[used] as number] as number;
      if (unit === 0xffff) break;
      units[used] = unit;
    }
    return { text: textOf(units, used), used, invalid: used < bytes.length ? 1 : 0 };
  }

  bytesOf(_bytes: Chunk, _text: string, length: number): number {
    return length;
  }
}

/** Layout of units of two or four bytes. */
export interface Units {
  readonly bytes: 2 | 4;
  /** Order of the bytes. `native` is little-endian, as in glibc on most machines. */
  readonly order: "native" | "little" | "big";
  /** True if a byte-order mark at the beginning is read and written. */
  readonly mark: boolean;
  /** True if pairs of units stand for the characters above U+FFFF. */
  readonly surrogates: boolean;
}

/** Decodes UTF-16, UTF-32 and their relatives. */
export class UnitDecoder implements Decoder {
  readonly #units: Units;
  #little: boolean;
  #begun = false;
  /** Length of the byte-order mark in the bytes decoded last. */
  #skipped = 0;
  #text = new Uint16Array(0);

  constructor(units: Units) {
    this.#units = units;
    this.#little = units.order !== "big";
  }

  decode(bytes: Chunk): Decoded {
    const { bytes: size, surrogates } = this.#units;
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    const end = bytes.length - bytes.length % size;
    let at = this.#skipped = this.#begun ? 0 : this.#readMark(view, end);
    if (end > 0) this.#begun = true;
    if (this.#text.length < bytes.length) this.#text = new Uint16Array(bytes.length);
    const units = this.#text;
    let count = 0;
    let invalid = 0;
    for (; at < end; at += size) {
      const code = size === 2 ? view.getUint16(at, this.#little) : view.getUint32(at, this.#little);
      if (code >= 0xd800 && code < 0xe000) {
        if (!surrogates || code >= 0xdc00) {
          invalid = size;
          break;
        }
        if (at + 4 > end) break;
        const low = view.getUint16(at + 2, this.#little);
        if (low < 0xdc00 || low >= 0xe000) {
          invalid = size;
          break;
        }
        units[count++] = code;
        units[count++] = low;
        at += 2;
      } else if (code > 0x10ffff) {
        invalid = size;
        break;
      } else if (code > 0xffff) {
        units[count++] = 0xd7c0 + (code >> 10);
        units[count++] = 0xdc00 + (code & 0x3ff);
      } else units[count++] = code;
    }
    return { text: textOf(units, count), used: at, invalid };
  }

  /** Reads the byte-order mark, if there may be one; returns its length. */
  #readMark(view: DataView, end: number): number {
    const { bytes: size, mark } = this.#units;
    if (!mark || end === 0) return 0;
    const isMark = (little: boolean): boolean =>
      (size === 2 ? view.getUint16(0, little) : view.getUint32(0, little)) === 0xfeff;
    if (isMark(true)) this.#little = true;
    else if (isMark(false)) this.#little = false;
    else return 0;
    return size;
  }

  bytesOf(_bytes: Chunk, text: string, length: number): number {
    const { bytes: size } = this.#units;
    if (size === 2) return this.#skipped + 2 * length;
    return this.#skipped + 4 * [...text.slice(0, length)].length;
  }
}
