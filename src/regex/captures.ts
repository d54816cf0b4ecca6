/**
 * Finds the sub-expressions of a leftmost-longest match by glibc's rules.
 *
 * @module
 */

import type { Program } from "./program.ts";
import { Walker } from "./walk.ts";

/** Fills the registers of one match after another. */
export class Captures {
  readonly #program: Program;
  readonly #walker: Walker;
  /** The next step for a match whose registers are not filled in yet. */
  #stage: "plain" | "trace" | "walk" = "plain";

  constructor(program: Program, groups: number) {
    this.#program = program;
    this.#walker = new Walker(program, program.trace, groups);
  }

  /** Discards a match whose registers are not filled in yet. */
  begin(): void {
    this.#stage = "plain";
  }

  /**
   * Writes the registers of the match `bytes[from..to)` in the text `bytes[start..end)` to `out`.
   *
   * @throws {RegexPause} When a pause is due; the next call continues.
   */
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
    if (this.#stage === "plain") {
      // glibc prefers a way to the end that no assertion guards.
      const found = this.#program.alphabet.asserts && walker.trace(text, from, to, true);
      this.#stage = found ? "walk" : "trace";
    }
    if (this.#stage === "trace") {
      walker.trace(text, from, to, false);
      this.#stage = "walk";
    }
    walker.walk(text, from);
    this.#stage = "plain";
    out.set(walker.registers.now);
    out[0] = from;
    out[1] = to;
  }
}
