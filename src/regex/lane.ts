/**
 * One of several interleaved scans.
 *
 * @module
 */

import { Spans } from "./lines.ts";

/** State of one scan: position, the automaton's state, and its segment. */
export class Lane {
  /** Current position. */
  at = 0;
  /** Number of the automaton's state * 256. */
  row = 0;
  /** Start of its segment. */
  start = 0;
  /** End of its segment. */
  end = 0;
  /** Index of its segment. */
  segment = 0;
  /** Spans of all its segments, one after another. */
  readonly spans = new Spans();
}
