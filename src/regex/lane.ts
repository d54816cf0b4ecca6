/**
 * One of several scans that take turns.
 *
 * @module
 */

import { Spans } from "./lines.ts";

/** One scan: where it is, the automaton's state, and the end of its segment. */
export class Lane {
  /** Where it is. */
  at = 0;
  /** Number of the state * 256. */
  row = 0;
  /** Where its segment begins. */
  start = 0;
  /** Where its segment ends. */
  end = 0;
  /** Index of its segment. */
  segment = 0;
  /** Spans of all its segments, one after the other. */
  readonly spans = new Spans();
}
