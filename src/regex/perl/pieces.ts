/**
 * Parts of Perl's patterns that the parser uses.
 *
 * @module
 */

import { Beside, empty, type Node } from "../ast.ts";
import { RegexError } from "../errors.ts";
import { assertion, escapedPlaces } from "../escapes.ts";

/** A valid Perl pattern that is not supported. */
export class UnsupportedPattern extends RegexError {}

/** An error for a construct that cannot be matched in linear time. */
export function unsupported(what: string): UnsupportedPattern {
  return new UnsupportedPattern(
    `-P does not support ${what} here, because it can't be matched in linear time; ` +
      "write the pattern without it, or use -E",
  );
}

/** A piece of a pattern; `repeatable` is true if a quantifier may follow. */
export interface Atom {
  readonly node: Node;
  readonly repeatable: boolean;
}

/** A piece that may be repeated. */
export function once(node: Node): Atom {
  return { node, repeatable: true };
}

/** A piece that may not be repeated. */
export function place(node: Node): Atom {
  return { node, repeatable: false };
}

/** Placeholder for `\K` until its sub-expression's number is known. */
export const keepMark: Node = { type: "group", index: -1, item: empty };
/** Placeholder for a look-around. */
export const lookMark: Node = { type: "empty" };

/** Replaces {@linkcode keepMark} with sub-expression `index`. */
export function placeKeep(tree: Node, index: number): Node {
  if (tree === keepMark) return { type: "group", index, item: empty };
  if (tree.type !== "cat") return tree;
  return { type: "cat", items: tree.items.map((item) => placeKeep(item, index)) };
}

/** Maximum number of symbols that a node matches. */
export function longest(node: Node): number {
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

/** Number of symbols that a node matches; `undefined` if it varies. */
function fixedLength(node: Node): number | undefined {
  switch (node.type) {
    case "set":
      return 1;
    case "cat": {
      let sum = 0;
      for (const item of node.items) {
        const length = fixedLength(item);
        if (length === undefined) return undefined;
        sum += length;
      }
      return sum;
    }
    case "alt": {
      const [first, ...rest] = node.items.map(fixedLength);
      return rest.every((length) => length === first) ? first : undefined;
    }
    case "group":
      return fixedLength(node.item);
    case "repeat": {
      const length = fixedLength(node.item);
      return node.min === node.max && length !== undefined ? length * node.min : undefined;
    }
    default:
      return 0;
  }
}

/** True if PCRE2 accepts it as a look-behind: each branch has a fixed length. */
export function isFixed(node: Node): boolean {
  const branches = node.type === "alt" && node !== lineBreak ? node.items : [node];
  return branches.every((branch) => fixedLength(branch) !== undefined);
}

/** The end of the text. */
export const textEnd: Node = assertion(Beside.any, Beside.edge);

/**
 * `\R`: the end of a line in any convention. Never splits a carriage return from the newline after
 * it.
 */
export const lineBreak: Node = {
  type: "alt",
  items: [
    { type: "cat", items: [{ type: "set", set: [13, 13] }, { type: "set", set: [10, 10] }] },
    {
      type: "cat",
      items: [
        { type: "set", set: [13, 13] },
        assertion(Beside.any, Beside.any & ~Beside.newline),
      ],
    },
    { type: "set", set: [10, 12, 0x85, 0x85, 0x2028, 0x2029] },
  ],
};

/** BSD's start and end of a word, as the text after the `[`. */
export const wordEdges: readonly (readonly [text: string, node: Node])[] = [
  ["[:<:]]", escapedPlaces.get("<") ?? empty],
  ["[:>:]]", escapedPlaces.get(">") ?? empty],
];

/** Positions, by the letter after the backslash. */
export const perlPlaces: ReadonlyMap<string, Node> = new Map<string, Node>([
  ...["b", "B"].map((letter): [string, Node] => [letter, escapedPlaces.get(letter) ?? empty]),
  ["A", assertion(Beside.edge, Beside.any)],
  ["z", textEnd],
  ["Z", textEnd],
]);
