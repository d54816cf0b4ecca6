/**
 * The tokens of POSIX basic and extended regular expressions in GNU's dialect.
 *
 * @module
 */

import { type AssertNode, Beside, type Node } from "../ast.ts";
import { anyCharacter, type CharSet, INVALID, negate } from "../charset.ts";
import { foldCase } from "../classes.ts";
import { RegexError } from "../errors.ts";
import { assertion, escapedPlaces, escapedSet } from "../escapes.ts";
import type { ParseOptions } from "../parsed.ts";

/** A token. For a bracket expression or an interval it is only the opening. */
export type Token =
  | { readonly type: "atom"; readonly node: Node }
  | { readonly type: "anchor"; readonly node: AssertNode | Node; readonly caret: boolean }
  | { readonly type: "repeat"; readonly min: number; readonly max: number; readonly shown: string }
  | { readonly type: "interval" }
  | { readonly type: "bracket" | "open" | "close" | "or" | "end" };

/** The tokens without a value. */
export const simpleTokens = {
  end: { type: "end" },
  open: { type: "open" },
  close: { type: "close" },
  or: { type: "or" },
  bracket: { type: "bracket" },
  interval: { type: "interval" },
} as const;

/** Reads the tokens of one pattern. */
export class TokenReader {
  /** Offset of the next token. */
  at = 0;
  /** Sub-expressions that a back-reference may refer to here. */
  closed: Set<number> = new Set();
  /** True if there were back-references. */
  backrefs = false;
  /** The pattern. */
  readonly symbols: readonly number[];
  readonly #options: ParseOptions;

  constructor(symbols: readonly number[], options: ParseOptions) {
    this.symbols = symbols;
    this.#options = options;
  }

  /** Reads the next token. With `anchors` a basic `^` here is an anchor. */
  read(anchors: boolean): Token {
    const { extended } = this.#options;
    const symbol = this.symbols[this.at++];
    if (symbol === undefined) {
      this.at--;
      return simpleTokens.end;
    }
    const character = symbol < 0x80 ? String.fromCharCode(symbol) : "";
    switch (character) {
      case "\\":
        return this.#escape();
      case "[":
        return simpleTokens.bracket;
      case ".":
        return { type: "atom", node: { type: "set", set: this.#dot() } };
      case "*":
        return { type: "repeat", min: 0, max: -1, shown: "*" };
      case "^":
        return extended || anchors ? this.#anchor(true) : this.#literal(symbol);
      case "$":
        return extended || this.#beforeEnd() ? this.#anchor(false) : this.#literal(symbol);
    }
    return extended && this.#operator(character) || this.#literal(symbol);
  }

  #operator(character: string): Token | undefined {
    switch (character) {
      case "(":
        return simpleTokens.open;
      case ")":
        return simpleTokens.close;
      case "|":
        return simpleTokens.or;
      case "{":
        return simpleTokens.interval;
      case "+":
        return { type: "repeat", min: 1, max: -1, shown: "+" };
      case "?":
        return { type: "repeat", min: 0, max: 1, shown: "?" };
      default:
        return undefined;
    }
  }

  #escape(): Token {
    const symbol = this.symbols[this.at++];
    if (symbol === undefined) throw new RegexError("Trailing backslash");
    const character = symbol < 0x80 ? String.fromCharCode(symbol) : "";
    if (character >= "1" && character <= "9") {
      const index = Number(character);
      if (!this.closed.has(index)) throw new RegexError("Invalid back reference");
      this.backrefs = true;
      const { ignoreCase } = this.#options;
      return { type: "atom", node: { type: "backref", index, ignoreCase } };
    }
    const place = escapedPlaces.get(character);
    if (place !== undefined) return { type: "anchor", node: place, caret: false };
    const set = escapedSet(character);
    if (set !== undefined) return { type: "atom", node: { type: "set", set, vague: true } };
    return !this.#options.extended && this.#operator(character) || this.#literal(symbol);
  }

  /** True if the basic `$` just read is the last character of its branch. */
  #beforeEnd(): boolean {
    const next = this.symbols[this.at];
    if (next === undefined) return true;
    const after = this.symbols[this.at + 1];
    return next === 0x5c && (after === 0x29 || after === 0x7c);
  }

  #anchor(start: boolean): Token {
    const { multiline, plainAnchors } = this.#options;
    const lines = multiline && plainAnchors !== true;
    const beside = lines ? Beside.edge | Beside.newline : Beside.edge;
    const node = start ? assertion(beside, Beside.any) : assertion(Beside.any, beside);
    return { type: "anchor", node, caret: start };
  }

  #dot(): CharSet {
    if (this.#options.dialect === "library") return negate([0, 0]);
    return this.#options.multiline ? negate([0x0a, 0x0a]) : anyCharacter;
  }

  #literal(symbol: number): Token {
    const set = [symbol, symbol];
    const folded = this.#options.ignoreCase && symbol < INVALID ? foldCase(set) : set;
    return { type: "atom", node: { type: "set", set: folded } };
  }
}
