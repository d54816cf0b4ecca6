import type { ByteString } from "./byte_string.ts";

/** Escapes that stand for one byte. */
const SINGLE: Readonly<Record<string, string>> = {
  a: "\x07",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
  v: "\v",
};

/** Base and maximum number of digits of the numeric escapes. */
const NUMERIC: Readonly<Record<string, readonly [number, number]>> = {
  d: [10, 3],
  o: [8, 3],
  x: [16, 2],
};

/** The byte of an escape, and the length of the escape in characters. */
export interface Escape {
  readonly byte: string;
  readonly length: number;
}

/** Thrown for `\c\` without a second backslash. */
export class RecursiveEscape extends Error {
  /** The error's name. */
  override readonly name = "RecursiveEscape";

  /** Creates the error. */
  constructor() {
    super("recursive escaping after \\c not allowed");
  }
}

/**
 * Reads `\a \f \n \r \t \v \cX \dNNN \oNNN \xHH` at `at`, the offset of the backslash; `undefined`
 * for any other escape.
 *
 * @throws {RecursiveEscape}
 */
export function readEscape(text: ByteString, at: number): Escape | undefined {
  const letter = text[at + 1];
  if (letter === undefined) return undefined;
  const single = SINGLE[letter];
  if (single !== undefined) return { byte: single, length: 2 };
  if (letter === "c") {
    const control = text[at + 2];
    if (control === undefined) return { byte: "\\", length: 2 };
    if (control === "\\" && text[at + 3] !== "\\") throw new RecursiveEscape();
    const upper = control >= "a" && control <= "z" ? control.toUpperCase() : control;
    const byte = String.fromCharCode(upper.charCodeAt(0) ^ 0x40);
    return { byte, length: control === "\\" ? 4 : 3 };
  }
  const numeric = NUMERIC[letter];
  if (numeric === undefined) return undefined;
  const [base, most] = numeric;
  let digits = 0;
  let value = 0;
  while (digits < most) {
    const digit = Number.parseInt(text[at + 2 + digits] ?? "", base);
    if (Number.isNaN(digit)) break;
    value = value * base + digit;
    digits++;
  }
  const byte = digits === 0 ? letter : String.fromCharCode(value & 255);
  return { byte, length: 2 + digits };
}

/** Resolves the escapes in the text of `a`, `i` and `c`; unknown ones lose their backslash. */
export function unescapeText(text: ByteString): ByteString {
  if (!text.includes("\\")) return text;
  let result = "";
  for (let i = 0; i < text.length;) {
    if (text[i] !== "\\" || i + 1 >= text.length) {
      result += text[i++];
      continue;
    }
    const escape = readEscape(text, i);
    result += escape?.byte ?? text[i + 1];
    i += escape?.length ?? 2;
  }
  return result;
}

/**
 * Replaces the escapes that stand for one byte in a regular expression; keeps all others. With
 * `posix`, those in bracket expressions are kept.
 */
export function unescapeRegex(text: ByteString, posix: boolean): ByteString {
  if (!text.includes("\\")) return text;
  let result = "";
  const brackets = new BracketTracker();
  for (let i = 0; i < text.length;) {
    if (text[i] !== "\\" || i + 1 >= text.length || brackets.inside) {
      if (posix) brackets.pass(text, i);
      result += text[i++];
      continue;
    }
    const escape = readEscape(text, i);
    result += escape?.byte ?? text.slice(i, i + 2);
    i += escape?.length ?? 2;
  }
  return result;
}

/** Finds bracket expressions. As in GNU sed, even a `]` in first position ends one. */
class BracketTracker {
  /** `[` in a bracket expression; `:`, `.` or `=` in a class or similar within it. */
  #kind = "";

  /** True if the next byte is in a bracket expression. */
  get inside(): boolean {
    return this.#kind !== "";
  }

  /** Processes the byte at `at`. */
  pass(text: ByteString, at: number): void {
    const ch = text[at] as string;
    const before = text[at - 1];
    if (ch === "[") {
      if (this.#kind === "") this.#kind = ch;
    } else if (ch === "]") {
      if (this.#kind === "[") this.#kind = "";
      else if (before === this.#kind && text[at - 2] !== before) this.#kind = "[";
    } else if (":.=".includes(ch) && this.#kind === "[" && before === "[") {
      this.#kind = ch;
    }
  }
}
