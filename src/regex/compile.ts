/**
 * Compiles patterns and chooses a matcher for them.
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
import { Pace } from "./pace.ts";
import { parsePattern } from "./posix/mod.ts";
import type { Parsed } from "./parsed.ts";
import { Program } from "./program.ts";
import type { Regex, RegexOptions } from "./regex.ts";
import { symbolsOf } from "./utf8.ts";

/**
 * Compiles one or more patterns. Several patterns are alternatives, each with its own
 * back-references.
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

/** Parses a pattern. An error includes the warnings of the previous patterns. */
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

/** The patterns as the second of GNU's matchers reads them; `undefined` if it reads them alike. */
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

/** Adds `by` to the sub-expression numbers of one of several patterns. */
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
