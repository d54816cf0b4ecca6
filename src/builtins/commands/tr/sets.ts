import { escapeByte, ESCAPED_BYTES, quote, utf8 } from "../../text/mod.ts";
import { InvalidArgument, UINTMAX } from "../../core/mod.ts";

/** One construct of a `tr` string: a run of bytes. */
export interface Element {
  readonly kind: "char" | "range" | "class" | "equivalence" | "repeat";
  /** The bytes, in ascending order; only ranges and classes have several. */
  readonly bytes: Uint8Array;
  /** Number of bytes that it stands for; `undefined` for `[c*]`, which is as long as necessary. */
  readonly length: number | undefined;
  /** Set for `[:upper:]` and `[:lower:]`, which convert case when they meet. */
  readonly letters?: "upper" | "lower";
}

const inRanges = (...ranges: readonly (readonly [number, number])[]): Uint8Array =>
  Uint8Array.from({ length: 256 }, (_, byte) => byte)
    .filter((byte) => ranges.some(([from, to]) => byte >= from && byte <= to));

/** The members of each class; in C.UTF-8 no single byte beyond ASCII belongs to one. */
const CLASSES: Readonly<Record<string, Uint8Array>> = {
  alnum: inRanges([48, 57], [65, 90], [97, 122]),
  alpha: inRanges([65, 90], [97, 122]),
  blank: inRanges([9, 9], [32, 32]),
  cntrl: inRanges([0, 31], [127, 127]),
  digit: inRanges([48, 57]),
  graph: inRanges([33, 126]),
  lower: inRanges([97, 122]),
  print: inRanges([32, 126]),
  punct: inRanges([33, 47], [58, 64], [91, 96], [123, 126]),
  space: inRanges([9, 13], [32, 32]),
  upper: inRanges([65, 90]),
  xdigit: inRanges([48, 57], [65, 70], [97, 102]),
};

const BACKSLASH = 92;

/** A string without its backslash escapes; escaped bytes are not part of a construct. */
interface Escaped {
  readonly bytes: readonly number[];
  readonly escaped: readonly boolean[];
}

function isOctal(byte: number | undefined): byte is number {
  return byte !== undefined && byte >= 48 && byte <= 55;
}

function unescape(text: string, warn: (message: string) => void): Escaped {
  const from = utf8(text);
  const bytes: number[] = [];
  const escaped: boolean[] = [];
  for (let i = 0; i < from.length; i++) {
    const byte = from[i] as number;
    if (byte !== BACKSLASH) {
      bytes.push(byte);
      escaped.push(false);
      continue;
    }
    const next = from[i + 1];
    if (next === undefined) {
      warn("warning: an unescaped backslash at end of string is not portable");
      bytes.push(BACKSLASH);
      escaped.push(false);
      break;
    }
    i++;
    let value = ESCAPED_BYTES.get(next) ?? next;
    if (isOctal(next)) {
      value = next - 48;
      const second = from[i + 1];
      const third = from[i + 2];
      if (isOctal(second)) {
        value = value * 8 + second - 48;
        i++;
        if (isOctal(third)) {
          if (value * 8 + third - 48 <= 255) {
            value = value * 8 + third - 48;
            i++;
          } else {
            const [a, b, c] = [next, second, third].map((digit) => String.fromCharCode(digit));
            warn(
              `warning: the ambiguous octal escape \\${a}${b}${c} is being\n` +
                `\tinterpreted as the 2-byte sequence \\0${a}${b}, ${c}`,
            );
          }
        }
      }
    }
    bytes.push(value);
    escaped.push(true);
  }
  return { bytes, escaped };
}

/** A byte in a message: as a character if printable, otherwise in octal. */
function inOctal(byte: number): string {
  return isPrintable(byte) ? String.fromCharCode(byte) : `\\${byte.toString(8).padStart(3, "0")}`;
}

/** Bytes in a message, as in C source. */
function asInC(bytes: readonly number[]): string {
  return bytes.map((byte) =>
    byte === BACKSLASH ? "\\\\" : isPrintable(byte) ? String.fromCharCode(byte) : escapeByte(byte)
  ).join("");
}

function isPrintable(byte: number): boolean {
  return byte >= 32 && byte < 127;
}

/**
 * Parses one of the strings of `tr`: escapes, ranges `a-z`, classes `[:digit:]`, equivalence
 * classes `[=c=]` and repetitions `[c*n]`, all over bytes.
 *
 * @throws {InvalidArgument} With GNU's message.
 */
export function parseSet(text: string, warn: (message: string) => void): Element[] {
  return new SetParser(unescape(text, warn)).parse();
}

class SetParser {
  readonly #bytes: readonly number[];
  readonly #escaped: readonly boolean[];
  readonly #elements: Element[] = [];

  constructor({ bytes, escaped }: Escaped) {
    this.#bytes = bytes;
    this.#escaped = escaped;
  }

  parse(): Element[] {
    const bytes = this.#bytes;
    let at = 0;
    while (at + 2 < bytes.length) {
      const after = this.#is(at, "[") ? this.#bracket(at) : undefined;
      if (after !== undefined) {
        at = after;
      } else if (this.#is(at + 1, "-")) {
        this.#range(bytes[at] as number, bytes[at + 2] as number);
        at += 3;
      } else {
        this.#char(bytes[at++] as number);
      }
    }
    // The rest is shorter than any construct.
    while (at < bytes.length) this.#char(bytes[at++] as number);
    return this.#elements;
  }

  #is(at: number, character: string): boolean {
    return this.#bytes[at] === character.charCodeAt(0) && this.#escaped[at] === false;
  }

  #char(byte: number): void {
    this.#elements.push({ kind: "char", bytes: Uint8Array.of(byte), length: 1 });
  }

  #range(first: number, last: number): void {
    if (first > last) {
      const ends = [first, last].map(inOctal).join("-");
      throw new InvalidArgument(
        `range-endpoints of '${ends}' are in reverse collating sequence order`,
      );
    }
    const bytes = inRanges([first, last]);
    this.#elements.push({ kind: "range", bytes, length: bytes.length });
  }

  /** Reads a construct in brackets at `at`; returns the offset after it, if there is one. */
  #bracket(at: number): number | undefined {
    const delimiter = this.#is(at + 1, ":") ? ":" : this.#is(at + 1, "=") ? "=" : undefined;
    if (delimiter !== undefined) {
      const close = this.#closing(at + 2, delimiter);
      if (close !== undefined) {
        const operand = this.#bytes.slice(at + 2, close);
        const taken = delimiter === ":" ? this.#class(operand) : this.#equivalence(operand);
        if (taken) return close + 2;
        if (!this.#starDigitsBracket(at + 2)) {
          const shown = asInC(operand);
          throw new InvalidArgument(
            delimiter === ":"
              ? `invalid character class ${quote(shown)}`
              : `${shown}: equivalence class operand must be a single character`,
          );
        }
      }
    }
    return this.#repeat(at + 1);
  }

  #closing(from: number, delimiter: string): number | undefined {
    for (let at = from; at < this.#bytes.length - 1; at++) {
      if (this.#is(at, delimiter) && this.#is(at + 1, "]")) return at;
    }
    return undefined;
  }

  #class(operand: readonly number[]): boolean {
    if (operand.length === 0) {
      throw new InvalidArgument("missing character class name '[::]'");
    }
    const name = String.fromCharCode(...operand);
    const bytes = Object.hasOwn(CLASSES, name) ? CLASSES[name] : undefined;
    if (bytes === undefined) return false;
    this.#elements.push({
      kind: "class",
      bytes,
      length: bytes.length,
      ...((name === "upper" || name === "lower") && { letters: name }),
    });
    return true;
  }

  #equivalence(operand: readonly number[]): boolean {
    if (operand.length === 0) {
      throw new InvalidArgument("missing equivalence class character '[==]'");
    }
    if (operand.length > 1) return false;
    this.#elements.push({ kind: "equivalence", bytes: Uint8Array.from(operand), length: 1 });
    return true;
  }

  #starDigitsBracket(from: number): boolean {
    if (!this.#is(from, "*")) return false;
    let at = from + 1;
    while ((this.#bytes[at] ?? 0) >= 48 && (this.#bytes[at] ?? 0) <= 57) at++;
    return this.#is(at, "]");
  }

  /** Reads `c*n]` at `at`; a number that begins with 0 is octal. */
  #repeat(at: number): number | undefined {
    if (!this.#is(at + 1, "*")) return undefined;
    let close = at + 2;
    while (this.#bytes[close] !== 93) {
      if (close >= this.#bytes.length || this.#escaped[close] === true) return undefined;
      close++;
    }
    if (this.#escaped[close] === true) return undefined;
    const digits = this.#bytes.slice(at + 2, close);
    this.#elements.push({
      kind: "repeat",
      bytes: Uint8Array.of(this.#bytes[at] as number),
      length: digits.length === 0 ? undefined : repeatCount(digits),
    });
    return close + 1;
  }
}

function repeatCount(digits: readonly number[]): number | undefined {
  const text = String.fromCharCode(...digits);
  const valid = digits[0] === 48 ? /^[0-7]+$/.test(text) : /^[ \t\n\v\f\r]*\+?\d+$/.test(text);
  const value = valid ? BigInt(digits[0] === 48 ? `0o${text}` : text.replace("+", "").trim()) : 0n;
  if (!valid || value >= UINTMAX) {
    throw new InvalidArgument(
      `invalid repeat count ${quote(asInC(digits))} in [c*n] construct`,
    );
  }
  // A count of 0 is the same as no count.
  return value === 0n ? undefined : Number(value);
}
