/**
 * Finds the end of the longest match that begins at a position.
 *
 * A search may read far beyond the match: in a line without a `b`, each match of `a(.*b)?` reads to
 * the end of the line. Where such wasted reading adds up, searches record the positions and states
 * from which they found no end, and a later search that reaches one of them stops.
 *
 * @module
 */

import { UNKNOWN } from "./dfa.ts";
import { Kept, STRIDE } from "./pace.ts";
import type { Program } from "./program.ts";
import { symbolAt, symbolLength } from "./utf8.ts";

/** Recording starts after this many wasted bytes: PATIENCE * length of the text + SHORT. */
const PATIENCE = 4;
const SHORT = 1024;
/** Integers that the records may take, and how many of them a position gets if there is room. */
const ROOM = 1 << 22;
const WAYS = 8;
/** Work of a byte with recording. */
const NOTE_COST = 40;

/** Finds ends of matches, in one text after another. */
export class Ends {
  readonly #program: Program;
  /** Bytes read beyond a match in vain. */
  #wasted = 0;
  /**
   * `ways` items a position: a row plus 1, from which no match ends after the position; 0 if
   * unused.
   */
  #notes: Int32Array | undefined;
  #way = 0;
  #epoch = 0;
  /** The position of a paused search, the end found so far, and the search's start. */
  readonly #kept = new Kept();
  #found = -1;
  #from = 0;

  constructor(program: Program) {
    this.#program = program;
  }

  /** Starts a new text. */
  begin(): void {
    this.#wasted = 0;
    this.#notes = undefined;
  }

  /**
   * The end of the longest match in `bytes[start..end)` that begins at `from`, or -1.
   *
   * @throws {RegexPause} When a pause is due.
   */
  longest(bytes: Uint8Array, start: number, end: number, from: number): number {
    const dfa = this.#program.longest;
    const { alphabet, pace } = this.#program;
    const { ofByte, classes } = alphabet;
    const notes = this.#wasted > PATIENCE * (end - start) + SHORT;
    let at = this.#kept.take(bytes, start, end, dfa.epoch);
    let value: number;
    let found: number;
    if (at >= 0 && this.#from === from) {
      value = this.#kept.row;
      found = this.#found;
    } else {
      at = from;
      value = dfa.start(this.#program.before(bytes, from, start));
      found = (value & 1) !== 0 ? from : -1;
      if (notes) this.#way++;
    }
    if (notes) {
      this.#from = from;
      this.#found = found;
      return this.#noted(bytes, start, end, at, value);
    }
    let transitions = dfa.transitions;
    for (;;) {
      const stop = end - at > STRIDE ? at + STRIDE : end;
      const first = at;
      while (at < stop) {
        const column = ofByte[bytes[at] as number] as number;
        let next = transitions[(value >> 2) + column] as number;
        let length = 1;
        if (next < 0) {
          if (pace.left < 0) break;
          if (next === UNKNOWN) {
            next = dfa.next(value >> 2, column);
          } else {
            const symbol = symbolAt(bytes, at, end);
            alphabet.expand();
            next = dfa.next(value >> 2, alphabet.ofSymbol(symbol));
            length = symbolLength(symbol);
          }
          transitions = dfa.transitions;
        }
        value = next;
        if ((value & 3) !== 0) {
          if ((value & 2) !== 0) found = at;
          if ((value & 1) !== 0) found = at + length;
        }
        if (value < 4) break;
        at += length;
      }
      pace.left -= at - first;
      if (at >= end || value < 4) break;
      if (pace.left < 0) {
        this.#from = from;
        this.#found = found;
        this.#pause(bytes, start, end, at, value);
      }
    }
    if (value >= 4 && (dfa.next(value >> 2, classes) & 2) !== 0) return end;
    this.#wasted += at - (found < 0 ? from : found);
    return found;
  }

  /** Records the position of a search and pauses. */
  #pause(bytes: Uint8Array, start: number, end: number, at: number, row: number): never {
    this.#kept.keep(bytes, start, end, at, row, this.#program.longest.epoch);
    this.#program.pace.pause();
  }

  /** Continues from `begin` in state `row`, and records positions without an end. */
  #noted(bytes: Uint8Array, start: number, end: number, begin: number, row: number): number {
    const dfa = this.#program.longest;
    const { alphabet, pace } = this.#program;
    const ways = Math.min(WAYS, Math.floor(ROOM / (end - start + 1)));
    const notes = this.#notes ??= new Int32Array((end - start + 1) * ways);
    const way = ways === 0 ? 0 : this.#way % ways;
    let value = row;
    let found = this.#found;
    let at = begin;
    while (at < end) {
      if (pace.left < 0) {
        this.#found = found;
        this.#pause(bytes, start, end, at, value);
      }
      const symbol = symbolAt(bytes, at, end);
      if (symbol >= 0x80) alphabet.expand();
      const next = dfa.next(value >> 2, alphabet.ofSymbol(symbol));
      const length = symbolLength(symbol);
      pace.left -= NOTE_COST;
      value = next;
      if ((value & 2) !== 0) found = at;
      if ((value & 1) !== 0) found = at + length;
      if (value < 4) break;
      at += length;
      if (dfa.epoch !== this.#epoch) {
        this.#epoch = dfa.epoch;
        notes.fill(0);
      }
      const known = (value >> 2) + 1;
      const place = (at - start) * ways;
      if (notes.subarray(place, place + ways).includes(known)) break;
      notes[place + way] = known;
    }
    if (at >= end && value >= 4 && (dfa.next(value >> 2, alphabet.classes) & 2) !== 0) found = end;
    // The records up to the end that was found are wrong.
    for (let place = this.#from - start; place <= found - start; place++) {
      notes[place * ways + way] = 0;
    }
    return found;
  }
}
