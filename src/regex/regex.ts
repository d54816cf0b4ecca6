/**
 * The public face of the engine.
 *
 * @module
 */

import { asksMatcher, Beside, cat, empty, type Node, nodeCount, relaxed } from "./ast.ts";
import { BothRegex } from "./both.ts";
import { type CharSet, INVALID } from "./charset.ts";
import { foldCase } from "./classes.ts";
import { CompiledRegex } from "./compiled.ts";
import { EitherRegex, longStrings } from "./either.ts";
import { RegexError, RegexLimitError } from "./errors.ts";
import { Layout } from "./layout.ts";
import { EITHER_CASE, leadingLiteral, requiredLiterals } from "./literal.ts";
import type { LineSet } from "./lines.ts";
import { Pace } from "./pace.ts";
import { parsePattern } from "./parse.ts";
import type { Parsed } from "./parsed.ts";
import { Program } from "./program.ts";
import { symbolsOf } from "./utf8.ts";

/** Basic (grep, sed), extended (`-E`) or no syntax at all (`grep -F`). */
export type RegexSyntax = "basic" | "extended" | "fixed";

/** How {@linkcode compileRegex} reads its patterns. */
export interface RegexOptions {
  /** The syntax of all patterns. */
  readonly syntax: RegexSyntax;
  /** Matches letters of either case (simple case folding of Unicode). */
  readonly ignoreCase?: boolean;
  /** Only matches of a whole line (`grep -x`), or without a word character beside it (`-w`). */
  readonly whole?: "line" | "word";
  /**
   * sed's `M`: `^` and `$` match at newlines too, and `.` and `[^x]` don't match a newline. Else
   * `^` and `$` stand for the ends of the text.
   */
  readonly multiline?: boolean;
  /** With `multiline`: `^` and `$` match at the ends of the text only (`sed -z`). */
  readonly plainAnchors?: boolean;
  /** Takes an unmatched `)` for itself, as `sed --posix` does. */
  readonly strayParenthesis?: boolean;
  /**
   * The tool whose special cases apply; "library" is glibc's own reading of POSIX's basic syntax,
   * for tools that ask nobody else, as `nl`: `.` does not match NUL, and a range may be empty.
   * "diff" is the same without these two.
   * Default: "grep".
   */
  readonly dialect?: "grep" | "sed" | "library" | "diff";
  /** Nodes the pattern may have once its intervals are written out. Default: 100,000. */
  readonly maxNodes?: number;
  /**
   * Steps that all searches of a text with back-references may take, besides 32 for each of its
   * bytes: some ten nanoseconds each. Default: 5,000,000.
   */
  readonly maxSteps?: number;
  /**
   * Work, in nanoseconds or so, after which a search stops in the middle, so that its caller can
   * do something else: `test`, `find` and `exec` throw {@linkcode RegexPause}, and go on when they
   * are called once more with the same arguments. Default: none does.
   */
  readonly slice?: number;
}

/**
 * A compiled regular expression over bytes. Text is UTF-8: `.` and `[^x]` match one whole valid
 * character, and never a byte that is not part of one.
 */
export interface Regex {
  /** The highest sub-expression number. */
  readonly groups: number;
  /** What grep prints on standard error, after `grep: warning: `. */
  readonly warnings: readonly string[];
  /** Whether there are back-references, so that a search may take long for its text. */
  readonly backReferences: boolean;
  /** Steps that searches with back-references have taken so far: some ten nanoseconds each. */
  readonly steps: number;
  /**
   * Whether the text `bytes[start..end)`, a line without its separator, has a match.
   *
   * @throws {RegexLimitError} When back-references need more steps than they may take.
   * @throws {RegexPause} With `slice`, when the search is not finished yet.
   */
  test(bytes: Uint8Array, start: number, end: number): boolean;
  /**
   * The leftmost and there longest match in `bytes[start..end)` that begins at `from` (default
   * `start`) or later; what stands before `from` is seen by `^`, `\<` and `\b`. Gives the offsets
   * `[start0, end0, start1, end1, ...]` of the match and its sub-expressions, -1 where one took no
   * part. The array is reused by the next call.
   *
   * A call with `from` above `start` goes on with the text of the call before if `bytes`, `start`
   * and `end` are the same: the bytes must not have changed since. A new text begins with a call
   * without `from`, or with `fresh`.
   *
   * @throws {RegexLimitError} When back-references need more steps than they may take.
   * @throws {RegexPause} With `slice`, when the search is not finished yet.
   */
  exec(
    bytes: Uint8Array,
    start: number,
    end: number,
    from?: number,
    fresh?: boolean,
  ): Int32Array | null;
  /** Like {@linkcode exec}, but finds only `[start0, end0]`: faster where groups don't matter. */
  find(
    bytes: Uint8Array,
    start: number,
    end: number,
    from?: number,
    fresh?: boolean,
  ): Int32Array | null;
  /**
   * The lines of `block[start..end)` that match, in order, one span a line. With `invert` the
   * others, where one span takes in all that follow each other. Lines end at `separator` (10 or
   * 0); the last may lack it. With `slice` it may stop at the start of any line, also of the first,
   * so that the caller can do something else in between: look at `end`, and call it again for the
   * rest.
   *
   * @throws {RegexLimitError} When back-references need more steps than they may take.
   */
  matchingLines(
    block: Uint8Array,
    start: number,
    end: number,
    separator: number,
    invert: boolean,
  ): LineSet;
  /**
   * Like {@linkcode matchingLines}, but lines that do not match may be among them: for who then
   * looks for the matches anyway.
   */
  likelyLines(block: Uint8Array, start: number, end: number, separator: number): LineSet;
}

/**
 * Compiles one or several patterns; several are alternatives, each with its own back-references.
 *
 * @throws {RegexError} When a pattern is not a regular expression, with GNU's message.
 * @throws {RegexLimitError} When the patterns need more than `maxNodes` nodes.
 *
 * @example
 * ```ts
 * import { compileRegex } from "@llmcmd/llmcmd/regex";
 *
 * const regex = compileRegex("([a-z]+)=([0-9]+)", { syntax: "extended" });
 * const line = new TextEncoder().encode("x: port=8080");
 * const match = regex.exec(line, 0, line.length);
 * if (match?.join() !== "3,12,3,7,8,12") throw new Error(String(match));
 * ```
 */
export function compileRegex(
  patterns: Uint8Array | string | readonly (Uint8Array | string)[],
  options: RegexOptions,
): Regex {
  const list = typeof patterns === "string" || patterns instanceof Uint8Array
    ? [patterns]
    : patterns;
  const bytes = list.map((pattern) =>
    typeof pattern === "string" ? new TextEncoder().encode(pattern) : pattern
  );
  const strings = longStrings(bytes, options);
  if (strings.length > 0) {
    const others = bytes.filter((each) => !strings.includes(each));
    return new EitherRegex(compileRegex(others, options), strings);
  }
  const texts = bytes.map(symbolsOf);
  const warnings: string[] = [];
  const trees: Node[] = [];
  let groups = 0;
  let backrefs = false;
  const all: Parsed[] = [];
  if (options.syntax === "fixed") {
    trees.push(words(texts, options.ignoreCase ?? false));
  } else {
    for (const text of texts) {
      const parsed = parseAfter(warnings, text, options);
      warnings.push(...parsed.warnings);
      all.push(parsed);
      trees.push(renumber(parsed.tree, groups));
      groups += parsed.groups;
      backrefs ||= parsed.backrefs;
    }
  }
  const tree = surround(
    trees.length === 1 ? trees[0] as Node : { type: "alt", items: trees },
    options.whole,
  );
  const { slice } = options;
  const maxNodes = options.maxNodes ?? 100_000;
  if (nodeCount(tree) > maxNodes) {
    throw new RegexLimitError("Regular expression too big", "maxNodes", maxNodes);
  }
  const regex = new CompiledRegex(
    new Program(tree, "glibc", new Pace(slice)),
    groups,
    backrefs,
    warnings,
    options.maxSteps ?? 5_000_000,
    requiredLiterals(tree),
    leadOf(tree),
    Layout.of(tree, groups),
  );
  const also = otherReading(all);
  if (also === undefined) return regex;
  const byWords = options.whole === "word";
  const other = surround(also.tree, byWords ? undefined : options.whole);
  const lines = new CompiledRegex(
    new Program(other, "glibc", new Pace(slice)),
    0,
    false,
    [],
    0,
    [],
  );
  return new BothRegex(regex, lines, also.decides && !byWords);
}

/** Parses a pattern; of a fault, what was to be warned of before it is a part. */
function parseAfter(
  warnings: readonly string[],
  text: readonly number[],
  options: RegexOptions,
): Parsed {
  try {
    return parsePattern(text, {
      extended: options.syntax === "extended",
      dialect: options.dialect ?? "grep",
      ignoreCase: options.ignoreCase ?? false,
      multiline: options.multiline ?? false,
      plainAnchors: options.plainAnchors ?? false,
      strayParenthesis: options.strayParenthesis ?? false,
    });
  } catch (error) {
    if (!(error instanceof RegexError)) throw error;
    throw new RegexError(error.message, error.groups, [...warnings, ...error.warnings]);
  }
}

/** What all patterns are to the other of GNU's matchers; `undefined` where it is the same. */
function otherReading(
  all: readonly Parsed[],
): { readonly tree: Node; readonly decides: boolean } | undefined {
  const others = all.filter(({ also }) => also !== undefined);
  if (others.length === 0) return undefined;
  const trees = all.map(({ tree, also }) => also ?? relaxed(tree));
  const [first = empty] = trees;
  return {
    tree: trees.length === 1 ? first : { type: "alt", items: trees },
    decides: others.every(({ alsoDecides }) => alsoDecides === true) &&
      !all.some(({ tree }) => asksMatcher(tree)),
  };
}

/** The bytes that every match begins with, if any. */
function leadOf(tree: Node): Uint8Array | undefined {
  const text = leadingLiteral(tree);
  let length = 0;
  while (length < text.length && text.charCodeAt(length) < EITHER_CASE) length++;
  return length === 0 ? undefined : Uint8Array.from({ length }, (_, i) => text.charCodeAt(i));
}

function words(texts: readonly (readonly number[])[], ignoreCase: boolean): Node {
  const sets = new Map<number, CharSet>();
  const setOf = (symbol: number): CharSet => {
    const known = sets.get(symbol);
    if (known !== undefined) return known;
    const set = [symbol, symbol];
    const made = ignoreCase && symbol < INVALID ? foldCase(set) : set;
    sets.set(symbol, made);
    return made;
  };
  return { type: "words", words: texts.map((text) => text.map(setOf)) };
}

/** Moves the sub-expression numbers of one of several patterns up. */
function renumber(node: Node, by: number): Node {
  if (by === 0) return node;
  switch (node.type) {
    case "cat":
    case "alt":
      return { type: node.type, items: node.items.map((item) => renumber(item, by)) };
    case "repeat":
      return { ...node, item: renumber(node.item, by) };
    case "group":
      return { type: "group", index: node.index + by, item: renumber(node.item, by) };
    case "backref":
      return { ...node, index: node.index + by };
    default:
      return node;
  }
}

function surround(tree: Node, whole: RegexOptions["whole"]): Node {
  if (whole === undefined) return tree;
  const mask = whole === "line" ? Beside.edge : Beside.any & ~Beside.word;
  return cat([
    { type: "assert", before: mask, after: Beside.any },
    tree,
    { type: "assert", before: Beside.any, after: mask },
  ]);
}
