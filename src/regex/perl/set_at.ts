/**
 * What a piece of a pattern that stands for one character gives.
 *
 * @module
 */

import { type CharSet, negate } from "../charset.ts";

/** A set and where the pattern goes on. */
export interface SetAt {
  readonly set: CharSet;
  readonly end: number;
}

/** The set, or what is not in it. */
export function setOrOthers(set: CharSet, inverted: boolean, end: number): SetAt {
  return { set: inverted ? negate(set) : set, end };
}
