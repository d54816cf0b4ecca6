/**
 * The syntax tree of a regular expression.
 *
 * @module
 */

import { anySymbol, type CharSet } from "./charset.ts";

/** Kinds of neighbour that a position in the text can have, as bits: see {@linkcode AssertNode}. */
export const Beside = {
  /** The start or end of the text. */
  edge: 1,
  /** A newline. */
  newline: 2,
  /** A word character. */
  word: 4,
  /** Any other character, or an invalid byte. */
  other: 8,
  /** All of these. */
  any: 15,
} as const;

/** One symbol out of a set. */
export interface SetNode {
  readonly type: "set";
  readonly set: CharSet;
  /** True for a class or range, which gnulib's automaton does not evaluate but leaves to glibc. */
  readonly vague?: boolean;
}

/** Matches the empty string. */
export interface EmptyNode {
  readonly type: "empty";
}

/** Matches its items in sequence. */
export interface CatNode {
  readonly type: "cat";
  readonly items: readonly Node[];
}

/** Matches any of its items. A leading `empty` item is tried after the second one, as in glibc. */
export interface AltNode {
  readonly type: "alt";
  readonly items: readonly Node[];
}

/** `item` at least `min` and at most `max` times; a `max` of -1 means no limit. */
export interface RepeatNode {
  readonly type: "repeat";
  readonly item: Node;
  readonly min: number;
  readonly max: number;
  /** Prefers fewer repetitions; only in Perl's patterns. */
  readonly lazy?: boolean;
}

/** Sub-expression `index`, from 1. */
export interface GroupNode {
  readonly type: "group";
  readonly index: number;
  readonly item: Node;
}

/** Matches the empty string if both neighbours of the position are in the masks. */
export interface AssertNode {
  readonly type: "assert";
  /** Bits of {@linkcode Beside} for the preceding symbol. */
  readonly before: number;
  /** Bits of {@linkcode Beside} for the following symbol. */
  readonly after: number;
}

/** Matches the text of sub-expression `index` again. */
export interface BackrefNode {
  readonly type: "backref";
  readonly index: number;
  readonly ignoreCase: boolean;
}

/**
 * Any of many words, each a list of sets. A node of its own, so that the words compile to a trie.
 */
export interface WordsNode {
  readonly type: "words";
  readonly words: readonly (readonly CharSet[])[];
}

/** A node of the tree. */
export type Node =
  | SetNode
  | EmptyNode
  | CatNode
  | AltNode
  | RepeatNode
  | GroupNode
  | AssertNode
  | BackrefNode
  | WordsNode;

/** The empty expression. */
export const empty: EmptyNode = { type: "empty" };

/** Joins `items` in sequence and leaves out empty ones. */
export function cat(items: readonly Node[]): Node {
  const kept = items.filter((item) => item.type !== "empty");
  return kept.length === 0
    ? empty
    : kept.length === 1
    ? kept[0] as Node
    : { type: "cat", items: kept };
}

/** True if an assertion depends on word characters. */
function asksForWord({ before, after }: AssertNode): boolean {
  return [before, after].some((mask) =>
    ((mask & Beside.word) !== 0) !== ((mask & Beside.other) !== 0)
  );
}

/**
 * True if gnulib's automaton leaves the decision to glibc's matcher: back-references, word
 * boundaries and `vague` sets.
 */
export function asksMatcher(node: Node): boolean {
  switch (node.type) {
    case "cat":
    case "alt":
      return node.items.some(asksMatcher);
    case "repeat":
    case "group":
      return asksMatcher(node.item);
    case "assert":
      return asksForWord(node);
    case "set":
      return node.vague === true;
    default:
      return node.type === "backref";
  }
}

const anyText: Node = { type: "repeat", item: { type: "set", set: anySymbol }, min: 0, max: -1 };

/** A pattern without back-references and `vague` sets that matches at least what `node` does. */
export function relaxed(node: Node): Node {
  switch (node.type) {
    case "cat":
    case "alt":
      return { type: node.type, items: node.items.map(relaxed) };
    case "repeat":
      return { ...node, item: relaxed(node.item) };
    case "group":
      return relaxed(node.item);
    case "backref":
      return anyText;
    case "set":
      return node.vague === true ? anyText : node;
    case "assert":
      return asksForWord(node) ? empty : node;
    default:
      return node;
  }
}

/** Number of automaton nodes for `node`, with intervals expanded. */
export function nodeCount(node: Node): number {
  switch (node.type) {
    case "cat":
      return node.items.reduce((sum, item) => sum + nodeCount(item), 0);
    case "alt":
      return node.items.reduce((sum, item) => sum + nodeCount(item) + 1, 0);
    case "repeat":
      return (nodeCount(node.item) + 1) * Math.max(1, node.max < 0 ? node.min + 1 : node.max);
    case "group":
      return nodeCount(node.item) + 2;
    case "words":
      return node.words.reduce((sum, word) => sum + word.length + 1, 0);
    default:
      return 1;
  }
}
