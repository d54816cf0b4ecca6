import type { Chunk } from "../../streams/mod.ts";
import { ESCAPED_BYTES } from "./c_escapes.ts";
import { utf8 } from "./output.ts";

const BACKSLASH = 92;
/** Bytes for which the letters after a backslash stand. */
const LETTERS: ReadonlyMap<number, number> = new Map([
  ...ESCAPED_BYTES,
  [BACKSLASH, BACKSLASH],
  [101, 27],
]);

/** An invalid escape, with GNU printf's message. */
export class EscapeError extends Error {
  override readonly name = "EscapeError";
}

/**
 * Place of the escapes, which decides what escapes there are: `echo -e` (`\0NNN`, and `\xHH` if
 * digits follow), the format of `printf` (`\NNN`, `\"`, `\u`), or an argument for its `%b` (like
 * the format, and `\0NNN`).
 */
export type EscapeStyle = "echo" | "format" | "argument";

/** Lines of the help for the escapes that all styles have. */
export const escapesHelp: string = "  \\\\       a backslash\n" +
  "  \\a       bell\n" +
  "  \\b       backspace\n" +
  "  \\c       ends the output here\n" +
  "  \\e       escape\n" +
  "  \\f       form feed\n" +
  "  \\n       newline\n" +
  "  \\r       carriage return\n" +
  "  \\t       tab\n" +
  "  \\v       vertical tab\n";

/** Returns the value of a digit of base `base`; -1 for any other byte. */
function digit(byte: number | undefined, base: 8 | 16): number {
  if (byte === undefined) return -1;
  const value = Number.parseInt(String.fromCharCode(byte), base);
  return Number.isNaN(value) ? -1 : value;
}

/** Turns backslash escapes into bytes and collects them. */
export class EscapeReader {
  readonly #style: EscapeStyle;
  #out: number[] = [];

  constructor(style: EscapeStyle) {
    this.#style = style;
  }

  /** Adds one byte as it is. */
  push(byte: number): void {
    this.#out.push(byte);
  }

  /** Returns the collected bytes and removes them. */
  take(): Chunk {
    const taken = Uint8Array.from(this.#out);
    this.#out = [];
    return taken;
  }

  /** Adds a text with escapes; returns true if it has `\c`, which ends all output. */
  append(text: Uint8Array): boolean {
    for (let at = 0; at < text.length;) {
      if (text[at] !== BACKSLASH) {
        this.#out.push(text[at++] as number);
        continue;
      }
      const next = this.escape(text, at);
      if (next < 0) return true;
      at = next;
    }
    return false;
  }

  /**
   * Adds the escape whose backslash is at `at`. Returns the index after the escape, or -1 after
   * `\c`.
   *
   * @throws {EscapeError} If `printf` refuses the escape.
   */
  escape(text: Uint8Array, at: number): number {
    const letter = text[at + 1];
    if (letter === undefined) {
      this.#out.push(BACKSLASH);
      return at + 1;
    }
    const known = LETTERS.get(letter);
    if (known !== undefined) {
      this.#out.push(known);
      return at + 2;
    }
    if (letter === 99) return -1; // c
    if (letter === 120) return this.#hexadecimal(text, at); // x
    if (digit(letter, 8) >= 0) return this.#octal(text, at, letter);
    if (this.#style !== "echo") {
      if (letter === 34) {
        this.#out.push(34);
        return at + 2;
      }
      if (letter === 117) return this.#character(text, at, 4); // u
      if (letter === 85) return this.#character(text, at, 8); // U
    }
    this.#out.push(BACKSLASH, letter);
    return at + 2;
  }

  #octal(text: Uint8Array, at: number, first: number): number {
    let from = at + 1;
    if (first === 48 && this.#style !== "format") from++;
    let value = 0;
    let to = from;
    for (; to < from + 3 && digit(text[to], 8) >= 0; to++) value = value * 8 + digit(text[to], 8);
    this.#out.push(value & 255);
    return to;
  }

  #hexadecimal(text: Uint8Array, at: number): number {
    let value = 0;
    let to = at + 2;
    for (; to < at + 4 && digit(text[to], 16) >= 0; to++) value = value * 16 + digit(text[to], 16);
    if (to > at + 2) {
      this.#out.push(value);
    } else if (this.#style === "echo") {
      this.#out.push(BACKSLASH, 120);
    } else {
      throw new EscapeError("missing hexadecimal number in escape");
    }
    return to;
  }

  #character(text: Uint8Array, at: number, digits: 4 | 8): number {
    let value = 0;
    const end = at + 2 + digits;
    for (let i = at + 2; i < end; i++) {
      const each = digit(text[i], 16);
      if (each < 0) throw new EscapeError("missing hexadecimal number in escape");
      value = value * 16 + each;
    }
    // ISO C 99 6.4.3 allows no surrogates, and below U+00A0 only these characters.
    const basic = value < 0xa0 && value !== 0x24 && value !== 0x40 && value !== 0x60;
    const letter = digits === 4 ? "u" : "U";
    const name = value.toString(16).padStart(digits, "0");
    if (basic || (value >= 0xd800 && value <= 0xdfff)) {
      throw new EscapeError(`invalid universal character name \\${letter}${name}`);
    }
    if (value <= 0x10ffff) this.#out.push(...utf8(String.fromCodePoint(value)));
    else this.#out.push(...utf8(`\\${letter}${name.toUpperCase()}`));
    return end;
  }
}
