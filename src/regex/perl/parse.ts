/**
 * Parses the part of Perl's pattern syntax that can be matched in linear time.
 *
 * As in GNU grep 3.8's `-P`, characters are UTF-8, and `\d`, `\w`, `\s` and `\b` are ASCII.
 *
 * @module
 */

import { Beside, cat, empty, type Node } from "../ast.ts";
import { anyCharacter, type CharSet, INVALID, negate } from "../charset.ts";
import { foldCase } from "../classes.ts";
import { RegexError } from "../errors.ts";
import { assertion } from "../escapes.ts";
import {
  type Atom,
  isFixed,
  keepMark,
  lineBreak,
  longest,
  lookMark,
  once,
  perlPlaces,
  place,
  placeKeep,
  unsupported,
  wordEdges,
} from "./pieces.ts";
import { parsePerlBracket } from "./bracket.ts";
import { escapeSet, intervalAt, isCodePoint, readEscape, unsupportedEscapes } from "./escapes.ts";
import { readQuantifier, repeated } from "./quantifier.ts";
import { noModes, type PerlModes, readGroupHead, skipSettings } from "./group.ts";

/** A parsed Perl pattern. */
export interface PerlParsed {
  readonly tree: Node;
  /** Number of sub-expressions of the pattern. */
  readonly groups: number;
  /** Sub-expression that marks the start of the reported match (`\K`, `(?<=...)`), or 0. */
  readonly keep: number;
  /** Sub-expression that marks the end of the reported match (`(?=...)`), or 0. */
  readonly stop: number;
  /** Maximum number of bytes that a look-behind matches. */
  readonly behind: number;
}

const maxDepth = 500;
const notRepeatable = "quantifier does not follow a repeatable item";
const references = "back-references";

/**
 * Parses the symbols of a Perl pattern. `around` must hold at the start and the end of the reported
 * match. `enclosed` means that the pattern is part of another, so that it has no settings.
 */
export function parsePerl(
  symbols: readonly number[],
  ignoreCase: boolean,
  around: readonly [before: Node, after: Node],
  enclosed = false,
): PerlParsed {
  return new PerlParser(symbols, ignoreCase, enclosed).parse(around);
}

class PerlParser {
  readonly #symbols: readonly number[];
  #modes: PerlModes;
  #at: number;
  #groups = 0;
  #depth = 0;
  readonly #names = new Map<string, number>();
  #keep = false;
  /** True if a quantifier may follow the last item. */
  #repeatable = false;
  /** The highest sub-expression that a back-reference refers to. */
  #referred = 0;
  #behind: Node | undefined;
  #ahead: Node | undefined;

  constructor(symbols: readonly number[], ignoreCase: boolean, enclosed: boolean) {
    this.#symbols = symbols;
    this.#modes = { ...noModes, ignoreCase };
    this.#at = enclosed ? 0 : skipSettings(symbols);
  }

  parse(around: readonly [before: Node, after: Node]): PerlParsed {
    const tree = this.#alternatives();
    if (this.#at < this.#symbols.length) throw new RegexError("unmatched closing parenthesis");
    if (this.#referred > this.#groups) {
      throw new RegexError("reference to non-existent subpattern");
    }
    if (this.#referred > 0) throw unsupported(references);
    const { groups, behind, ahead } = {
      groups: this.#groups,
      behind: this.#behind,
      ahead: this.#ahead,
    };
    const special = this.#keep || behind !== undefined || ahead !== undefined;
    if (special && tree.type === "alt") {
      throw unsupported("\\K or a look-around beside alternatives");
    }
    if (this.#keep && behind !== undefined) throw unsupported("\\K with a look-behind");
    const parts: Node[] = [around[0], tree, around[1]];
    const keep = behind !== undefined || this.#keep ? groups + 1 : 0;
    const stop = ahead === undefined ? 0 : groups + 2;
    if (behind !== undefined) parts.unshift(behind, { type: "group", index: keep, item: empty });
    if (ahead !== undefined) parts.push({ type: "group", index: stop, item: empty }, ahead);
    if (behind !== undefined && !isFixed(behind)) {
      throw new RegexError("lookbehind assertion is not fixed length");
    }
    const bytes = behind === undefined ? 0 : longest(behind) * 4;
    return {
      tree: this.#keep ? placeKeep(cat(parts), keep) : cat(parts),
      groups,
      keep,
      stop,
      behind: bytes,
    };
  }

  #peek(text: string): boolean {
    for (let i = 0; i < text.length; i++) {
      if (this.#symbols[this.#at + i] !== text.charCodeAt(i)) return false;
    }
    return true;
  }

  #take(text: string): boolean {
    if (!this.#peek(text)) return false;
    this.#at += text.length;
    return true;
  }

  /**
   * Reads alternatives. With `resets` each branch numbers its sub-expressions from the same start.
   */
  #alternatives(resets = false): Node {
    const modes = this.#modes;
    const before = this.#groups;
    const branches = [this.#branch()];
    let most = this.#groups;
    while (this.#take("|")) {
      if (resets) this.#groups = before;
      branches.push(this.#branch());
      most = Math.max(most, this.#groups);
    }
    this.#groups = most;
    this.#modes = modes;
    return branches.length === 1 ? branches[0] as Node : { type: "alt", items: branches };
  }

  #branch(): Node {
    const items: Node[] = [];
    this.#repeatable = false;
    for (;;) {
      if (this.#modes.extended > 0) this.#skipComments();
      if (this.#take("\\E") || this.#comment()) continue;
      if (this.#at >= this.#symbols.length || this.#peek("|") || this.#peek(")")) return cat(items);
      const quantifier = readQuantifier(this.#symbols, this.#at, this.#modes.ungreedy);
      if (quantifier !== undefined) {
        this.#at = quantifier.end;
        const item = this.#repeatable ? items.pop() : undefined;
        if (item === undefined) throw new RegexError(notRepeatable);
        items.push(repeated(item, quantifier));
        this.#repeatable = false;
        continue;
      }
      if (this.#ahead !== undefined) throw unsupported("a look-ahead that is not last");
      if (this.#take("\\Q")) {
        while (this.#at < this.#symbols.length && !this.#take("\\E")) {
          items.push(this.#literal(this.#symbols[this.#at++] as number));
          this.#repeatable = true;
        }
        continue;
      }
      const item = this.#atom(items.length === 0);
      this.#repeatable = item.repeatable;
      items.push(item.node);
    }
  }

  /** Skips a `(?#...)` comment. */
  #comment(): boolean {
    if (!this.#take("(?#")) return false;
    while (this.#at < this.#symbols.length && !this.#peek(")")) this.#at++;
    if (!this.#take(")")) throw new RegexError("missing ) after (?# comment");
    return true;
  }

  #skipComments(): void {
    for (;;) {
      const symbol = this.#symbols[this.#at] ?? 0;
      if (symbol === 0x20 || symbol >= 9 && symbol <= 13) this.#at++;
      else if (symbol === 0x23) {
        while (this.#at < this.#symbols.length && this.#symbols[this.#at] !== 10) this.#at++;
      } else return;
    }
  }

  #atom(first: boolean): Atom {
    const symbol = this.#symbols[this.#at++] as number;
    switch (symbol < 0x80 ? String.fromCharCode(symbol) : "") {
      case "(":
        return this.#group(first);
      case ".":
        return once({ type: "set", set: this.#modes.dotAll ? anyCharacter : negate([10, 10]) });
      case "^":
        return place(assertion(this.#lineEdge, Beside.any));
      case "$":
        return place(assertion(Beside.any, this.#lineEdge));
      case "[":
        return this.#bracket();
      case "\\":
        return this.#escape();
      default:
        return once(this.#literal(symbol));
    }
  }

  /** The neighbours of a line's ends, as bits of {@linkcode Beside}. */
  get #lineEdge(): number {
    return this.#modes.multiline ? Beside.edge | Beside.newline : Beside.edge;
  }

  #bracket(): Atom {
    for (const [text, node] of wordEdges) if (this.#take(text)) return place(node);
    const { ignoreCase, extended } = this.#modes;
    const options = { ignoreCase, skipsBlanks: extended === 2 };
    const { set, end } = parsePerlBracket(this.#symbols, this.#at, options);
    this.#at = end;
    return once({ type: "set", set });
  }

  #literal(symbol: number): Node {
    const set: CharSet = [symbol, symbol];
    const { ignoreCase } = this.#modes;
    return { type: "set", set: ignoreCase && symbol < INVALID ? foldCase(set) : set };
  }

  #escape(): Atom {
    const symbol = this.#symbols[this.#at];
    if (symbol === undefined) throw new RegexError("\\ at end of pattern");
    const letter = symbol < 0x80 ? String.fromCharCode(symbol) : "";
    const found = perlPlaces.get(letter);
    if (found !== undefined) {
      this.#at++;
      return place(found);
    }
    if (letter === "K") {
      this.#at++;
      if (this.#depth > 0 || this.#keep) throw unsupported("\\K in a group, or twice,");
      this.#keep = true;
      return place(keepMark);
    }
    if (letter >= "1" && letter <= "9" && this.#reference()) return once(empty);
    if (/[gk]/.test(letter)) throw unsupported(references);
    const isPoint = isCodePoint(this.#symbols, this.#at);
    const isName = this.#peek("N{") && !isPoint && intervalAt(this.#symbols, this.#at + 1) === null;
    if (/[FLlUu]/.test(letter) || isName) throw new RegexError(unsupportedEscapes);
    if (letter === "R") {
      this.#at++;
      return once(lineBreak);
    }
    if (/[GXC]/.test(letter)) throw unsupported(`\\${letter}`);
    const set = isPoint ? undefined : escapeSet(this.#symbols, this.#at);
    if (set !== undefined) {
      this.#at = set.end;
      return once({ type: "set", set: set.set });
    }
    const read = readEscape(this.#symbols, this.#at);
    this.#at = read.end;
    return once(this.#literal(read.point));
  }

  /** Reads a back-reference; false if the number is a character's octal code. */
  #reference(): boolean {
    let end = this.#at;
    let group = 0;
    for (;; end++) {
      const digit = (this.#symbols[end] ?? 0) - 0x30;
      if (digit < 0 || digit > 9) break;
      group = Math.min(1e6, group * 10 + digit);
    }
    const octal = (this.#symbols[this.#at] as number) < 0x38;
    if (group >= 10 && group > this.#groups && octal) return false;
    this.#at = end;
    this.#referred = Math.max(this.#referred, group);
    return true;
  }

  #group(first: boolean): Atom {
    if (++this.#depth > maxDepth) throw new RegexError("parentheses are too deeply nested");
    const before = this.#modes;
    const head = readGroupHead(this.#symbols, this.#at, before);
    this.#at = head.end;
    const { type } = head;
    let index = 0;
    switch (type) {
      case "flags":
        this.#modes = head.modes;
        if (head.group) break;
        this.#depth--;
        return place(empty);
      case "nothing":
      case "fail":
        this.#depth--;
        return type === "fail" ? once({ type: "set", set: [] }) : place(empty);
      case "capture":
        index = ++this.#groups;
        break;
      case "named":
        index = this.#named(head.name);
        break;
      case "behind":
        if (first && this.#depth === 1 && this.#behind === undefined) break;
        throw unsupported("a look-behind that is not first");
      case "ahead":
        if (this.#depth > 1) throw unsupported("a look-ahead in a group");
        break;
    }
    const item = this.#alternatives(type === "reset");
    if (!this.#take(")")) throw new RegexError("missing closing parenthesis");
    this.#depth--;
    this.#modes = before;
    if (type === "behind") this.#behind = item;
    else if (type === "ahead") this.#ahead = item;
    if (type === "behind" || type === "ahead") return once(lookMark);
    return once(index === 0 ? item : { type: "group", index, item });
  }

  /** The number of the next sub-expression, whose name is `name`. */
  #named(name: string): number {
    const index = ++this.#groups;
    const known = this.#names.get(name) ?? index;
    if (known !== index && !this.#modes.sameNames) {
      throw new RegexError("two named subpatterns have the same name (PCRE2_DUPNAMES not set)");
    }
    if ([...this.#names].some(([other, number]) => number === index && other !== name)) {
      throw new RegexError(
        "different names for subpatterns of the same number are not allowed",
      );
    }
    this.#names.set(name, index);
    return index;
  }
}
