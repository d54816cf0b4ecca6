/**
 * Selects lines by literals that a match must contain.
 *
 * @module
 */

import { blockSize, LINE_HIT, Needles, TextKernel } from "../simd/mod.ts";
import type { ByteSearch } from "./bytes.ts";
import { EITHER_CASE, type Literals } from "./literal.ts";
import { lineEnd, type Spans } from "./lines.ts";
import { RegexPause } from "./pace.ts";
import type { Program } from "./program.ts";
import { hasMatch } from "./search.ts";

/** Bytes searched at once, so that they stay in the processor's cache. */
const piece = blockSize >> 1;

/** Bytes from which on it pays to create a kernel. */
const enough = 1 << 16;

/** Longer literals are cut off here; a hit then only means that a match may be near. */
export const longest = 32;

/** Cost of a line with a literal, in bytes read by the automaton, which must then test the line. */
const costOfHit = 320;

/** Bytes of logs and prose, the most frequent first. */
const frequent = " etaoinrsldcuhmpfg./01-:2byw3v456789_\",=()k'x\t";

/** Rarity of a byte; small letters stand for both cases. */
function rank(byte: number): number {
  const place = frequent.indexOf(String.fromCharCode(byte));
  return place < 0 ? frequent.length : place;
}

function needlesOf(strings: readonly string[]): Needles {
  const needles = strings.map((text) => {
    const codes = Array.from(
      { length: Math.min(text.length, longest) },
      (_, i) => text.charCodeAt(i),
    );
    return {
      bytes: Uint8Array.from(codes),
      masks: Uint8Array.from(codes, (code) => code < EITHER_CASE ? 0 : 0x20),
    };
  });
  return new Needles(needles, rank);
}

/** One set of literals that can be searched for. */
class Choice {
  /** True if a line with one of them needs no further test. */
  readonly exact: boolean;
  /** True if no match can begin before the literal. */
  readonly leads: boolean;
  readonly needles: Needles;
  searched = 0;
  hits = 0;

  constructor({ strings, exact, leads }: Literals) {
    this.exact = exact && strings.every((text) => text.length <= longest);
    this.leads = leads;
    this.needles = needlesOf(strings);
  }

  /** True if searching for them saves time, judging by the hits so far. */
  get pays(): boolean {
    return this.exact || this.searched < piece || this.hits * costOfHit < this.searched;
  }
}

/** Searches blocks of whole lines for literals, and tests only lines that contain one. */
export class Prefilter {
  readonly #program: Program;
  readonly #literals: readonly Literals[];
  readonly #literal: ByteSearch | undefined;
  #choices: Choice[] | undefined;
  /** Bytes seen before the needles were created. */
  #seen = 0;

  /**
   * Searches for the first of `literals`, and for the next one if that proves to be frequent.
   * `literal` is given if it is the whole pattern.
   */
  constructor(program: Program, literals: readonly Literals[], literal?: ByteSearch) {
    this.#program = program;
    this.#literals = literals;
    this.#literal = literal;
  }

  /**
   * True if searching for literals pays in the next block, of `size` bytes. Creating the kernel
   * takes a millisecond, and if their lines are then matched (`confirms`), literals must be rare.
   */
  pays(size: number, confirms: boolean): boolean {
    if (this.#choices === undefined) {
      this.#seen += size;
      return this.#seen >= enough;
    }
    return this.#choose(confirms) !== undefined;
  }

  #choose(confirms: boolean): Choice | undefined {
    return confirms ? this.#choices?.find((choice) => choice.pays) : this.#choices?.[0];
  }

  /**
   * Adds the matching lines of `block[start..end)` to `out`; without `confirms`, all lines with a
   * literal. Returns the end of the search: `end`, or the start of a line if it no longer pays or
   * the line is too long for the kernel. A pause sets `out.end` to that position.
   */
  scan(
    block: Uint8Array,
    start: number,
    end: number,
    separator: number,
    out: Spans,
    confirms: boolean,
  ): number {
    const kernel = TextKernel.shared;
    const mark = String.fromCharCode(separator);
    const breaks = ({ strings }: Literals) => strings.some((text) => text.includes(mark));
    if (kernel === undefined || this.#literals.some(breaks)) return start;
    this.#choices ??= this.#literals.map((literals) => new Choice(literals));
    let at = start;
    for (;;) {
      const choice = this.#choose(confirms);
      if (at >= end || choice === undefined) return at;
      const nominal = at + piece;
      const stop = nominal >= end ? end : lineEnd(block, nominal, end, separator);
      if (stop - at > blockSize) return at;
      const lines = block.subarray(at, stop);
      const done = this.#piece(kernel, choice, lines, at, separator, out, confirms);
      choice.searched += done;
      at += done;
      if (at < stop) {
        out.end = at;
        return at;
      }
    }
  }

  /** Searches some lines; returns the number of bytes that are done. */
  #piece(
    kernel: TextKernel,
    choice: Choice,
    lines: Uint8Array,
    shift: number,
    separator: number,
    out: Spans,
    confirms: boolean,
  ): number {
    const { hits } = kernel;
    const { exact, leads } = choice;
    kernel.load(lines, 0, lines.length);
    for (let from = 0; from < lines.length; from = kernel.resume) {
      const length = kernel.select(choice.needles, from, lines.length, separator) * LINE_HIT;
      choice.hits += length / LINE_HIT;
      for (let i = 0; i < length; i += LINE_HIT) {
        const start = hits[i] as number;
        const next = hits[i + 1] as number;
        if (confirms && !exact) {
          const found = this.#matches(lines, start, next, separator);
          if (found === undefined) return start;
          if (!found) continue;
        }
        out.pushAt(
          start + shift,
          next + shift,
          (leads ? hits[i + 2] as number : start) + shift,
        );
        out.matched++;
      }
    }
    return lines.length;
  }

  /** True if a line matches; `undefined` if the search has paused. */
  #matches(
    block: Uint8Array,
    start: number,
    next: number,
    separator: number,
  ): boolean | undefined {
    const end = block[next - 1] === separator ? next - 1 : next;
    if (this.#literal !== undefined) return this.#literal.find(block, start, end) >= 0;
    try {
      return hasMatch(this.#program, block, start, end);
    } catch (error) {
      if (error instanceof RegexPause) return undefined;
      throw error;
    }
  }
}
