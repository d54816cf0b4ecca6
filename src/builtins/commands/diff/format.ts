import { utf8 } from "../../text/mod.ts";

/** A number in a format: how it is written, and the letter of what it is. */
export interface NumberSpec {
  readonly left: boolean;
  readonly zeros: boolean;
  readonly width: number;
  /** The least number of digits; `undefined` if it was not given. */
  readonly digits: number | undefined;
  readonly base: "d" | "o" | "x" | "X";
  readonly letter: string;
}

/** A part of a format: text, lines, a number, or one of two formats. */
export type FormatPart =
  | { readonly kind: "text"; readonly bytes: Uint8Array<ArrayBuffer> }
  | { readonly kind: "lines"; readonly of: string }
  | { readonly kind: "number"; readonly spec: NumberSpec }
  | {
    readonly kind: "if";
    readonly sides: readonly [number | string, number | string];
    readonly then: readonly FormatPart[];
    readonly otherwise: readonly FormatPart[];
  };

/** What stands for numbers in the formats of groups, in lower case for the old one. */
const GROUP_LETTERS = /^[eflmnEFLMN]$/;
const NUMBER = /^%([-'0]*)(\d*)(?:\.(\d*))?([doxX])([^])/;
const CHARACTER = /^%[-'0]*\d*(?:\.\d*)?c'(?:\\([0-7]{1,3})|([^\\']))'/;

/** Reads a format of lines (`--line-format` and the like); what is none of its own stands for itself. */
export function readLineFormat(format: string): FormatPart[] {
  return new FormatScan(format, /^[lL]$/, /^n$/, false).read("");
}

/** Reads a format of groups (`-D`, `--changed-group-format` and the like). */
export function readGroupFormat(format: string): FormatPart[] {
  return new FormatScan(format, /^[<>=]$/, GROUP_LETTERS, true).read("");
}

class FormatScan {
  readonly #text: string;
  readonly #lines: RegExp;
  readonly #letters: RegExp;
  readonly #choices: boolean;
  #at = 0;

  constructor(text: string, lines: RegExp, letters: RegExp, choices: boolean) {
    this.#text = text;
    this.#lines = lines;
    this.#letters = letters;
    this.#choices = choices;
  }

  /** Reads until a character that ends a part, or to the end. */
  read(end: string): FormatPart[] {
    const parts: FormatPart[] = [];
    let text: number[] = [];
    const flush = (): void => {
      if (text.length > 0) parts.push({ kind: "text", bytes: Uint8Array.from(text) });
      text = [];
    };
    while (this.#at < this.#text.length) {
      const rest = this.#text.slice(this.#at);
      const character = String.fromCodePoint(rest.codePointAt(0) ?? 0);
      if (character === end) break;
      if (character !== "%") {
        this.#at += character.length;
        text.push(...utf8(character));
        continue;
      }
      const part = this.#special(rest);
      if (typeof part === "number") text.push(part);
      else {
        flush();
        parts.push(part);
      }
    }
    flush();
    return parts;
  }

  /** What a percent sign begins: a part, or the byte that it stands for. */
  #special(rest: string): FormatPart | number {
    const next = rest[1] ?? "";
    if (next === "%") {
      this.#at += 2;
      return 37;
    }
    if (this.#lines.test(next)) {
      this.#at += 2;
      return { kind: "lines", of: next };
    }
    if (next === "(" && this.#choices) {
      const choice = this.#choice(rest);
      if (choice !== undefined) return choice;
    }
    const [whole = "", octal, character] = CHARACTER.exec(rest) ?? [];
    if (whole !== "") {
      this.#at += whole.length;
      return octal === undefined ? (utf8(character ?? "")[0] ?? 0) : parseInt(octal, 8) & 255;
    }
    const number = NUMBER.exec(rest);
    const [spelled = "", flags = "", width = "", digits, base = "d", letter = ""] = number ?? [];
    if (spelled !== "" && this.#letters.test(letter)) {
      this.#at += spelled.length;
      const spec: NumberSpec = {
        left: flags.includes("-"),
        zeros: flags.includes("0"),
        width: Number(width),
        digits: digits === undefined ? undefined : Number(digits),
        base: base as NumberSpec["base"],
        letter,
      };
      return { kind: "number", spec };
    }
    this.#at++;
    return 37;
  }

  /** `%(A=B?T:E)`. */
  #choice(rest: string): FormatPart | undefined {
    const match = /^%\((\d+|[eflmnEFLMN])=(\d+|[eflmnEFLMN])\?/.exec(rest);
    if (match === null) return undefined;
    const [whole, a = "", b = ""] = match;
    this.#at += whole.length;
    const then = this.read(":");
    this.#at++;
    const otherwise = this.#at > this.#text.length ? [] : this.read(")");
    this.#at = Math.min(this.#at + 1, this.#text.length);
    const side = (text: string): number | string => /^\d/.test(text) ? Number(text) : text;
    return { kind: "if", sides: [side(a), side(b)], then, otherwise };
  }
}

/** Writes a number as C's `printf` does. */
export function formatNumber(value: number, spec: NumberSpec): string {
  const { left, zeros, width, digits, base } = spec;
  const radix = base === "d" ? 10 : base === "o" ? 8 : 16;
  // Numbers below zero, the line before the first, are those of 64 bits in other bases.
  const plain = value < 0 && radix !== 10
    ? BigInt.asUintN(64, BigInt(value)).toString(radix)
    : Math.abs(value).toString(radix);
  const sign = value < 0 && radix === 10 ? "-" : "";
  let text = base === "X" ? plain.toUpperCase() : plain;
  if (digits !== undefined) text = digits === 0 && value === 0 ? "" : text.padStart(digits, "0");
  else if (zeros && !left) text = text.padStart(width - sign.length, "0");
  text = sign + text;
  return left ? text.padEnd(width) : text.padStart(width);
}

/** The formats of lines and of groups of lines. */
export interface DiffFormats {
  readonly lines: Readonly<Record<"old" | "new" | "unchanged", readonly FormatPart[]>>;
  readonly groups: Readonly<Record<"old" | "new" | "unchanged" | "changed", readonly FormatPart[]>>;
}
