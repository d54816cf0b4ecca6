import { Utf8Count } from "./_utf8_count.ts";

/** The encodings that text files are read and written in. */
export type TextEncoding = "UTF-8" | "UTF-16LE" | "UTF-16BE" | "windows-1252";

/** The encodings that a byte order mark can name. */
type MarkedEncoding = Exclude<TextEncoding, "windows-1252">;

/** The end of a line. */
export type LineEnd = "\n" | "\r\n" | "\r";

/** The format of a file's text, so that new text can be written the same way. */
export interface TextFormat {
  /** The encoding. */
  readonly encoding: TextEncoding;
  /** True where the file begins with a byte order mark. */
  readonly bom: boolean;
  /** Bytes of a UTF-8 file that are not UTF-8. */
  readonly strays: number;
  /**
   * The end of its lines, or of most if there are several kinds; `undefined` where no line ends. A
   * carriage return alone counts only where there are no line feeds.
   */
  readonly lineEnd: LineEnd | undefined;
  /** True where some lines end in LF and others in CRLF. */
  readonly mixed: boolean;
}

/** The format of a file that says nothing else. */
export const plainFormat: TextFormat = {
  encoding: "UTF-8",
  bom: false,
  strays: 0,
  lineEnd: undefined,
  mixed: false,
};

/** Bytes at the beginning among which a NUL means that a file is binary. */
const SAMPLE = 8192;

// Classes of bytes. Only those other than PLAIN need a look; from HIGH on it is 0x80 or more.
const PLAIN = 0;
const LINE_FEED = 1;
const RETURN = 2;
const NUL = 3;
const CONTROL = 4;
const HIGH = 5;
const UNDEFINED = 6;

const KINDS = Uint8Array.from({ length: 256 }, (_, byte) => {
  if (byte === 0) return NUL;
  if (byte === 10) return LINE_FEED;
  if (byte === 13) return RETURN;
  // BS, TAB, VT, FF, DOS's mark of the end and ESC occur in text.
  if (byte < 32 && ![8, 9, 11, 12, 26, 27].includes(byte) || byte === 127) return CONTROL;
  // Bytes that windows-1252 does not define.
  if ([0x81, 0x8d, 0x8f, 0x90, 0x9d].includes(byte)) return UNDEFINED;
  return byte < 128 ? PLAIN : HIGH;
});

/**
 * Finds how a file holds its text, from its bytes in order, without keeping them.
 *
 * A byte order mark decides. Without one, UTF-8 is taken for UTF-8, also if it has a few bytes that
 * are not. Else it is windows-1252, the superset of Latin-1 that is in use, if there is no control
 * character and no byte that windows-1252 leaves undefined. Everything else is binary.
 *
 * @example
 * ```ts
 * import { TextScan } from "./text_format.ts";
 *
 * const scan = new TextScan();
 * scan.push(new Uint8Array([0x66, 0xfc, 0x72, 0x0d, 0x0a]));
 * const format = scan.end();
 * if (format?.encoding !== "windows-1252" || format.lineEnd !== "\r\n") throw new Error("Latin-1");
 * ```
 */
export class TextScan {
  /** The first bytes, until there are enough to see a byte order mark. */
  readonly #head: number[] = [];
  #mark: MarkedEncoding | undefined;
  #length = 0;
  #previous = -1;
  #lineFeeds = 0;
  #returns = 0;
  #crlf = 0;
  #binary = false;
  #control = false;
  #undefined = false;
  readonly #utf8 = new Utf8Count();
  #lastUnit = -1;
  /** True where the last unit of UTF-16 is the first half of a surrogate pair. */
  #half = false;

  /** True once it is certain that the file is binary. */
  get binary(): boolean {
    return this.#binary;
  }

  /** The encoding that a byte order mark names, when the first bytes have come. */
  get mark(): MarkedEncoding | undefined {
    return this.#mark;
  }

  /** Takes the next bytes. */
  push(chunk: Uint8Array): void {
    for (const byte of chunk.subarray(0, 3 - this.#head.length)) {
      this.#head.push(byte);
      this.#mark = markOf(this.#head);
    }
    if (this.#mark === "UTF-16LE" || this.#mark === "UTF-16BE") {
      this.#pushUnits(chunk, this.#mark === "UTF-16BE");
    } else this.#pushBytes(chunk);
    this.#length += chunk.length;
  }

  /**
   * The format of what came, or `undefined` if it is binary. With `cut` the file goes on, so half a
   * character at the end is no fault.
   */
  end({ cut = false } = {}): TextFormat | undefined {
    const found = this.#encoding(cut);
    if (found === undefined) return undefined;
    const crlf = this.#crlf;
    const lf = this.#lineFeeds - crlf;
    const lone = this.#returns > 0 ? "\r" : undefined;
    const lineEnd = lf + crlf === 0 ? lone : lf >= crlf ? "\n" : "\r\n";
    return { ...found, bom: this.#mark !== undefined, lineEnd, mixed: lf > 0 && crlf > 0 };
  }

  #encoding(cut: boolean): Pick<TextFormat, "encoding" | "strays"> | undefined {
    if (this.#binary) return undefined;
    if (this.#mark === "UTF-16LE" || this.#mark === "UTF-16BE") {
      const incomplete = this.#half || this.#length % 2 === 1;
      return incomplete && !cut ? undefined : { encoding: this.#mark, strays: 0 };
    }
    const strays = this.#utf8.strays + (cut ? 0 : this.#utf8.open);
    if (strays === 0 || this.#mark === "UTF-8" || this.#utf8.characters > strays) {
      return { encoding: "UTF-8", strays };
    }
    return this.#control || this.#undefined ? undefined : { encoding: "windows-1252", strays: 0 };
  }

  #pushBytes(chunk: Uint8Array): void {
    const utf8 = this.#utf8;
    let previous = this.#previous;
    for (let at = 0; at < chunk.length; at++) {
      const byte = chunk[at] as number;
      const kind = KINDS[byte] as number;
      if (kind !== PLAIN || utf8.open > 0) this.#look(byte, kind, previous, at);
      previous = byte;
    }
    this.#previous = previous;
  }

  #look(byte: number, kind: number, previous: number, at: number): void {
    if (kind >= HIGH || this.#utf8.open > 0) this.#utf8.take(byte);
    if (kind === LINE_FEED) {
      this.#lineFeeds++;
      if (previous === 13) this.#crlf++;
    } else if (kind === RETURN) this.#returns++;
    else if (kind === UNDEFINED) this.#undefined = true;
    else if (kind === NUL || kind === CONTROL) {
      this.#control = true;
      if (kind === NUL && this.#length + at < SAMPLE) this.#binary = true;
    }
  }

  #pushUnits(chunk: Uint8Array, bigEndian: boolean): void {
    for (let at = 0; at < chunk.length; at++) {
      const byte = chunk[at] as number;
      if ((this.#length + at) % 2 === 0) {
        this.#previous = byte;
        continue;
      }
      this.#takeUnit(bigEndian ? this.#previous << 8 | byte : byte << 8 | this.#previous);
    }
  }

  /** Random data would be taken for UTF-16 if all that is no character were not refused. */
  #takeUnit(unit: number): void {
    const low = unit >= 0xdc00 && unit <= 0xdfff;
    if (low !== this.#half || unit === 0 || unit >= 0xfffe) this.#binary = true;
    this.#half = unit >= 0xd800 && unit <= 0xdbff;
    if (unit === 10) {
      this.#lineFeeds++;
      if (this.#lastUnit === 13) this.#crlf++;
    } else if (unit === 13) this.#returns++;
    this.#lastUnit = unit;
  }
}

function markOf([first, second, third]: readonly number[]): MarkedEncoding | undefined {
  if (first === 0xff && second === 0xfe) return "UTF-16LE";
  if (first === 0xfe && second === 0xff) return "UTF-16BE";
  return first === 0xef && second === 0xbb && third === 0xbf ? "UTF-8" : undefined;
}

/** The format of a whole file's bytes, or `undefined` if they are binary. */
export function formatOf(bytes: Uint8Array): TextFormat | undefined {
  const scan = new TextScan();
  scan.push(bytes);
  return scan.end();
}
