/**
 * POSIX basic and extended regular expressions in GNU's dialect, to a syntax tree.
 *
 * The rules, and where grep and sed differ, are those of glibc's `regcomp.c` and gnulib's `dfa.c`.
 *
 * @module
 */

import { asksMatcher, type AssertNode, Beside, cat, empty, type Node, relaxed } from "./ast.ts";
import { parseBracket } from "./brackets.ts";
import { anyCharacter, type CharSet, INVALID, negate } from "./charset.ts";
import { foldCase } from "./classes.ts";
import { RegexError, RegexLimitError } from "./errors.ts";
import { assertion, escapedPlaces, escapedSet } from "./escapes.ts";
import { type Interval, type IntervalLenience, parseInterval } from "./interval.ts";

/** How a pattern is read. */
export interface ParseOptions {
  /** Extended (`-E`) or basic syntax. */
  readonly extended: boolean;
  /** The tool whose special cases apply, or glibc's own. */
  readonly dialect: "grep" | "sed" | "library" | "diff";
  /** Folds case. */
  readonly ignoreCase: boolean;
  /** `^` and `$` at newlines too, which `.` and `[^x]` then don't match. */
  readonly multiline: boolean;
  /** Keeps `^` and `$` from newlines with `multiline`: lines end otherwise (`sed -z`). */
  readonly plainAnchors?: boolean;
  /** Takes an unmatched `)` for itself (`sed --posix`). */
  readonly strayParenthesis?: boolean;
}

/** A parsed pattern. */
export interface Parsed {
  readonly tree: Node;
  /** Number of sub-expressions. */
  readonly groups: number;
  /** Whether the tree has back-references. */
  readonly backrefs: boolean;
  /** What grep says on standard error about constructs of doubtful meaning. */
  readonly warnings: readonly string[];
  /**
   * What the text must match besides `tree`. GNU's tools have two matchers, of glibc and of gnulib,
   * which take a repetition behind an anchor differently; a line must suit both.
   */
  readonly also?: Node;
  /** Whether `also` alone tells what lines match, and `tree` only where; not for whole words. */
  readonly alsoDecides?: boolean;
  /** What gnulib's parser refuses in a pattern that glibc takes. */
  readonly refused?: RegexError;
}

type Token =
  | { readonly type: "atom"; readonly node: Node }
  | { readonly type: "anchor"; readonly node: AssertNode | Node; readonly caret: boolean }
  | { readonly type: "repeat"; readonly min: number; readonly max: number; readonly shown: string }
  | { readonly type: "interval" }
  | { readonly type: "bracket" | "open" | "close" | "or" | "end" };

/** gnulib's words for an interval that it does not take. */
const REFUSED_INTERVAL = "invalid content of \\{\\}";

/** Deepest nesting of sub-expressions. */
const maxDepth = 500;

const simpleTokens = {
  end: { type: "end" },
  open: { type: "open" },
  close: { type: "close" },
  or: { type: "or" },
  bracket: { type: "bracket" },
  interval: { type: "interval" },
} as const;

/** Parses the symbols of one pattern. */
export function parsePattern(symbols: readonly number[], options: ParseOptions): Parsed {
  const { dialect } = options;
  if (dialect === "library" || dialect === "diff") {
    return new Parser(symbols, options, "glibc").parse();
  }
  const first = new Parser(symbols, options, dialect === "grep" ? "gnulib" : "glibc");
  const parsed = attempt(first);
  if (!first.differs) return succeed(parsed);
  const other = new Parser(symbols, options, dialect === "grep" ? "glibc" : "gnulib");
  const [glibc, gnulib] = dialect === "grep" ? [attempt(other), parsed] : [parsed, attempt(other)];
  if (glibc instanceof RegexError) throw glibc;
  const { tree, groups, backrefs } = glibc;
  if (gnulib instanceof RegexError) {
    // Its only faults that glibc does not have.
    const isBig = gnulib.message === "Regular expression too big";
    const message = isBig ? "regular expression too big" : REFUSED_INTERVAL;
    const parser = dialect === "grep" ? first : other;
    throw new RegexError(message, groups, parser.warnings);
  }
  if (gnulib.refused !== undefined) throw gnulib.refused;
  return {
    tree,
    groups,
    backrefs,
    warnings: gnulib.warnings,
    also: relaxed(gnulib.tree),
    alsoDecides: dialect === "grep" && !asksMatcher(gnulib.tree),
  };
}

function attempt(parser: Parser): Parsed | RegexError {
  try {
    return parser.parse();
  } catch (error) {
    if (!(error instanceof RegexError)) throw error;
    return error;
  }
}

function succeed(parsed: Parsed | RegexError): Parsed {
  if (parsed instanceof RegexError) throw parsed;
  if (parsed.refused !== undefined) throw parsed.refused;
  return parsed;
}

class Parser {
  /** Whether the other of GNU's parsers takes the pattern differently, as far as it was read. */
  differs = false;
  readonly #symbols: readonly number[];
  readonly #options: ParseOptions;
  readonly #reader: "glibc" | "gnulib";
  /** Whether nothing but anchors and misplaced repetitions stands before in the branch. */
  #fresh = true;
  /** What is of doubtful meaning, as far as the pattern was read. */
  readonly warnings: string[] = [];
  #at = 0;
  #token: Token = simpleTokens.end;
  #groups = 0;
  #closed = new Set<number>();
  #backrefs = false;
  #depth = 0;
  /** What gnulib's parser refuses first in a pattern that glibc takes. */
  #refused: RegexError | undefined;

  constructor(symbols: readonly number[], options: ParseOptions, reader: "glibc" | "gnulib") {
    this.#symbols = symbols;
    this.#options = options;
    this.#reader = reader;
  }

  parse(): Parsed {
    this.#next(true);
    const tree = this.#alternatives(0);
    const refused = this.#refused;
    return {
      tree,
      groups: this.#groups,
      backrefs: this.#backrefs,
      warnings: this.warnings,
      ...(refused && { refused: new RegexError(refused.message, this.#groups, refused.warnings) }),
    };
  }

  /** Reads the next token. `anchors`: a basic `^` here is an anchor. */
  #next(anchors = false): void {
    this.#token = this.#read(anchors);
  }

  #read(anchors: boolean): Token {
    const { extended } = this.#options;
    const symbol = this.#symbols[this.#at++];
    if (symbol === undefined) {
      this.#at--;
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
    const symbol = this.#symbols[this.#at++];
    if (symbol === undefined) throw new RegexError("Trailing backslash");
    const character = symbol < 0x80 ? String.fromCharCode(symbol) : "";
    if (character >= "1" && character <= "9") {
      const index = Number(character);
      if (!this.#closed.has(index)) throw new RegexError("Invalid back reference");
      this.#backrefs = true;
      const { ignoreCase } = this.#options;
      return { type: "atom", node: { type: "backref", index, ignoreCase } };
    }
    const place = escapedPlaces.get(character);
    if (place !== undefined) return { type: "anchor", node: place, caret: false };
    const set = escapedSet(character);
    if (set !== undefined) return { type: "atom", node: { type: "set", set, vague: true } };
    return !this.#options.extended && this.#operator(character) || this.#literal(symbol);
  }

  /** Whether a basic `$` just read is last in its branch. */
  #beforeEnd(): boolean {
    const next = this.#symbols[this.#at];
    if (next === undefined) return true;
    const after = this.#symbols[this.#at + 1];
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

  #alternatives(depth: number): Node {
    // A branch can't refer to what a branch beside it matched.
    const before = this.#closed;
    const after = new Set(before);
    const branches: Node[] = [];
    for (;;) {
      this.#closed = new Set(before);
      branches.push(this.#branch(depth));
      for (const index of this.#closed) after.add(index);
      if (this.#token.type !== "or") break;
      // The token behind may already be a back-reference.
      this.#closed = new Set(before);
      this.#next(true);
    }
    this.#closed = after;
    return branches.length === 1 ? branches[0] as Node : { type: "alt", items: branches };
  }

  #branch(depth: number): Node {
    const items: Node[] = [];
    this.#fresh = true;
    while (
      this.#token.type !== "or" && this.#token.type !== "end" &&
      !(this.#token.type === "close" && depth > 0)
    ) {
      items.push(this.#expression(depth));
    }
    return cat(items);
  }

  /** An atom and the repetitions after it. */
  #expression(depth: number): Node {
    const token = this.#token;
    const { extended, dialect } = this.#options;
    let node: Node;
    const wasFresh = this.#fresh;
    this.#fresh = false;
    switch (token.type) {
      case "atom":
        node = token.node;
        this.#next();
        break;
      case "anchor":
        this.#next(false);
        this.#fresh = wasFresh;
        if (this.#token.type !== "repeat" && this.#token.type !== "interval") return token.node;
        if (extended || !wasFresh) this.differs = true;
        // In glibc nothing repeats an anchor: what follows begins an expression of its own.
        if (this.#reader === "glibc" || !extended && wasFresh) {
          return cat([token.node, this.#expression(depth)]);
        }
        node = token.node;
        break;
      case "bracket":
        node = this.#bracket();
        break;
      case "open":
        node = this.#group(depth);
        break;
      case "close":
        if ((dialect === "sed" || !extended) && this.#options.strayParenthesis !== true) {
          throw new RegexError("Unmatched ) or \\)");
        }
        node = { type: "set", set: [0x29, 0x29] };
        this.#next();
        break;
      case "repeat":
      case "interval": {
        if (extended) {
          this.#fresh = wasFresh;
          this.differs = true;
          if (this.#reader === "glibc" && dialect === "grep") {
            this.#next();
            return this.#expression(depth);
          }
        }
        const literal = this.#misplaced(token);
        if (literal === undefined) return empty;
        this.#fresh = false;
        node = literal;
        break;
      }
      default:
        return empty;
    }
    return this.#repetitions(node);
  }

  /** A repetition with nothing before it: an error, nothing (grep -E), or a plain character. */
  #misplaced(token: Token): Node | undefined {
    const { extended, dialect } = this.#options;
    if (extended || token.type === "interval" && dialect === "sed") {
      if (dialect === "sed") throw new RegexError("Invalid preceding regular expression");
      if (token.type === "interval" && this.#interval("all") === undefined) {
        this.#next();
        return { type: "set", set: [0x7b, 0x7b] };
      }
      this.#warnIfFresh(token);
      this.#next();
      return undefined;
    }
    const symbol = this.#symbols[this.#at - 1] as number;
    this.#next();
    return { type: "set", set: [symbol, symbol] };
  }

  #warnIfFresh(token: Token): void {
    if (!this.#fresh || this.#reader === "glibc") return;
    if (token.type === "repeat") this.warnings.push(`${token.shown} at start of expression`);
    if (token.type !== "interval") return;
    this.warnings.push("{...} at start of expression");
    this.#fresh = false;
  }

  #bracket(): Node {
    const { ignoreCase, multiline, dialect } = this.#options;
    const { set, end, confusing, vague } = parseBracket(this.#symbols, this.#at, {
      ignoreCase,
      hatExcludesNewline: multiline,
      emptyRanges: dialect === "library",
    });
    if (confusing) {
      this.#refuse("character class syntax is [[:space:]], not [:space:]");
    }
    this.#at = end;
    this.#next();
    return { type: "set", set, vague };
  }

  #group(depth: number): Node {
    if (++this.#depth > maxDepth) {
      throw new RegexLimitError(
        `Regular expression too big: it nests parentheses more than ${maxDepth} deep`,
        "maxNodes",
        maxDepth,
      );
    }
    const index = ++this.#groups;
    this.#next(true);
    const item = this.#alternatives(depth + 1);
    if (this.#token.type !== "close") throw new RegexError("Unmatched ( or \\(");
    this.#closed.add(index);
    this.#fresh = false;
    this.#depth--;
    this.#next();
    return { type: "group", index, item };
  }

  #repetitions(start: Node): Node {
    let node = start;
    for (;;) {
      const token = this.#token;
      if (token.type === "repeat") {
        this.#warnIfFresh(token);
        node = { type: "repeat", item: node, min: token.min, max: token.max };
      } else if (token.type === "interval") {
        const { extended, dialect } = this.#options;
        // Where both parsers read on, that of gnulib takes all that is wrong for itself.
        const both = this.differs && this.#reader === "gnulib";
        const lenience = extended && dialect === "grep" ? both ? "all" : "some" : "none";
        const bounds = this.#interval(lenience);
        if (bounds === undefined) {
          this.#token = { type: "atom", node: { type: "set", set: [0x7b, 0x7b] } };
          return node;
        }
        this.#warnIfFresh(token);
        const [min, max] = bounds;
        node = max === 0 ? empty : { type: "repeat", item: node, min, max };
      } else {
        return node;
      }
      this.#next();
      this.#refuseSecond();
    }
  }

  /** Basic sed patterns may not repeat a repetition by `*` or an interval. */
  #refuseSecond(): void {
    const { extended, dialect } = this.#options;
    const token = this.#token;
    if (extended || dialect !== "sed" || this.#reader === "gnulib") return;
    if (token.type === "interval" || token.type === "repeat" && token.shown === "*") {
      throw new RegexError("Invalid preceding regular expression");
    }
  }

  /** Bounds of the interval whose opening was just read; `undefined` where it is literal. */
  #interval(lenience: IntervalLenience): [number, number] | undefined {
    const { extended } = this.#options;
    let found: Interval | undefined;
    try {
      found = parseInterval(this.#symbols, this.#at, extended, lenience);
    } catch (error) {
      this.#warnIfFresh(simpleTokens.interval);
      throw error;
    }
    if (found === undefined) return undefined;
    this.#at = found.end;
    if (found.confusing) this.#refuse(REFUSED_INTERVAL);
    return [found.min, found.max];
  }

  /** Notes what gnulib's parser refuses. */
  #refuse(message: string): void {
    this.#refused ??= new RegexError(message, undefined, [...this.warnings]);
  }
}
