/**
 * Quantifiers of Perl's pattern syntax.
 *
 * @module
 */

import { empty, type Node } from "../ast.ts";
import { RegexError } from "../errors.ts";
import { characterAt, intervalAt } from "./escapes.ts";
import { lookMark, unsupported } from "./pieces.ts";

/** The largest number in braces. */
const most = 65535;

/** A quantifier and the offset after it. */
export interface Quantifier {
  readonly min: number;
  /** -1 means no limit. */
  readonly max: number;
  readonly possessive: boolean;
  readonly lazy: boolean;
  readonly end: number;
}

/**
 * Reads the quantifier at `at`, if there is one. With `ungreedy` it is lazy unless a `?` follows.
 */
export function readQuantifier(
  symbols: readonly number[],
  at: number,
  ungreedy: boolean,
): Quantifier | undefined {
  const bounds = boundsAt(symbols, at);
  if (bounds === undefined) return undefined;
  const [min, max, end] = bounds;
  const next = characterAt(symbols, end);
  const possessive = next === "+";
  const marked = possessive || next === "?";
  const lazy = !possessive && marked !== ungreedy;
  return { min, max, possessive, lazy, end: marked ? end + 1 : end };
}

function boundsAt(
  symbols: readonly number[],
  at: number,
): [min: number, max: number, end: number] | undefined {
  switch (characterAt(symbols, at)) {
    case "*":
      return [0, -1, at + 1];
    case "+":
      return [1, -1, at + 1];
    case "?":
      return [0, 1, at + 1];
  }
  const found = intervalAt(symbols, at);
  if (found === null) return undefined;
  const min = Number(found[1]);
  const max = found[2] === undefined ? min : found[3] === "" ? -1 : Number(found[3]);
  if (max >= 0 && min > max) throw new RegexError("numbers out of order in {} quantifier");
  if (Math.max(min, max) > most) throw new RegexError("number too big in {} quantifier");
  return [min, max, at + found[0].length];
}

/** A node repeated as a quantifier says. */
export function repeated(item: Node, { min, max, possessive, lazy }: Quantifier): Node {
  // A fixed number of repetitions can be possessive: there is nothing to give back.
  if (possessive && min !== max) throw unsupported("possessive repetition");
  if (item === lookMark) throw unsupported("a look-around that is repeated");
  return max === 0 ? empty : { type: "repeat", item, min, max, lazy };
}
