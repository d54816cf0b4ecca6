/**
 * Parses POSIX basic and extended regular expressions in GNU's dialect to a syntax tree.
 *
 * The rules, and the differences between grep and sed, are those of glibc's `regcomp.c` and
 * gnulib's `dfa.c`.
 *
 * @module
 */

import { cat, empty, type Node } from "../ast.ts";
import { parseBracket } from "./brackets.ts";
import { RegexError, RegexLimitError } from "../errors.ts";
import { type Interval, type IntervalLenience, parseInterval } from "./interval.ts";
import type { Parsed, ParseOptions } from "../parsed.ts";
import { simpleTokens, type Token, TokenReader } from "./tokens.ts";

/** gnulib's message for an interval that it refuses. */
export const REFUSED_INTERVAL = "invalid content of \\{\\}";

/** Deepest nesting of sub-expressions. */
const maxDepth = 500;

/** Reads one pattern with the rules of one of GNU's two parsers. */
export class Parser {
  /** True if the other of GNU's parsers reads the pattern differently. */
  differs = false;
  readonly #tokens: TokenReader;
  readonly #options: ParseOptions;
  readonly #reader: "glibc" | "gnulib";
  /** True if the branch so far has only anchors and misplaced repetitions. */
  #fresh = true;
  /** Warnings about constructs of doubtful meaning. */
  readonly warnings: string[] = [];
  #token: Token = simpleTokens.end;
  #groups = 0;
  #depth = 0;
  /** The first construct that gnulib's parser refuses, in a pattern that glibc accepts. */
  #refused: RegexError | undefined;

  constructor(symbols: readonly number[], options: ParseOptions, reader: "glibc" | "gnulib") {
    this.#tokens = new TokenReader(symbols, options);
    this.#options = options;
    this.#reader = reader;
  }

  /**
   * Reads the whole pattern.
   *
   * @throws {RegexError} When it is not a regular expression.
   */
  parse(): Parsed {
    this.#next(true);
    const tree = this.#alternatives(0);
    const refused = this.#refused;
    return {
      tree,
      groups: this.#groups,
      backrefs: this.#tokens.backrefs,
      warnings: this.warnings,
      ...(refused && { refused: new RegexError(refused.message, this.#groups, refused.warnings) }),
    };
  }

  /** Reads the next token. `anchors`: a basic `^` here is an anchor. */
  #next(anchors = false): void {
    this.#token = this.#tokens.read(anchors);
  }

  #alternatives(depth: number): Node {
    // A branch can't refer to a group of another branch.
    const before = this.#tokens.closed;
    const after = new Set(before);
    const branches: Node[] = [];
    for (;;) {
      this.#tokens.closed = new Set(before);
      branches.push(this.#branch(depth));
      for (const index of this.#tokens.closed) after.add(index);
      if (this.#token.type !== "or") break;
      // The next token may already be a back-reference.
      this.#tokens.closed = new Set(before);
      this.#next(true);
    }
    this.#tokens.closed = after;
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
        // glibc does not repeat an anchor: the repetition begins an expression of its own.
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

  /** Reads a repetition after nothing: an error, ignored (grep -E), or a literal character. */
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
    const symbol = this.#tokens.symbols[this.#tokens.at - 1] as number;
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
    const { set, end, confusing, vague } = parseBracket(this.#tokens.symbols, this.#tokens.at, {
      ignoreCase,
      hatExcludesNewline: multiline,
      emptyRanges: dialect === "library",
    });
    if (confusing) {
      this.#refuse("character class syntax is [[:space:]], not [:space:]");
    }
    this.#tokens.at = end;
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
    this.#tokens.closed.add(index);
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
        // If both parsers read the pattern, gnulib's takes all invalid intervals literally.
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

  /** Basic sed patterns may not repeat a repetition with `*` or an interval. */
  #refuseSecond(): void {
    const { extended, dialect } = this.#options;
    const token = this.#token;
    if (extended || dialect !== "sed" || this.#reader === "gnulib") return;
    if (token.type === "interval" || token.type === "repeat" && token.shown === "*") {
      throw new RegexError("Invalid preceding regular expression");
    }
  }

  /**
   * Reads the bounds of the interval whose opening was just read; `undefined` if it is literal
   * text.
   */
  #interval(lenience: IntervalLenience): [number, number] | undefined {
    const { extended } = this.#options;
    let found: Interval | undefined;
    try {
      found = parseInterval(this.#tokens.symbols, this.#tokens.at, extended, lenience);
    } catch (error) {
      this.#warnIfFresh(simpleTokens.interval);
      throw error;
    }
    if (found === undefined) return undefined;
    this.#tokens.at = found.end;
    if (found.confusing) this.#refuse(REFUSED_INTERVAL);
    return [found.min, found.max];
  }

  /** Records an error of gnulib's parser. */
  #refuse(message: string): void {
    this.#refused ??= new RegexError(message, undefined, [...this.warnings]);
  }
}
