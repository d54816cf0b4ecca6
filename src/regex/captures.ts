/**
 * What the sub-expressions of a match matched, by glibc's rules.
 *
 * One pass from the match's end notes, for each place, which states of the automaton can still
 * reach that end; then one walk from the start takes the first way at each fork that can. Both are
 * linear in the match's length.
 *
 * @module
 */

import { Beside } from "./ast.ts";
import { type DfaState, UNKNOWN } from "./dfa.ts";
import { Kind, type Nfa } from "./nfa.ts";
import type { Program } from "./program.ts";
import { symbolAt, symbolBefore, symbolLength } from "./utf8.ts";

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

/** Fills the registers of one match after another. */
export class Captures {
  readonly #program: Program;
  readonly #registers: Registers;
  #log: DfaState[] = [];
  #beside: number[] = [];
  readonly #visited: Int32Array;
  #round = 0;

  constructor(program: Program, groups: number) {
    this.#program = program;
    this.#registers = new Registers(groups);
    this.#visited = new Int32Array(program.captureNfa.kind.length);
  }

  /** Registers of the match `bytes[from..to)` in the text `bytes[start..end)`, into `out`. */
  fill(
    bytes: Uint8Array,
    start: number,
    end: number,
    from: number,
    to: number,
    out: Int32Array,
  ): void {
    // glibc prefers an end that no assertion guards.
    const plain = this.#program.alphabet.asserts && this.#trace(bytes, start, end, from, to, true);
    if (!plain) this.#trace(bytes, start, end, from, to, false);
    this.#walk(bytes, from, to);
    out.set(this.#registers.now);
    out[0] = from;
    out[1] = to;
  }

  /**
   * Notes the state at each place between symbols, and what stands before it. `plain`: no
   * assertion may hold at the match's end. Returns whether the match can be had so.
   */
  #trace(
    bytes: Uint8Array,
    start: number,
    end: number,
    from: number,
    to: number,
    plain: boolean,
  ): boolean {
    const dfa = this.#program.trace;
    const { alphabet } = this.#program;
    const { ofByte } = alphabet;
    const edge = alphabet.asserts ? Beside.edge : Beside.other;
    let value = dfa.start(plain ? 0 : this.#program.after(bytes, to, end));
    const log = this.#log;
    const beside = this.#beside;
    log[to - from] = dfa.stateOf(value);
    for (let at = to; at > from;) {
      let column = ofByte[bytes[at - 1] as number] as number;
      let length = 1;
      if (column > alphabet.classes) {
        const symbol = symbolBefore(bytes, at, from);
        column = alphabet.ofSymbol(symbol);
        length = symbolLength(symbol);
      }
      beside[at - from] = alphabet.beside[column] as number;
      const next = dfa.transitions[(value >> 2) + column] as number;
      value = next === UNKNOWN ? dfa.next(value >> 2, column) : next;
      at -= length;
      const state = dfa.stateOf(value);
      log[at - from] = state;
      if (plain && state.set.length === 0) return false;
    }
    beside[0] = from > start && alphabet.asserts
      ? alphabet.besideSymbol(symbolBefore(bytes, from, start))
      : edge;
    return !plain || this.#alive(0)[this.#program.captureNfa.start] === 1;
  }

  #walk(bytes: Uint8Array, from: number, to: number): void {
    const nfa = this.#program.captureNfa;
    const registers = this.#registers;
    registers.reset();
    let at = from;
    let q = nfa.start;
    let alive = this.#alive(at - from);
    this.#round++;
    for (;;) {
      switch (nfa.kind[q]) {
        case Kind.accept:
          return;
        case Kind.read:
          at += symbolLength(symbolAt(bytes, at, to));
          alive = this.#alive(at - from);
          this.#round++;
          q = nfa.out1[q] as number;
          continue;
        case Kind.open:
          registers.open(nfa.arg[q] as number, at);
          break;
        case Kind.close:
        case Kind.closeOptional:
          registers.close(nfa.arg[q] as number, at, nfa.kind[q] === Kind.closeOptional);
          break;
      }
      this.#visited[q] = this.#round;
      q = this.#choose(nfa, q, alive);
    }
  }

  /** The next state: the first that can end the match, unless it was just walked in vain. */
  #choose(nfa: Nfa, q: number, alive: Uint8Array): number {
    const first = nfa.out1[q] as number;
    if (nfa.kind[q] !== Kind.split) return first;
    const second = nfa.out2[q] as number;
    if (alive[first] === 0) return second;
    if (alive[second] === 0) return first;
    return this.#visited[first] === this.#round ? second : first;
  }

  #alive(offset: number): Uint8Array {
    const state = this.#log[offset] as DfaState;
    return this.#program.trace.closed(state, this.#beside[offset] as number);
  }
}
