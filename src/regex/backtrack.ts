/**
 * Patterns with back-references, which no automaton can match: all ways are tried, under a limit.
 *
 * @module
 */

import { includes } from "./charset.ts";
import { foldCase } from "./classes.ts";
import { RegexLimitError } from "./errors.ts";
import { Kind, type Nfa } from "./nfa.ts";
import type { Program } from "./program.ts";
import { symbolAt, symbolLength } from "./utf8.ts";

/** Steps after which a search notes what it has tried. */
const patience = 200_000;

/** What {@linkcode Backtracker} does at a state. */
const DEAD = -1;
const ACCEPTED = -2;

/** A stack of integers. */
class Stack {
  items: Int32Array = new Int32Array(256);
  length = 0;

  push(item: number): void {
    if (this.length === this.items.length) {
      const grown = new Int32Array(this.length * 2);
      grown.set(this.items);
      this.items = grown;
    }
    this.items[this.length++] = item;
  }

  pop(): number {
    return this.items[--this.length] as number;
  }
}

/** Finds the longest match of a pattern with back-references that begins at one place. */
export class Backtracker {
  readonly #program: Program;
  readonly #nfa: Nfa;
  readonly #maxSteps: number;
  /** The sub-expressions that back-references name. */
  readonly #named: readonly number[];
  readonly #registers: Int32Array;
  /** Forks to come back to: state, place, and the heights of the two other stacks. */
  readonly #forks = new Stack();
  /** Registers that were changed: number and old value. */
  readonly #undo = new Stack();
  /** Forks passed since the last symbol was read; a mark of -1 begins each such run. */
  readonly #trail = new Stack();
  #steps = 0;
  #bytes: Uint8Array = new Uint8Array(0);
  #start = 0;
  #end = 0;

  constructor(program: Program, groups: number, maxSteps: number) {
    this.#program = program;
    this.#nfa = program.captureNfa;
    this.#maxSteps = maxSteps;
    this.#registers = new Int32Array(2 * groups + 2);
    const { kind, arg } = this.#nfa;
    const named = new Set<number>();
    kind.forEach((k, q) => k === Kind.backref && named.add((arg[q] as number) >> 1));
    this.#named = [...named];
  }

  /** Takes a text, and counts steps anew. */
  begin(bytes: Uint8Array, start: number, end: number): void {
    this.#steps = 0;
    this.#bytes = bytes;
    this.#start = start;
    this.#end = end;
  }

  /**
   * Fills `out` with the registers of the longest match at `from` and returns true, or returns
   * false. `first`: any match will do.
   *
   * @throws {RegexLimitError} When the text took more than `maxSteps` steps since it was begun.
   */
  match(from: number, out: Int32Array, first: boolean): boolean {
    const nfa = this.#nfa;
    const registers = this.#registers.fill(-1);
    const tried = new Set<string>();
    const eager = this.#steps + patience;
    this.#forks.length = this.#undo.length = this.#trail.length = 0;
    let best = -1;
    let at = from;
    let q = nfa.start;
    for (;;) {
      if (++this.#steps > this.#maxSteps) this.#refuse();
      const place = this.#step(q, at);
      if (place === ACCEPTED) {
        if (at > best) {
          best = at;
          out.set(registers);
          out[0] = from;
          out[1] = at;
        }
        if (first || at === this.#end) return true;
      } else if (place >= 0) {
        if (place > at) this.#trail.push(-1);
        at = place;
        if (nfa.kind[q] !== Kind.split || this.#passed(q)) {
          q = (nfa.kind[q] === Kind.split ? nfa.out2[q] : nfa.out1[q]) as number;
          continue;
        }
        if (this.#steps <= eager || !this.#known(tried, q, at)) {
          this.#fork(nfa.out2[q] as number, at, q);
          q = nfa.out1[q] as number;
          continue;
        }
      }
      if (this.#forks.length === 0) return best >= 0;
      this.#trail.length = this.#forks.pop();
      this.#rollBack(this.#forks.pop());
      at = this.#forks.pop();
      q = this.#forks.pop();
    }
  }

  #fork(other: number, at: number, q: number): void {
    this.#trail.push(q);
    const forks = this.#forks;
    forks.push(other);
    forks.push(at);
    forks.push(this.#undo.length);
    forks.push(this.#trail.length);
  }

  #rollBack(height: number): void {
    const undo = this.#undo;
    while (undo.length > height) {
      const value = undo.pop();
      this.#registers[undo.pop()] = value;
    }
  }

  #set(register: number, value: number): void {
    this.#undo.push(register);
    this.#undo.push(this.#registers[register] as number);
    this.#registers[register] = value;
  }

  /** Whether this fork was passed before without reading anything since. */
  #passed(q: number): boolean {
    const { items, length } = this.#trail;
    for (let i = length - 1; i >= 0 && items[i] !== -1; i--) if (items[i] === q) return true;
    return false;
  }

  /** Whether the way on from here was tried before: the same place, and the same named text. */
  #known(tried: Set<string>, q: number, at: number): boolean {
    const registers = this.#registers;
    let key = `${q},${at}`;
    for (const group of this.#named) key += `,${registers[2 * group]},${registers[2 * group + 1]}`;
    if (tried.has(key)) return true;
    tried.add(key);
    return false;
  }

  #refuse(): never {
    throw new RegexLimitError(
      `Back-references need more than ${this.#maxSteps} steps on this text (maxSteps): ` +
        "write the pattern without nested or adjacent repetitions, or shorten the text",
      "maxSteps",
      this.#maxSteps,
    );
  }

  /** Where the text goes on after state `q`, {@linkcode DEAD} or {@linkcode ACCEPTED}. */
  #step(q: number, at: number): number {
    const arg = this.#nfa.arg[q] as number;
    switch (this.#nfa.kind[q]) {
      case Kind.read:
        return this.#read(arg, at);
      case Kind.assert: {
        const before = this.#program.before(this.#bytes, at, this.#start);
        const after = this.#program.after(this.#bytes, at, this.#end);
        return (arg & before) !== 0 && (arg >> 4 & after) !== 0 ? at : DEAD;
      }
      case Kind.open:
        this.#set(2 * arg, at);
        this.#set(2 * arg + 1, -1);
        return at;
      case Kind.close:
      case Kind.closeOptional:
        // An empty round of a repetition counts here: a back-reference may need it.
        this.#set(2 * arg + 1, at);
        return at;
      case Kind.backref:
        return this.#again(arg >> 1, at, (arg & 1) !== 0);
      case Kind.accept:
        return ACCEPTED;
      default:
        return at;
    }
  }

  #read(set: number, at: number): number {
    if (at >= this.#end) return DEAD;
    const { has, classes, ofByte } = this.#program.alphabet;
    const byte = this.#bytes[at] as number;
    if (byte < 0x80) return has[set * classes + (ofByte[byte] as number)] === 1 ? at + 1 : DEAD;
    const symbol = symbolAt(this.#bytes, at, this.#end);
    const column = this.#program.alphabet.ofSymbol(symbol);
    return has[set * classes + column] === 1 ? at + symbolLength(symbol) : DEAD;
  }

  /** Where what `group` matched ends if it stands at `at` once more, or {@linkcode DEAD}. */
  #again(group: number, at: number, ignoreCase: boolean): number {
    const bytes = this.#bytes;
    const from = this.#registers[2 * group] as number;
    const to = this.#registers[2 * group + 1] as number;
    if (from < 0 || to < 0) return DEAD;
    if (ignoreCase) return this.#againFolded(from, to, at);
    const length = to - from;
    if (at + length > this.#end) return DEAD;
    for (let i = 0; i < length; i++) {
      if (bytes[from + i] !== bytes[at + i]) {
        this.#steps += i >> 4;
        return DEAD;
      }
    }
    this.#steps += length >> 4;
    return at + length;
  }

  #againFolded(from: number, to: number, at: number): number {
    const bytes = this.#bytes;
    let place = at;
    for (let i = from; i < to;) {
      if (place >= this.#end) return DEAD;
      this.#steps++;
      const a = symbolAt(bytes, i, to);
      const b = symbolAt(bytes, place, this.#end);
      if (a !== b && !includes(foldCase([a, a]), b)) return DEAD;
      i += symbolLength(a);
      place += symbolLength(b);
    }
    return place;
  }
}
