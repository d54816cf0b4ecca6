/**
 * GNU's escapes for positions and sets, such as `\<`, `\b` and `\w`.
 *
 * @module
 */

import { type AssertNode, Beside, type Node } from "./ast.ts";
import { type CharSet, negate } from "./charset.ts";
import { characterClass } from "./classes.ts";

/** Matches the empty string if both neighbours of the position are in these masks. */
export function assertion(before: number, after: number): AssertNode {
  return { type: "assert", before, after };
}

const notWord = Beside.any & ~Beside.word;
const wordStart = assertion(notWord, Beside.word);
const wordEnd = assertion(Beside.word, notWord);

/** Positions, by the letter after the backslash. */
export const escapedPlaces: ReadonlyMap<string, Node> = new Map<string, Node>([
  ["<", wordStart],
  [">", wordEnd],
  ["b", { type: "alt", items: [wordStart, wordEnd] }],
  ["B", {
    type: "alt",
    items: [assertion(Beside.word, Beside.word), assertion(notWord, notWord)],
  }],
  ["`", assertion(Beside.edge, Beside.any)],
  ["'", assertion(Beside.any, Beside.edge)],
]);

/** The set of `\w`, `\W`, `\s` or `\S`; `undefined` for another letter. */
export function escapedSet(letter: string): CharSet | undefined {
  switch (letter) {
    case "w":
      return characterClass("word");
    case "W":
      return negate(characterClass("word") ?? []);
    case "s":
      return characterClass("space");
    case "S":
      return negate(characterClass("space") ?? []);
    default:
      return undefined;
  }
}
