/**
 * Selecting the lines of a block by the fastest way that fits the pattern.
 *
 * @module
 */

import { Beside } from "./ast.ts";
import { MATCH } from "./dfa.ts";
import { LaneScanner } from "./lanes.ts";
import { type LineSet, scanLines, Spans } from "./lines.ts";
import type { Literals } from "./literal.ts";
import { Prefilter } from "./prefilter.ts";
import type { Program } from "./program.ts";

/** From how many bytes on a block is scanned in lanes. */
const laneBytes = 1 << 14;

/** Whether a line that the automaton takes, `block[start..end)`, really matches. */
export type Confirm = (block: Uint8Array, start: number, end: number) => boolean;

/** Selects lines with the automaton of one pattern. */
export class LineSelector {
  readonly #program: Program;
  readonly #confirm: Confirm | undefined;
  readonly #prefilter: Prefilter | undefined;
  readonly #lines = new Spans();
  readonly #others = new Spans();
  #lanes: LaneScanner | undefined;

  /** `confirm` is needed where the automaton accepts more than the pattern. */
  constructor(program: Program, literals: readonly Literals[], confirm?: Confirm) {
    this.#program = program;
    this.#confirm = confirm;
    this.#prefilter = literals.length === 0 ? undefined : new Prefilter(program, literals);
  }

  /** See `Regex.matchingLines`. */
  select(
    block: Uint8Array,
    start: number,
    end: number,
    separator: number,
    invert: boolean,
  ): LineSet {
    this.#lines.clear();
    this.#collect(block, start, end, separator, true);
    if (this.#confirm !== undefined) this.#filter(this.#confirm, block, separator);
    if (!invert) return this.#lines;
    this.#others.complement(this.#lines, start, end);
    return this.#others;
  }

  /** See `Regex.likelyLines`. */
  likely(block: Uint8Array, start: number, end: number, separator: number): LineSet {
    this.#lines.clear();
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
    let at = start;
    if (this.#prefilter?.pays(end - start, confirms) === true) {
      at = this.#prefilter.scan(block, at, end, separator, lines, confirms);
    }
    if (end - at >= laneBytes && program.select.start(Beside.edge) !== MATCH) {
      if (this.#lanes?.separator !== separator) this.#lanes = new LaneScanner(program, separator);
      const whole = block.lastIndexOf(separator, end - 1) + 1;
      if (this.#lanes.usable && whole > at) {
        this.#lanes.scan(block, at, whole, lines);
        at = whole;
      }
    }
    scanLines(program, block, at, end, separator, lines);
  }

  #filter(confirm: Confirm, block: Uint8Array, separator: number): void {
    const lines = this.#lines;
    const { spans, length } = lines;
    lines.clear();
    for (let i = 0; i < length; i += 2) {
      const start = spans[i] as number;
      const next = spans[i + 1] as number;
      const end = block[next - 1] === separator ? next - 1 : next;
      if (!confirm(block, start, end)) continue;
      lines.push(start, next);
      lines.matched++;
    }
  }
}
