/**
 * A set that a piece of a pattern stands for.
 *
 * @module
 */

import { type CharSet, negate } from "../charset.ts";

/** A set and the offset after it in the pattern. */
export interface SetAt {
  readonly set: CharSet;
  readonly end: number;
}

/** The set or, if inverted, its complement. */
export function setOrOthers(set: CharSet, inverted: boolean, end: number): SetAt {
  return { set: inverted ? negate(set) : set, end };
}
