/**
 * The syntax tree of a regular expression.
 *
 * @module
 */

import { anySymbol, type CharSet } from "./charset.ts";

/** What may stand beside a place in the text, as bits: see {@linkcode Assert}. */
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
  /** Whether gnulib's automaton does not know it, but asks glibc's matcher: a class, or a range. */
  readonly vague?: boolean;
}

/** Matches the empty string. */
export interface EmptyNode {
  readonly type: "empty";
}

/** One after the other. */
export interface CatNode {
  readonly type: "cat";
  readonly items: readonly Node[];
}

/** Any of these. An `empty` item is tried after those beside it, as in glibc. */
export interface AltNode {
  readonly type: "alt";
  readonly items: readonly Node[];
}

/** `item` at least `min` and at most `max` times; `max` -1 is without end. */
export interface RepeatNode {
  readonly type: "repeat";
  readonly item: Node;
  readonly min: number;
  readonly max: number;
  /** Tries fewer rounds first; only Perl's patterns have it. */
  readonly lazy?: boolean;
}

/** Sub-expression `index`, from 1. */
export interface GroupNode {
  readonly type: "group";
  readonly index: number;
  readonly item: Node;
}

/** An empty match where what stands before and after the place is in both masks. */
export interface AssertNode {
  readonly type: "assert";
  /** Bits of {@linkcode Beside} for what comes before. */
  readonly before: number;
  /** Bits of {@linkcode Beside} for what comes after. */
  readonly after: number;
}

/** What sub-expression `index` matched, once more. */
export interface BackrefNode {
  readonly type: "backref";
  readonly index: number;
  readonly ignoreCase: boolean;
}

/** Any of many words, each a list of sets: kept apart so that they are compiled to a tree. */
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

/** Joins `items` in sequence, without needless nodes. */
export function cat(items: readonly Node[]): Node {
  const kept = items.filter((item) => item.type !== "empty");
  return kept.length === 0
    ? empty
    : kept.length === 1
    ? kept[0] as Node
    : { type: "cat", items: kept };
}

/** Whether an assertion asks for word characters. */
function asksForWord({ before, after }: AssertNode): boolean {
  return [before, after].some((mask) =>
    ((mask & Beside.word) !== 0) !== ((mask & Beside.other) !== 0)
  );
}

/**
 * Whether gnulib's automaton leaves it to glibc's matcher what matches: back-references, places
 * beside word characters, vague sets.
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

/** A pattern that an automaton can tell, and that matches at least what `node` does. */
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

/** Nodes of the automaton that `node` needs, intervals written out. */
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
