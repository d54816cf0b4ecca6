/**
 * Searches one text with the automata: tests for a match, and finds the positions where matches
 * begin.
 *
 * @module
 */

import { Beside } from "./ast.ts";
import { MATCH, MORE, NOWHERE, UNKNOWN } from "./dfa.ts";
import { Kept, STRIDE } from "./pace.ts";
import type { Program } from "./program.ts";
import { symbolAt, symbolBefore, symbolLength } from "./utf8.ts";

/**
 * True if `bytes[start..end)` has a match.
 *
 * @throws {RegexPause} When a pause is due.
 */
export function hasMatch(
  program: Program,
  bytes: Uint8Array,
  start: number,
  end: number,
): boolean {
  const dfa = program.select;
  const { alphabet, pace } = program;
  const { ofByte, classes } = alphabet;
  const kept = program.kept.text;
  let at = kept.take(bytes, start, end, dfa.epoch);
  let row = at < 0 ? dfa.start(program.before(bytes, start, start)) : kept.row;
  if (at < 0) at = start;
  if (row === MATCH) return true;
  const { stay, epoch } = dfa.idle;
  let idle = dfa.idle.transition;
  let transitions = dfa.transitions;
  while (at < end) {
    if (pace.left < 0) {
      kept.keep(bytes, start, end, at, row, dfa.epoch);
      pace.pause();
    }
    const stop = end - at > STRIDE ? at + STRIDE : end;
    pace.left -= stop - at;
    while (at < stop) {
      if (row === idle) {
        while (at < stop && stay[bytes[at] as number] !== 0) at++;
        if (at === stop) break;
      }
      const column = ofByte[bytes[at] as number] as number;
      let next = transitions[row + column] as number;
      if (next < 0) {
        if (next === MATCH) return true;
        if (next === MORE) {
          const symbol = symbolAt(bytes, at, end);
          alphabet.expand();
          next = dfa.next(row, alphabet.ofSymbol(symbol));
          at += symbolLength(symbol) - 1;
        } else {
          next = dfa.next(row, column);
        }
        if (next === MATCH) return true;
        if (dfa.epoch !== epoch) idle = NOWHERE;
        transitions = dfa.transitions;
        row = next;
        at++;
        if (pace.left < 0) break;
        continue;
      }
      row = next;
      at++;
    }
  }
  return dfa.next(row, classes) === MATCH;
}

/** The positions in a text where matches begin, last first. */
export class Starts {
  /** The positions, in the first `length` items. */
  places: Int32Array = new Int32Array(64);
  /** Number of positions. */
  length = 0;
  readonly #kept = new Kept();

  #push(place: number): void {
    if (this.length === this.places.length) {
      const grown = new Int32Array(this.length * 2);
      grown.set(this.places);
      this.places = grown;
    }
    this.places[this.length++] = place;
  }

  /**
   * Finds all positions in `bytes[start..end)`, in one pass from the end.
   *
   * @throws {RegexPause} When a pause is due.
   */
  collect(program: Program, bytes: Uint8Array, start: number, end: number): void {
    const dfa = program.starts;
    const { alphabet, pace } = program;
    const { ofByte, classes } = alphabet;
    const { stay, epoch } = dfa.idle;
    let idle = dfa.idle.transition;
    let at = this.#kept.take(bytes, start, end, dfa.epoch);
    let value = this.#kept.row;
    if (at < 0) {
      at = end;
      value = dfa.start(Beside.edge);
      this.length = 0;
      if ((value & 1) !== 0) this.#push(end);
    }
    let transitions = dfa.transitions;
    while (at > start) {
      if (pace.left < 0) {
        this.#kept.keep(bytes, start, end, at, value, dfa.epoch);
        pace.pause();
      }
      const stop = at - start > STRIDE ? at - STRIDE : start;
      pace.left -= at - stop;
      while (at > stop) {
        if (value === idle) {
          while (at > stop && stay[bytes[at - 1] as number] !== 0) at--;
          if (at === stop) break;
        }
        const column = ofByte[bytes[at - 1] as number] as number;
        let next = transitions[(value >> 2) + column] as number;
        let length = 1;
        let slow = false;
        if (next < 0) {
          slow = true;
          if (next === UNKNOWN) {
            next = dfa.next(value >> 2, column);
          } else {
            const symbol = symbolBefore(bytes, at, start);
            alphabet.expand();
            next = dfa.next(value >> 2, alphabet.ofSymbol(symbol));
            length = symbolLength(symbol);
          }
          if (dfa.epoch !== epoch) idle = NOWHERE;
          transitions = dfa.transitions;
        }
        value = next;
        if ((value & 3) !== 0) {
          if ((value & 2) !== 0) this.#push(at);
          if ((value & 1) !== 0) this.#push(at - length);
        }
        at -= length;
        if (slow && pace.left < 0) break;
      }
    }
    if ((dfa.next(value >> 2, classes) & 2) !== 0) this.#push(start);
  }
}
