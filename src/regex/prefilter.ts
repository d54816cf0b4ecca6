/**
 * Selecting lines by the literals that a match must contain.
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

/** Bytes searched at once: what stays in the processor's cache. */
const piece = blockSize >> 1;

/** From so many bytes on a kernel pays. */
const enough = 1 << 16;

/** Longer literals are cut off here, and then say no more than that a match may be near. */
export const longest = 32;

/**
 * A line with a literal costs as much as so many bytes for the automaton, which must then look at
 * it too.
 */
const costOfHit = 320;

/** Bytes of logs and prose, most frequent first. */
const frequent = " etaoinrsldcuhmpfg./01-:2byw3v456789_\",=()k'x\t";

/** How rare a byte is; small letters stand for both cases. */
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

/** One of the sets of literals that may be looked for. */
class Choice {
  /** Whether a line with one of them needs no closer look. */
  readonly exact: boolean;
  /** Whether the literal's place is where a match begins at the earliest. */
  readonly leads: boolean;
  readonly needles: Needles;
  searched = 0;
  hits = 0;

  constructor({ strings, exact, leads }: Literals) {
    this.exact = exact && strings.every((text) => text.length <= longest);
    this.leads = leads;
    this.needles = needlesOf(strings);
  }

  /** Whether to look for them saves time, as far as is known. */
  get pays(): boolean {
    return this.exact || this.searched < piece || this.hits * costOfHit < this.searched;
  }
}

/** Searches blocks of whole lines for literals, and looks closer only at lines that have one. */
export class Prefilter {
  readonly #program: Program;
  readonly #literals: readonly Literals[];
  readonly #literal: ByteSearch | undefined;
  #choices: Choice[] | undefined;
  /** Bytes that went by before there were needles. */
  #seen = 0;

  /** `literal`: all that matches. Looks for the first of `literals`; for the next where the first turns out to be frequent. */
  constructor(program: Program, literals: readonly Literals[], literal?: ByteSearch) {
    this.#program = program;
    this.#literals = literals;
    this.#literal = literal;
  }

  /**
   * Whether looking for literals first pays in a block of `size` bytes, the next one: the kernel
   * takes a millisecond to make, and literals must be rare if their lines are then matched.
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
   * Adds the matching lines of `block[start..end)` to `out`; all that have a literal unless
   * `confirms`. Returns where it stopped: at `end`, or at the start of a line because it no longer
   * pays, or the line is too long for the kernel. A pause makes that place `out.end`.
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

  /** Looks through some lines; says how many of their bytes are done. */
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

  /** Whether a line matches; `undefined` where the search has paused. */
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
