/**
 * Finding the way that a match took, and so what its sub-expressions matched.
 *
 * One pass from the end notes, for each place, which states of the automaton can still reach the
 * end; then a walk from the start takes the first way at each fork that can. Both are linear in
 * the text's length.
 *
 * @module
 */

import { Beside } from "./ast.ts";
import { type Dfa, type DfaState, keptSize, UNKNOWN } from "./dfa.ts";
import { Kind, type Nfa } from "./nfa.ts";
import { Kept, STRIDE } from "./pace.ts";
import type { Program } from "./program.ts";
import { symbolAt, symbolBefore, symbolLength } from "./utf8.ts";

/** Work of a byte that is traced, and of a state that is walked. */
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

  /** Unsets all. */
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
      // An empty round of a repetition leaves what the round before it matched.
      now.set(this.#before);
    } else {
      now[2 * group + 1] = at;
    }
  }
}

/** Which text a walker looks at: `bytes[start..end)`. */
export interface Text {
  readonly bytes: Uint8Array;
  readonly start: number;
  readonly end: number;
}

/** Walks matches of one pattern. */
export class Walker {
  /** What the last walk's sub-expressions matched. */
  readonly registers: Registers;
  readonly #program: Program;
  readonly #dfa: Dfa;
  readonly #nfa: Nfa;
  readonly #visited: Int32Array;
  readonly #readCost: number;
  #round = 0;
  /** From where the log counts. */
  #from = 0;
  /** The row of the state at each place between symbols; -1 within a symbol. */
  #log = new Int32Array(256);
  /** What stands before each place. */
  #beside = new Uint8Array(256);
  /** Where a trace has paused. */
  readonly #kept = new Kept();
  /** Where a walk has paused: its place, or -1, and the state of the automaton. */
  #walked = -1;
  #state = 0;
  /** The states of the rows from each place down, where the automaton dropped those before. */
  readonly #epochs: { readonly states: readonly DfaState[]; to: number }[] = [];

  /** `dfa` reads `program.captureNfa` backwards and keeps all states in its sets. */
  constructor(program: Program, dfa: Dfa, groups: number) {
    this.#program = program;
    this.#dfa = dfa;
    this.#nfa = program.captureNfa;
    this.registers = new Registers(groups);
    const size = this.#nfa.kind.length;
    this.#visited = new Int32Array(size);
    // Which states live at a place is found out anew where it is not kept.
    this.#readCost = size > keptSize ? WALK_COST + size : WALK_COST;
  }

  /**
   * Notes which states can reach the end `to` from each place down to `from`. `plain`: no assertion
   * may hold at `to`; then it gives up, and returns false, where no way is left.
   *
   * @throws {RegexPause} When the program's pace asks for it.
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

  /** Forgets a walk that has paused. */
  begin(): void {
    this.#walked = -1;
  }

  /** Whether a match begins at `at`. */
  begins(at: number): boolean {
    return this.#alive(at)?.[this.#nfa.start] === 1;
  }

  /**
   * Walks the match that begins at `from`, and returns where it ends.
   *
   * @throws {RegexPause} When the program's pace asks for it.
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

  /** The next state: the first that can end the match, unless it was just walked in vain. */
  #choose(q: number, alive: Uint8Array): number {
    const nfa = this.#nfa;
    const first = nfa.out1[q] as number;
    if (nfa.kind[q] !== Kind.split) return first;
    const second = nfa.out2[q] as number;
    if (alive[first] === 0) return second;
    if (alive[second] === 0) return first;
    return this.#visited[first] === this.#round ? second : first;
  }

  /** Which states can reach the end from `at`; none where a symbol is cut. */
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
