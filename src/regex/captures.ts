/**
 * What the sub-expressions of a leftmost-longest match matched, by glibc's rules.
 *
 * @module
 */

import type { Program } from "./program.ts";
import { Walker } from "./walk.ts";

/** Fills the registers of one match after another. */
export class Captures {
  readonly #program: Program;
  readonly #walker: Walker;

  constructor(program: Program, groups: number) {
    this.#program = program;
    this.#walker = new Walker(program, program.trace, groups);
  }

  /** Registers of the match `bytes[from..to)` in the text `bytes[start..end)`, into `out`. */
  fill(
    bytes: Uint8Array,
    start: number,
    end: number,
    from: number,
    to: number,
    out: Int32Array,
  ): void {
    const text = { bytes, start, end };
    const walker = this.#walker;
    // glibc prefers an end that no assertion guards.
    const plain = this.#program.alphabet.asserts && walker.trace(text, from, to, true);
    if (!plain) walker.trace(text, from, to, false);
    walker.walk(text, from);
    out.set(walker.registers.now);
    out[0] = from;
    out[1] = to;
  }
}
