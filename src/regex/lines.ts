/**
 * Selects the matching lines of a block.
 *
 * @module
 */

import { Beside } from "./ast.ts";
import { MATCH, MORE } from "./dfa.ts";
import { RegexPause, STRIDE } from "./pace.ts";
import type { Program } from "./program.ts";
import { symbolAt, symbolLength } from "./utf8.ts";

/**
 * Lines of a block as pairs of offsets `[start0, end0, start1, end1, ...]` in the first `length`
 * items of `spans`. An end is after the line's separator, or the end of the block.
 */
export interface LineSet {
  /** The offsets. The next call overwrites them. */
  readonly spans: Int32Array;
  /** Number of used items: twice the number of spans. */
  readonly length: number;
  /** Number of matching lines, also if the spans are the other lines. */
  readonly matched: number;
  /** End of the part that was searched; see `Regex.matchingLines`. */
  readonly end: number;
  /** Lower bound of each span's first match; `undefined` if not known. */
  readonly places?: Int32Array | undefined;
}

/** A growing list of spans. */
export class Spans implements LineSet {
  /** The offsets. */
  spans: Int32Array = new Int32Array(1024);
  /** Number of used items. */
  length = 0;
  /** Number of matching lines. */
  matched = 0;
  /** See {@linkcode LineSet.end}. */
  end = 0;
  #places: Int32Array = new Int32Array(0);
  #placed = 0;

  /** Removes all spans. */
  clear(): void {
    this.length = 0;
    this.#placed = 0;
    this.matched = 0;
  }

  /** See {@linkcode LineSet.places}. */
  get places(): Int32Array | undefined {
    return this.#placed * 2 === this.length ? this.#places : undefined;
  }

  /** Adds one span with a lower bound of its first match. */
  pushAt(start: number, end: number, place: number): void {
    if (this.#placed * 2 === this.length) {
      if (this.#placed === this.#places.length) {
        const grown = new Int32Array(Math.max(512, this.#placed * 2));
        grown.set(this.#places);
        this.#places = grown;
      }
      this.#places[this.#placed++] = place;
    }
    this.push(start, end);
  }

  /** Adds one span. */
  push(start: number, end: number): void {
    if (this.length + 2 > this.spans.length) {
      const grown = new Int32Array(this.spans.length * 2);
      grown.set(this.spans);
      this.spans = grown;
    }
    this.spans[this.length++] = start;
    this.spans[this.length++] = end;
  }

  /** Adds the spans of `other` from index `from` to `to`, shifted back by `shift`. */
  append(other: Spans, from: number, to: number, shift: number): void {
    const length = this.length + to - from;
    if (length > this.spans.length) {
      const grown = new Int32Array(Math.max(length, this.spans.length * 2));
      grown.set(this.spans.subarray(0, this.length));
      this.spans = grown;
    }
    for (let i = from; i < to; i++) {
      this.spans[this.length++] = (other.spans[i] as number) - shift;
    }
    this.matched += (to - from) >> 1;
  }

  /** Sets the spans to the gaps that `others` leave in `start..end`. */
  complement(others: Spans, start: number, end: number): void {
    this.length = 0;
    this.matched = others.matched;
    this.end = end;
    let at = start;
    for (let i = 0; i < others.length; i += 2) {
      const from = others.spans[i] as number;
      if (from > at) this.push(at, from);
      at = others.spans[i + 1] as number;
    }
    if (at < end) this.push(at, end);
  }
}

/** A test of single lines, such as a `Regex`. */
export interface LineTest {
  /**
   * True if the line `block[start..end)` matches.
   *
   * @throws {RegexPause} When the search is not finished yet.
   */
  test(block: Uint8Array, start: number, end: number): boolean;
}

/**
 * Sets `out` to the lines of `some` that pass the test; `out` may be `some`. A pause ends it early.
 */
export function filterLines(
  some: LineSet,
  block: Uint8Array,
  separator: number,
  lineTest: LineTest,
  out: Spans,
): void {
  const { spans, length, end: stop } = some;
  out.clear();
  out.end = stop;
  for (let i = 0; i < length; i += 2) {
    const start = spans[i] as number;
    const next = spans[i + 1] as number;
    const end = block[next - 1] === separator ? next - 1 : next;
    try {
      if (!lineTest.test(block, start, end)) continue;
    } catch (error) {
      if (!(error instanceof RegexPause)) throw error;
      out.end = start;
      return;
    }
    out.push(start, next);
    out.matched++;
  }
}

/** End of the line at `at`, after its separator. */
export function lineEnd(block: Uint8Array, at: number, end: number, separator: number): number {
  const found = block.indexOf(separator, at);
  return found < 0 || found >= end ? end : found + 1;
}

/**
 * Adds the matching lines of `block[start..end)`, which are whole lines, to `out`. If a pause is
 * due, it stops and sets `out.end` to the start of the current line; a call for the lines from
 * there continues within that line.
 */
export function scanLines(
  program: Program,
  block: Uint8Array,
  start: number,
  end: number,
  separator: number,
  out: Spans,
): void {
  const dfa = program.select;
  const { alphabet, pace } = program;
  const kept = program.kept.lines;
  const ofByte = alphabet.ofByte.slice();
  ofByte[separator] = alphabet.classes;
  const first = dfa.start(Beside.edge);
  if (first === MATCH) return allLines(block, start, end, separator, out);
  let at = kept.take(block, start, end, dfa.epoch);
  let row = at < 0 ? first : kept.row;
  if (at < 0) at = start;
  let transitions = dfa.transitions;
  while (at < end) {
    if (pace.left < 0) {
      out.end = lineStart(block, at, start, separator);
      kept.keep(block, out.end, end, at, row, dfa.epoch);
      pace.rest();
      return;
    }
    const stop = end - at > STRIDE ? at + STRIDE : end;
    pace.left -= stop - at;
    while (at < stop) {
      const byte = block[at] as number;
      let next = transitions[row + (ofByte[byte] as number)] as number;
      if (next < 0) {
        let length = 1;
        if (next === MORE) {
          const symbol = symbolAt(block, at, end);
          alphabet.expand();
          next = dfa.next(row, alphabet.ofSymbol(symbol));
          length = symbolLength(symbol);
        } else if (next !== MATCH) {
          next = dfa.next(row, ofByte[byte] as number);
        }
        transitions = dfa.transitions;
        if (next === MATCH) {
          const from = lineStart(block, at, start, separator);
          at = lineEnd(block, at, end, separator);
          out.push(from, at);
          out.matched++;
          if (at === end) return;
          row = dfa.start(Beside.edge);
          continue;
        }
        row = next;
        at += length;
        if (pace.left < 0) break;
        continue;
      }
      row = next;
      at++;
    }
  }
  if (end > start && block[end - 1] !== separator && dfa.next(row, alphabet.classes) === MATCH) {
    out.push(lineStart(block, end, start, separator), end);
    out.matched++;
  }
}

/** Start of the line that contains `at`, at least `start`. */
function lineStart(block: Uint8Array, at: number, start: number, separator: number): number {
  return at <= start ? start : Math.max(start, block.lastIndexOf(separator, at - 1) + 1);
}

function allLines(
  block: Uint8Array,
  start: number,
  end: number,
  separator: number,
  out: Spans,
): void {
  for (let at = start; at < end;) {
    const next = lineEnd(block, at, end, separator);
    out.push(at, next);
    out.matched++;
    at = next;
  }
}
