/**
 * Finds the way that a match took through the automaton, and so its sub-expressions.
 *
 * One pass from the end records, for each position, the states that can still reach the end. A walk
 * from the start then takes the first such branch at each fork. Both are linear in the text's
 * length.
 *
 * @module
 */

import { Beside } from "./ast.ts";
import { type Dfa, type DfaState, keptSize, UNKNOWN } from "./dfa.ts";
import { Kind, type Nfa } from "./nfa.ts";
import { Kept, STRIDE } from "./pace.ts";
import type { Program } from "./program.ts";
import { symbolAt, symbolBefore, symbolLength } from "./utf8.ts";

/** Work of tracing a byte, and of walking a state. */
const TRACE_COST = 4;
const WALK_COST = 8;

/** Registers of sub-expressions as glibc's `update_regs` keeps them. */
export class Registers {
  /** `[start0, end0, start1, end1, ...]`, -1 where unset. */
  readonly now: Int32Array;
  readonly #before: Int32Array;

  constructor(groups: number) {
    this.now = new Int32Array(2 * groups + 2).fill(-1);
    this.#before = this.now.slice();
  }

  /** Unsets all registers. */
  reset(): void {
    this.now.fill(-1);
    this.#before.fill(-1);
  }

  /** Sub-expression `group` starts at `at`. */
  open(group: number, at: number): void {
    this.now[2 * group] = at;
    this.now[2 * group + 1] = -1;
  }

  /** Sub-expression `group` ends at `at`. */
  close(group: number, at: number, optional: boolean): void {
    const { now } = this;
    if ((now[2 * group] as number) < at) {
      now[2 * group + 1] = at;
      this.#before.set(now);
    } else if (optional && this.#before[2 * group] !== -1) {
      // An empty repetition keeps the match of the previous one.
      now.set(this.#before);
    } else {
      now[2 * group + 1] = at;
    }
  }
}

/** The text of a walk: `bytes[start..end)`. */
export interface Text {
  readonly bytes: Uint8Array;
  readonly start: number;
  readonly end: number;
}

/** Walks matches of one pattern. */
export class Walker {
  /** The sub-expressions of the last walk. */
  readonly registers: Registers;
  readonly #program: Program;
  readonly #dfa: Dfa;
  readonly #nfa: Nfa;
  readonly #visited: Int32Array;
  readonly #readCost: number;
  #round = 0;
  /** Start of the log. */
  #from = 0;
  /** The state's row at each position between symbols; -1 within a symbol. */
  #log = new Int32Array(256);
  /** The kind of symbol before each position. */
  #beside = new Uint8Array(256);
  /** Saved position of a paused trace. */
  readonly #kept = new Kept();
  /** Position of a paused walk (-1: none), and its state. */
  #walked = -1;
  #state = 0;
  /**
   * The states that the rows from each position down belong to, one entry for each epoch of the
   * automaton.
   */
  readonly #epochs: { readonly states: readonly DfaState[]; to: number }[] = [];

  /** `dfa` reads `program.captureNfa` backwards and keeps all states in its sets. */
  constructor(program: Program, dfa: Dfa, groups: number) {
    this.#program = program;
    this.#dfa = dfa;
    this.#nfa = program.captureNfa;
    this.registers = new Registers(groups);
    const size = this.#nfa.kind.length;
    this.#visited = new Int32Array(size);
    // In a large automaton the live states of each position are computed again, not kept.
    this.#readCost = size > keptSize ? WALK_COST + size : WALK_COST;
  }

  /**
   * Records, for each position from `to` down to `from`, the states that can reach the end `to`.
   * With `plain` no assertion may depend on the symbol after `to`; it returns false as soon as no
   * way is left. Returns true if a match begins at `from`.
   *
   * @throws {RegexPause} When a pause is due.
   */
  trace(text: Text, from: number, to: number, plain: boolean): boolean {
    const { bytes, start, end } = text;
    const dfa = this.#dfa;
    const { alphabet, pace } = this.#program;
    const { ofByte } = alphabet;
    const epochs = this.#epochs;
    this.#walked = -1;
    let at = this.#kept.take(bytes, from, to, dfa.epoch);
    let value = this.#kept.row;
    if (at < 0) {
      this.#reserve(to - from + 1);
      this.#from = from;
      at = to;
      value = dfa.start(plain ? 0 : this.#program.after(bytes, to, end));
      epochs.length = 0;
      epochs.push({ states: dfa.states, to });
      this.#log[to - from] = value >> 2;
    }
    const log = this.#log;
    const beside = this.#beside;
    let { epoch } = dfa;
    while (at > from) {
      if (pace.left < 0) {
        this.#kept.keep(bytes, from, to, at, value, epoch);
        pace.pause();
      }
      const stop = Math.max(from, at - STRIDE);
      pace.left -= TRACE_COST * (at - stop);
      while (at > stop) {
        let column = ofByte[bytes[at - 1] as number] as number;
        let length = 1;
        if (column > alphabet.classes) {
          const symbol = symbolBefore(bytes, at, from);
          column = alphabet.ofSymbol(symbol);
          length = symbolLength(symbol);
          for (let i = 1; i < length; i++) log[at - from - i] = -1;
        }
        beside[at - from] = alphabet.beside[column] as number;
        const next = dfa.transitions[(value >> 2) + column] as number;
        at -= length;
        const isNew = next === UNKNOWN;
        if (isNew) {
          value = dfa.next(value >> 2, column);
          if (dfa.epoch !== epoch) {
            epoch = dfa.epoch;
            epochs.push({ states: dfa.states, to: at });
          }
        } else {
          value = next;
        }
        log[at - from] = value >> 2;
        if (plain && dfa.stateOf(value).set.length === 0) return false;
        if (isNew && pace.left < 0) break;
      }
    }
    beside[0] = this.#program.before(bytes, from, start);
    return this.#alive(from)?.[this.#nfa.start] === 1;
  }

  #reserve(size: number): void {
    if (size <= this.#log.length) return;
    const room = Math.max(size, this.#log.length * 2);
    this.#log = new Int32Array(room);
    this.#beside = new Uint8Array(room);
  }

  /** Discards a walk that has paused. */
  begin(): void {
    this.#walked = -1;
  }

  /** True if a match begins at `at`. */
  begins(at: number): boolean {
    return this.#alive(at)?.[this.#nfa.start] === 1;
  }

  /**
   * Walks the match that begins at `from`, and returns its end.
   *
   * @throws {RegexPause} When a pause is due.
   */
  walk(text: Text, from: number): number {
    const { bytes, end } = text;
    const nfa = this.#nfa;
    const { pace } = this.#program;
    const { registers } = this;
    let at = from;
    let q = nfa.start;
    if (this.#walked >= 0) {
      at = this.#walked;
      q = this.#state;
      this.#walked = -1;
    } else {
      registers.reset();
    }
    let alive = this.#alive(at) as Uint8Array;
    let { left } = pace;
    this.#round++;
    for (;;) {
      switch (nfa.kind[q]) {
        case Kind.accept:
          pace.left = left;
          return at;
        case Kind.read:
          at += symbolLength(symbolAt(bytes, at, end));
          q = nfa.out1[q] as number;
          left -= this.#readCost;
          if (left < 0) {
            this.#walked = at;
            this.#state = q;
            pace.pause();
          }
          alive = this.#alive(at) as Uint8Array;
          this.#round++;
          continue;
        case Kind.open:
          registers.open(nfa.arg[q] as number, at);
          break;
        case Kind.close:
        case Kind.closeOptional:
          registers.close(nfa.arg[q] as number, at, nfa.kind[q] === Kind.closeOptional);
          left -= registers.now.length;
          break;
        default:
          left -= WALK_COST;
      }
      this.#visited[q] = this.#round;
      q = this.#choose(q, alive);
    }
  }

  /** The next state: the first that can reach the end, unless already visited at this position. */
  #choose(q: number, alive: Uint8Array): number {
    const nfa = this.#nfa;
    const first = nfa.out1[q] as number;
    if (nfa.kind[q] !== Kind.split) return first;
    const second = nfa.out2[q] as number;
    if (alive[first] === 0) return second;
    if (alive[second] === 0) return first;
    return this.#visited[first] === this.#round ? second : first;
  }

  /** 1 for each state that can reach the end from `at`; undefined within a symbol. */
  #alive(at: number): Uint8Array | undefined {
    const row = this.#log[at - this.#from] as number;
    if (row < 0) return undefined;
    const epochs = this.#epochs;
    let low = 0;
    for (let high = epochs.length - 1; low < high;) {
      const middle = (low + high + 1) >> 1;
      if ((epochs[middle]?.to as number) >= at) low = middle;
      else high = middle - 1;
    }
    const state = epochs[low]?.states[row / this.#dfa.stride];
    return state && this.#dfa.closed(state, this.#beside[at - this.#from] ?? Beside.other);
  }
}
