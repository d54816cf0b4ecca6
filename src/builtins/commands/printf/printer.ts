import { INTMAX, UINTMAX } from "../../core/mod.ts";
import {
  type Conversion,
  EscapeReader,
  formatFloat,
  formatInteger,
  isTooWide,
  isWide,
  LineOutput,
  narrowed,
  parseDouble,
  putWide,
  quote,
  quoteAlways,
  quoteName,
  utf8,
} from "../../text/mod.ts";

/** An error in a format or in a number for it, with GNU printf's message. */
export class PrintfError extends Error {
  override readonly name = "PrintfError";
}

const INT_MAX = 2n ** 31n - 1n;

/** Letters of the conversions that each flag may go with. */
const FLAG_LETTERS: Readonly<Record<string, string>> = {
  "#": "aAeEfFgGoxX",
  "0": "aAdeEfFgGiouxX",
  "'": "dfFgGiu",
  I: "dfFgGiu",
};
const PRECISION_LETTERS = "aAdeEfFgGiosuxX";

/** Prints arguments by a format. Each call of {@linkcode print} uses the format once. */
export class Printer {
  readonly out = new LineOutput();
  /** Number of arguments used. */
  used = 0;
  /** True if a field was too wide to print. */
  failed = false;
  /** Exit status. */
  status = 0;
  readonly #values: readonly string[];
  readonly #warn: (message: string) => void;

  constructor(values: readonly string[], warn: (message: string) => void) {
    this.#values = values;
    this.#warn = warn;
  }

  /**
   * Prints the format; returns true if `\c` ended all output.
   *
   * @throws {PrintfError | EscapeError} If the format is wrong; `out` has the output before the
   * error.
   */
  print(format: string): boolean {
    const bytes = utf8(format);
    for (let at = 0; at < bytes.length;) {
      const byte = bytes[at] as number;
      if (byte === 92) {
        const escapes = new EscapeReader("format");
        at = escapes.escape(bytes, at);
        if (at < 0) return true;
        this.out.put(escapes.take());
      } else if (byte !== 37) {
        this.out.putByte(byte);
        at++;
      } else if (bytes[at + 1] === 37) {
        this.out.putByte(37);
        at += 2;
      } else {
        const text = latin1(bytes.subarray(at));
        const length = text[1] === "b" || text[1] === "q" ? 2 : -1;
        if (length < 0) at += this.#conversion(text);
        else {
          at += length;
          if (this.#quoted(text.slice(1, 2))) return true;
        }
      }
    }
    return false;
  }

  /** Prints `%b` and `%q`; returns true after `\c`. */
  #quoted(letter: string): boolean {
    const value = this.#next();
    if (value === undefined) return false;
    if (letter === "q") {
      this.out.put(utf8(quoteShell(value)));
      return false;
    }
    const escapes = new EscapeReader("argument");
    try {
      return escapes.append(utf8(value));
    } finally {
      this.out.put(escapes.take());
    }
  }

  #next(): string | undefined {
    return this.used < this.#values.length ? this.#values[this.used++] : undefined;
  }

  /** Prints one conversion at the start of `text`; returns its length. */
  #conversion(text: string): number {
    const [, flagText = ""] = /^%([-+ #0'I]*)/.exec(text) ?? [];
    let at = 1 + flagText.length;
    let flags = [...new Set(flagText)].join("");
    let width = 0;
    if (text[at] === "*") {
      at++;
      const value = this.#starred("field width");
      width = Math.abs(value);
      if (value < 0) flags += "-";
    } else {
      const [digits = ""] = /^\d*/.exec(text.slice(at)) ?? [];
      at += digits.length;
      width = Number(digits);
    }
    let precision: number | undefined;
    const hasPrecision = text[at] === ".";
    if (hasPrecision) {
      at++;
      if (text[at] === "*") {
        at++;
        const value = this.#starred("precision");
        precision = value < 0 ? undefined : value;
      } else {
        const [digits = ""] = /^\d*/.exec(text.slice(at)) ?? [];
        at += digits.length;
        precision = Number(digits);
      }
    }
    at += (/^[lLhjtz]*/.exec(text.slice(at)) ?? [""])[0].length;
    const letter = text[at];
    const known = letter !== undefined && "aAdeEfFgGiosuxXc".includes(letter) &&
      (!hasPrecision || PRECISION_LETTERS.includes(letter)) &&
      [...flagText].every((flag) => FLAG_LETTERS[flag]?.includes(letter) ?? true);
    if (!known) {
      const end = letter === undefined ? at : at + 1;
      const shown = new TextDecoder().decode(
        Uint8Array.from(text.slice(0, end), (c) => c.charCodeAt(0)),
      );
      throw new PrintfError(`${shown}: invalid conversion specification`);
    }
    this.#put({ flags, width, precision, letter });
    return at + 1;
  }

  /** Reads a width or precision from an argument. */
  #starred(what: string): number {
    const text = this.#next();
    if (text === undefined) return 0;
    const value = this.#integer(text, -INTMAX - 1n, INTMAX);
    if (what === "precision" && value < 0n) return -1;
    if (value >= -INT_MAX - 1n && value <= INT_MAX) return Number(value);
    throw new PrintfError(`invalid ${what}: ${quote(text)}`);
  }

  #put(conversion: Conversion): void {
    const { letter } = conversion;
    const value = this.#next();
    if (letter === "s" || letter === "c") {
      const bytes = utf8(value ?? "");
      this.#text(
        letter === "c" ? Uint8Array.of(bytes[0] ?? 0) : bytes.subarray(0, conversion.precision),
        conversion,
      );
      return;
    }
    if ("aAeEfFgG".includes(letter)) {
      const number = this.#float(value ?? "0");
      this.#number(conversion, (shape) => formatFloat(number, shape));
      return;
    }
    const unsigned = letter !== "d" && letter !== "i";
    const number = this.#integer(
      value ?? "0",
      unsigned ? -UINTMAX : -INTMAX - 1n,
      unsigned ? UINTMAX : INTMAX,
    );
    const value64 = unsigned ? BigInt.asUintN(64, number) : number;
    this.#number(conversion, (shape) => formatInteger(value64, shape));
  }

  #number(conversion: Conversion, format: (conversion: Conversion) => string): void {
    if (isTooWide(conversion)) this.failed = true;
    else if (isWide(conversion)) putWide(this.out, format(narrowed(conversion)), conversion);
    else this.out.put(utf8(format(conversion)));
  }

  #text(bytes: Uint8Array, conversion: Conversion): void {
    const { flags, width } = conversion;
    if (isTooWide(conversion)) {
      this.failed = true;
      return;
    }
    const room = Math.max(0, width - bytes.length);
    if (!flags.includes("-")) this.out.repeat(32, room);
    this.out.put(bytes);
    if (flags.includes("-")) this.out.repeat(32, room);
  }

  /** Returns the code of the character constant `'c`; `undefined` for any other text. */
  #character(text: string): bigint | undefined {
    if ((!text.startsWith("'") && !text.startsWith('"')) || text.length < 2) return undefined;
    const code = text.codePointAt(1) ?? 0;
    const rest = text.slice(1 + String.fromCodePoint(code).length);
    if (rest !== "") {
      this.#warn(
        `warning: ${rest}: character(s) following character constant have been ignored`,
      );
    }
    return BigInt(code);
  }

  #fail(message: string): void {
    this.#warn(message);
    this.status = 1;
  }

  #integer(text: string, least: bigint, most: bigint): bigint {
    const character = this.#character(text);
    if (character !== undefined) return character;
    const match = /^[ \t\n\v\f\r]*([+-]?)(?:0[xX]([0-9a-fA-F]+)|(0[0-7]*)|([1-9]\d*))/.exec(text);
    if (match === null) {
      if (text !== "") this.#fail(`${quote(text)}: expected a numeric value`);
      return 0n;
    }
    const [all, sign, hex, octal, decimal] = match;
    const size = hex !== undefined
      ? BigInt(`0x${hex}`)
      : octal !== undefined
      ? BigInt(`0o0${octal}`)
      : BigInt(decimal ?? "0");
    const value = sign === "-" ? -size : size;
    if (value < least || value > most) {
      this.#fail(`${quote(text)}: Numerical result out of range`);
      // As in C, strtoumax() returns the largest number also for a negative one out of range.
      return value > most ? most : least === -UINTMAX ? UINTMAX : least;
    }
    if (all.length < text.length) this.#fail(`${quote(text)}: value not completely converted`);
    return value;
  }

  #float(text: string): number {
    const character = this.#character(text);
    if (character !== undefined) return Number(character);
    const { value, length, outOfRange } = parseDouble(text);
    if (length === 0) {
      if (text !== "") this.#fail(`${quote(text)}: expected a numeric value`);
    } else if (outOfRange) {
      this.#fail(`${quote(text)}: Numerical result out of range`);
    } else if (length < text.length) {
      this.#fail(`${quote(text)}: value not completely converted`);
    }
    return value;
  }
}

function latin1(bytes: Uint8Array): string {
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return text;
}

/** Quotes a word for a shell if needed; a colon needs no quotes. */
function quoteShell(word: string): string {
  const plain = word.replaceAll(":", "x");
  return word !== "" && quoteName(plain) === plain ? word : quoteAlways(word);
}
