/**
 * Selects the lines of a block by the fastest method that suits the pattern.
 *
 * @module
 */

import { Beside } from "./ast.ts";
import { MATCH } from "./dfa.ts";
import type { ByteSearch } from "./bytes.ts";
import { INVALID } from "./charset.ts";
import type { RegexLines } from "./base_regex.ts";
import { LaneScanner } from "./lanes.ts";
import { filterLines, type LineSet, type LineTest, scanLines, Spans } from "./lines.ts";
import type { Literals } from "./literal.ts";
import { longest, Prefilter } from "./prefilter.ts";
import type { Program } from "./program.ts";
import { symbolsOf } from "./utf8.ts";

/** Bytes from which on a block is scanned in lanes. */
const laneBytes = 1 << 14;

/** Selects lines with the automaton of one pattern. */
export class LineSelector implements RegexLines {
  readonly #program: Program;
  readonly #confirm: LineTest | undefined;
  readonly #prefilter: Prefilter | undefined;
  readonly #literal: ByteSearch | undefined;
  readonly #lines = new Spans();
  readonly #others = new Spans();
  #lanes: LaneScanner | undefined;

  /**
   * `literal` is given if the pattern is a plain string. `confirm` is needed if the automaton
   * accepts more than the pattern.
   */
  constructor(
    program: Program,
    literals: readonly Literals[],
    literal?: ByteSearch,
    confirm?: LineTest,
  ) {
    // An automaton is faster, but has a state for each byte of the string.
    const byAutomaton = literal === undefined ||
      literal.needle.length <= longest && symbolsOf(literal.needle).every((each) => each < INVALID);
    this.#literal = byAutomaton ? undefined : literal;
    this.#program = program;
    this.#confirm = confirm;
    this.#prefilter = literals.length === 0
      ? undefined
      : new Prefilter(program, literals, this.#literal);
  }

  /** See `Regex.matchingLines`. */
  matchingLines(
    block: Uint8Array,
    start: number,
    end: number,
    separator: number,
    invert: boolean,
  ): LineSet {
    this.#lines.clear();
    this.#lines.end = end;
    this.#collect(block, start, end, separator, true);
    if (this.#confirm !== undefined) {
      // The first of these lines must make progress, so it starts with a new slice if a pause is
      // due.
      const { pace } = this.#program;
      if (pace.left < 0) pace.rest();
      filterLines(this.#lines, block, separator, this.#confirm, this.#lines);
    }
    if (!invert) return this.#lines;
    this.#others.complement(this.#lines, start, this.#lines.end);
    return this.#others;
  }

  /** See `Regex.likelyLines`. */
  likelyLines(block: Uint8Array, start: number, end: number, separator: number): LineSet {
    this.#lines.clear();
    this.#lines.end = end;
    this.#collect(block, start, end, separator, false);
    return this.#lines;
  }

  #collect(
    block: Uint8Array,
    start: number,
    end: number,
    separator: number,
    confirms: boolean,
  ): void {
    const program = this.#program;
    const lines = this.#lines;
    if (program.kept.lines.holds(block, start, end)) {
      scanLines(program, block, start, end, separator, lines);
      return;
    }
    let at = start;
    if (this.#prefilter?.pays(end - start, confirms) === true) {
      at = this.#prefilter.scan(block, at, end, separator, lines, confirms);
      if (lines.end < end) return;
    }
    if (this.#literal !== undefined) {
      this.#literal.lines(block, at, end, separator, lines);
      return;
    }
    if (end - at >= laneBytes && program.select.start(Beside.edge) !== MATCH) {
      if (this.#lanes?.separator !== separator) this.#lanes = new LaneScanner(program, separator);
      const whole = block.lastIndexOf(separator, end - 1) + 1;
      if (this.#lanes.usable && whole > at) {
        at = this.#lanes.scan(block, at, whole, lines);
      }
    }
    scanLines(program, block, at, end, separator, lines);
  }
}
