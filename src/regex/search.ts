/**
 * Searches of one text by the automata: is there a match, and where do matches begin.
 *
 * @module
 */

import { Beside } from "./ast.ts";
import { MATCH, MORE, NOWHERE, UNKNOWN } from "./dfa.ts";
import type { Program } from "./program.ts";
import { symbolAt, symbolBefore, symbolLength } from "./utf8.ts";

/** Whether `bytes[start..end)` has a match that begins at `from` or later. */
export function hasMatch(
  program: Program,
  bytes: Uint8Array,
  start: number,
  end: number,
  from: number,
): boolean {
  const dfa = program.select;
  const { alphabet } = program;
  const { ofByte, classes } = alphabet;
  let at = from;
  let row = dfa.start(program.before(bytes, from, start));
  if (row === MATCH) return true;
  const { stay, epoch } = dfa.idle;
  let idle = dfa.idle.transition;
  let transitions = dfa.transitions;
  while (at < end) {
    if (row === idle) {
      while (at < end && stay[bytes[at] as number] !== 0) at++;
      if (at === end) break;
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
    }
    row = next;
    at++;
  }
  return dfa.next(row, classes) === MATCH;
}

/** The places in a text where matches begin, last first. */
export class Starts {
  /** The places; the first `length` count. */
  places: Int32Array = new Int32Array(64);
  /** How many there are. */
  length = 0;

  #push(place: number): void {
    if (this.length === this.places.length) {
      const grown = new Int32Array(this.length * 2);
      grown.set(this.places);
      this.places = grown;
    }
    this.places[this.length++] = place;
  }

  /** Finds them all in `bytes[start..end)`, in one pass from the end. */
  collect(program: Program, bytes: Uint8Array, start: number, end: number): void {
    const dfa = program.starts;
    const { alphabet } = program;
    const { ofByte, classes } = alphabet;
    this.length = 0;
    const { stay, epoch } = dfa.idle;
    let idle = dfa.idle.transition;
    let value = dfa.start(Beside.edge);
    let transitions = dfa.transitions;
    if ((value & 1) !== 0) this.#push(end);
    let at = end;
    while (at > start) {
      if (value === idle) {
        while (at > start && stay[bytes[at - 1] as number] !== 0) at--;
        if (at === start) break;
      }
      const column = ofByte[bytes[at - 1] as number] as number;
      let next = transitions[(value >> 2) + column] as number;
      let length = 1;
      if (next < 0) {
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
    }
    if ((dfa.next(value >> 2, classes) & 2) !== 0) this.#push(start);
  }
}
