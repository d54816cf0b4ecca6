/**
 * Selecting lines by the literals that a match must contain.
 *
 * @module
 */

import type { Literals } from "./literal.ts";
import { lineEnd, type Spans } from "./lines.ts";
import type { Program } from "./program.ts";
import { hasMatch } from "./search.ts";

/** Bytes searched as one string: what stays in the processor's cache. */
const piece = 1 << 16;

type Slice = (this: Uint8Array, start: number, end: number) => string;

/**
 * Node's `Buffer.prototype.latin1Slice`, where the runtime has it as a global (Node, Deno, Bun): the
 * one way to make a string of bytes at memory speed. Elsewhere there is no prefilter.
 */
function latin1Slice(): Slice | undefined {
  const buffer: unknown = Reflect.get(globalThis, "Buffer");
  if (typeof buffer !== "function") return undefined;
  const { prototype } = buffer;
  const slice: unknown = prototype?.latin1Slice;
  return typeof slice === "function" ? slice as Slice : undefined;
}

/** Searches blocks of whole lines for literals, and looks closer only at lines that have one. */
export class Prefilter {
  readonly #program: Program;
  readonly #literals: Literals;
  readonly #slice: Slice | undefined = latin1Slice();
  /** Next place of each string in the piece, or -1. */
  readonly #places: number[];
  #searched = 0;
  #hits = 0;

  constructor(program: Program, literals: Literals) {
    this.#program = program;
    this.#literals = literals;
    this.#places = literals.strings.map(() => -1);
  }

  /** Whether looking for the literals first pays: they must be rare if lines are then matched. */
  get pays(): boolean {
    if (this.#slice === undefined) return false;
    return this.#literals.exact || this.#searched < piece || this.#hits * 800 < this.#searched;
  }

  /**
   * Adds the matching lines of `block[start..end)` to `out`. Returns where it stopped: at `end`, or
   * at the start of a line because it no longer pays.
   */
  scan(block: Uint8Array, start: number, end: number, separator: number, out: Spans): number {
    let at = start;
    while (at < end && this.pays) {
      const nominal = at + piece;
      const stop = nominal >= end ? end : lineEnd(block, nominal, end, separator);
      this.#piece(block, at, stop, separator, out);
      this.#searched += stop - at;
      at = stop;
    }
    return at;
  }

  #piece(block: Uint8Array, start: number, end: number, separator: number, out: Spans): void {
    const { strings, exact } = this.#literals;
    const text = (this.#slice as Slice).call(block, start, end);
    const places = this.#places;
    for (let i = 0; i < strings.length; i++) places[i] = text.indexOf(strings[i] as string);
    let from = start;
    for (;;) {
      let hit = Infinity;
      for (let i = 0; i < strings.length; i++) {
        let place = places[i] as number;
        if (place >= 0 && place + start < from) {
          place = places[i] = text.indexOf(strings[i] as string, from - start);
        }
        if (place >= 0 && place < hit) hit = place;
      }
      if (hit === Infinity) return;
      hit += start;
      let lineStart = hit;
      while (lineStart > from && block[lineStart - 1] !== separator) lineStart--;
      const next = lineEnd(block, hit, end, separator);
      this.#hits++;
      if (exact || this.#matches(block, lineStart, next, separator)) {
        out.push(lineStart, next);
        out.matched++;
      }
      from = next;
    }
  }

  #matches(block: Uint8Array, start: number, next: number, separator: number): boolean {
    const end = block[next - 1] === separator ? next - 1 : next;
    return hasMatch(this.#program, block, start, end, start);
  }
}
