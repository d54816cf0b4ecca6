/**
 * The part of Perl's pattern syntax that can be matched in linear time, to a syntax tree.
 *
 * As in GNU grep 3.8's `-P`: characters are UTF-8, `\d`, `\w`, `\s` and `\b` are ASCII.
 *
 * @module
 */

import { Beside, cat, empty, type Node } from "./ast.ts";
import { type CharSet, INVALID, negate } from "./charset.ts";
import { foldCase } from "./classes.ts";
import { RegexError } from "./errors.ts";
import { assertion, escapedPlaces } from "./escapes.ts";
import { escapeSet, parsePerlBracket, readEscape } from "./perl_sets.ts";

/** A parsed Perl pattern. */
export interface PerlParsed {
  readonly tree: Node;
  /** Number of sub-expressions that the pattern has. */
  readonly groups: number;
  /** Sub-expression that marks where the reported match begins (`\K`, `(?<=...)`), or 0. */
  readonly keep: number;
  /** Sub-expression that marks where the reported match ends (`(?=...)`), or 0. */
  readonly stop: number;
  /** Most bytes that a look-behind takes. */
  readonly behind: number;
}

const unsupported = (what: string): RegexError =>
  new RegexError(
    `-P does not support ${what} here, because it can't be matched in linear time; ` +
      "write the pattern without it, or use -E",
  );

const maxDepth = 500;

/** Parses the symbols of a Perl pattern; `around` must hold where the reported match ends. */
export function parsePerl(
  symbols: readonly number[],
  ignoreCase: boolean,
  around: readonly [before: Node, after: Node],
): PerlParsed {
  return new PerlParser(symbols, ignoreCase).parse(around);
}

class PerlParser {
  readonly #symbols: readonly number[];
  #ignoreCase: boolean;
  #extended = false;
  #at = 0;
  #groups = 0;
  #depth = 0;
  #keep = false;
  #behind: Node | undefined;
  #ahead: Node | undefined;

  constructor(symbols: readonly number[], ignoreCase: boolean) {
    this.#symbols = symbols;
    this.#ignoreCase = ignoreCase;
  }

  parse(around: readonly [before: Node, after: Node]): PerlParsed {
    const tree = this.#alternatives();
    if (this.#at < this.#symbols.length) throw new RegexError("unmatched closing parenthesis");
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
    const bytes = behind === undefined ? 0 : longest(behind) * 4;
    if (bytes === Infinity) throw new RegexError("lookbehind assertion is not fixed length");
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

  #alternatives(): Node {
    const { extended, ignoreCase } = { extended: this.#extended, ignoreCase: this.#ignoreCase };
    const branches = [this.#branch()];
    while (this.#take("|")) branches.push(this.#branch());
    this.#extended = extended;
    this.#ignoreCase = ignoreCase;
    return branches.length === 1 ? branches[0] as Node : { type: "alt", items: branches };
  }

  #branch(): Node {
    const items: Node[] = [];
    for (;;) {
      if (this.#extended) this.#skipComments();
      if (this.#at >= this.#symbols.length || this.#peek("|") || this.#peek(")")) return cat(items);
      if (this.#ahead !== undefined) throw unsupported("a look-ahead that is not last");
      if (this.#take("\\Q")) {
        while (this.#at < this.#symbols.length && !this.#take("\\E")) {
          items.push(this.#literal(this.#symbols[this.#at++] as number));
        }
        continue;
      }
      if (this.#take("\\E")) continue;
      items.push(this.#repetitions(this.#atom(items.length === 0)));
    }
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

  #atom(first: boolean): Node {
    const symbol = this.#symbols[this.#at++] as number;
    switch (symbol < 0x80 ? String.fromCharCode(symbol) : "") {
      case "(":
        return this.#group(first);
      case ".":
        return { type: "set", set: negate([10, 10]) };
      case "^":
        return assertion(Beside.edge, Beside.any);
      case "$":
        return textEnd;
      case "[": {
        const { set, end } = parsePerlBracket(this.#symbols, this.#at, this.#ignoreCase);
        this.#at = end;
        return { type: "set", set };
      }
      case "*":
      case "+":
      case "?":
        throw new RegexError("quantifier does not follow a repeatable item");
      case "\\":
        return this.#escape();
      default:
        return this.#literal(symbol);
    }
  }

  #literal(symbol: number): Node {
    const set: CharSet = [symbol, symbol];
    return { type: "set", set: this.#ignoreCase && symbol < INVALID ? foldCase(set) : set };
  }

  #escape(): Node {
    const symbol = this.#symbols[this.#at];
    if (symbol === undefined) throw new RegexError("\\ at end of pattern");
    const letter = symbol < 0x80 ? String.fromCharCode(symbol) : "";
    const place = perlPlaces.get(letter);
    if (place !== undefined) {
      this.#at++;
      return place;
    }
    if (letter === "K") {
      this.#at++;
      if (this.#depth > 0 || this.#keep) throw unsupported("\\K in a group, or twice,");
      this.#keep = true;
      return keepMark;
    }
    if (/[1-9gk]/.test(letter)) throw unsupported("back-references");
    if (/[GXRC]/.test(letter)) throw unsupported(`\\${letter}`);
    const set = escapeSet(this.#symbols, this.#at);
    if (set !== undefined) {
      this.#at = set.end;
      return { type: "set", set: set.set };
    }
    const read = readEscape(this.#symbols, this.#at);
    this.#at = read.end;
    return this.#literal(read.point);
  }

  #group(first: boolean): Node {
    if (++this.#depth > maxDepth) throw new RegexError("parentheses are too deeply nested");
    const { extended, ignoreCase } = { extended: this.#extended, ignoreCase: this.#ignoreCase };
    let index = 0;
    let look: "behind" | "ahead" | undefined;
    if (this.#take("?#")) {
      while (this.#at < this.#symbols.length && !this.#peek(")")) this.#at++;
    } else if (this.#take("?=")) look = "ahead";
    else if (this.#take("?<=")) look = "behind";
    else if (this.#peek("?!") || this.#peek("?<!")) throw unsupported("negative look-around");
    else if (this.#peek("?>") || this.#peek("?(") || this.#peek("?R") || this.#peek("*")) {
      throw unsupported("atomic and conditional groups, recursion and verbs");
    } else if (this.#take("?:")) index = 0;
    else if (this.#take("?P<") || this.#take("?<") || this.#take("?'")) index = this.#named();
    else if (this.#take("?")) {
      if (this.#flags()) return this.#close(empty);
    } else index = ++this.#groups;
    if (look === "behind" && (!first || this.#depth > 1 || this.#behind !== undefined)) {
      throw unsupported("a look-behind that is not first");
    }
    if (look === "ahead" && this.#depth > 1) throw unsupported("a look-ahead in a group");
    const item = this.#alternatives();
    this.#close(item);
    this.#extended = extended;
    this.#ignoreCase = ignoreCase;
    if (look === "behind") this.#behind = item;
    else if (look === "ahead") this.#ahead = item;
    if (look !== undefined) return empty;
    return index === 0 ? item : { type: "group", index, item };
  }

  #close(item: Node): Node {
    if (!this.#take(")")) throw new RegexError("missing closing parenthesis");
    this.#depth--;
    return item;
  }

  #named(): number {
    while (this.#at < this.#symbols.length && !this.#peek(">") && !this.#peek("'")) this.#at++;
    this.#at++;
    return ++this.#groups;
  }

  /** Reads flags; true if they are for the rest of the enclosing group. */
  #flags(): boolean {
    let on = true;
    for (;; this.#at++) {
      if (this.#peek(")")) return true;
      if (this.#take(":")) return false;
      if (this.#peek("-")) on = false;
      else if (this.#peek("i")) this.#ignoreCase = on;
      else if (this.#peek("x")) this.#extended = on;
      else if (!this.#peek("s") && !this.#peek("m") && !this.#peek("^")) {
        throw new RegexError("unrecognized character after (? or (?-");
      }
    }
  }

  #repetitions(start: Node): Node {
    if (this.#extended) this.#skipComments();
    let min = 1;
    let max = 1;
    if (this.#take("*")) [min, max] = [0, -1];
    else if (this.#take("+")) [min, max] = [1, -1];
    else if (this.#take("?")) [min, max] = [0, 1];
    else {
      const bounds = this.#interval();
      if (bounds === undefined) return start;
      [min, max] = bounds;
    }
    if (this.#peek("+")) throw unsupported("possessive repetition");
    const lazy = this.#take("?");
    if (this.#peek("*") || this.#peek("+") || this.#peek("?")) {
      throw new RegexError("quantifier does not follow a repeatable item");
    }
    if (start === keepMark) throw unsupported("\\K repeated");
    return max === 0 ? empty : { type: "repeat", item: start, min, max, lazy };
  }

  #interval(): [number, number] | undefined {
    const rest = this.#symbols.slice(this.#at, this.#at + 20)
      .map((symbol) => symbol < 0x80 ? String.fromCharCode(symbol) : "\u0000").join("");
    const found = /^\{(\d+)(,(\d*))?\}/.exec(rest);
    if (found === null) return undefined;
    this.#at += found[0].length;
    const min = Number(found[1]);
    const max = found[2] === undefined ? min : found[3] === "" ? -1 : Number(found[3]);
    if (max >= 0 && min > max) throw new RegexError("numbers out of order in {} quantifier");
    if (Math.max(min, max) > 65535) throw new RegexError("number too big in {} quantifier");
    return [min, max];
  }
}

/** Stands for `\K` until its sub-expression's number is known. */
const keepMark: Node = { type: "group", index: -1, item: empty };

function placeKeep(tree: Node, index: number): Node {
  if (tree === keepMark) return { type: "group", index, item: empty };
  if (tree.type !== "cat") return tree;
  return { type: "cat", items: tree.items.map((item) => placeKeep(item, index)) };
}

/** Most symbols that a node matches. */
function longest(node: Node): number {
  switch (node.type) {
    case "set":
      return 1;
    case "cat":
      return node.items.reduce((sum, item) => sum + longest(item), 0);
    case "alt":
      return Math.max(...node.items.map(longest));
    case "group":
      return longest(node.item);
    case "repeat": {
      const once = longest(node.item);
      return once === 0 ? 0 : node.max < 0 ? Infinity : once * node.max;
    }
    default:
      return 0;
  }
}

const textEnd = assertion(Beside.any, Beside.edge);

const perlPlaces = new Map<string, Node>([
  ...["b", "B"].map((letter): [string, Node] => [letter, escapedPlaces.get(letter) ?? empty]),
  ["A", assertion(Beside.edge, Beside.any)],
  ["z", textEnd],
  ["Z", textEnd],
]);
