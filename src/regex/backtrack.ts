/**
 * Patterns with back-references, which no automaton can match: all ways are tried, under a limit.
 *
 * @module
 */

import { Registers } from "./captures.ts";
import { includes } from "./charset.ts";
import { foldCase } from "./classes.ts";
import { RegexLimitError } from "./errors.ts";
import { Kind, type Nfa } from "./nfa.ts";
import type { Program } from "./program.ts";
import { symbolAt, symbolLength } from "./utf8.ts";

/** Steps after which a search notes what it has tried. */
const patience = 100_000;

/** The forks passed since the last symbol was read, latest first. */
interface Trail {
  readonly state: number;
  readonly rest: Trail | undefined;
}

/** One fork to come back to. */
interface Fork {
  readonly trail: Trail | undefined;
  readonly state: number;
  readonly at: number;
  readonly registers: Int32Array;
  readonly before: Int32Array;
}

function passed(trail: Trail | undefined, state: number): boolean {
  for (let step = trail; step !== undefined; step = step.rest) {
    if (step.state === state) return true;
  }
  return false;
}

/** Finds the longest match of a pattern with back-references that begins at one place. */
export class Backtracker {
  readonly #program: Program;
  readonly #groups: number;
  readonly #maxSteps: number;
  /** The sub-expressions that back-references name. */
  readonly #named: readonly number[];
  #steps = 0;

  constructor(program: Program, groups: number, maxSteps: number) {
    this.#program = program;
    this.#groups = groups;
    this.#maxSteps = maxSteps;
    const { kind, arg } = program.captureNfa;
    const named = new Set<number>();
    kind.forEach((k, q) => k === Kind.backref && named.add((arg[q] as number) >> 1));
    this.#named = [...named];
  }

  /** Starts counting steps anew. */
  begin(): void {
    this.#steps = 0;
  }

  /**
   * Fills `out` with the registers of the longest match at `from` and returns true, or returns
   * false. `first`: any match will do.
   */
  match(
    bytes: Uint8Array,
    start: number,
    end: number,
    from: number,
    out: Int32Array,
    first: boolean,
  ): boolean {
    const nfa = this.#program.captureNfa;
    let best = -1;
    const registers = new Registers(this.#groups);
    const forks: Fork[] = [];
    const tried = new Set<string>();
    const begun = this.#steps;
    let trail: Trail | undefined;
    let at = from;
    let q = nfa.start;
    for (;;) {
      this.#count();
      const outcome = this.#step(nfa, q, bytes, start, end, at, registers);
      if (outcome === -2) {
        if (at > best) {
          best = at;
          out.set(registers.now);
          out[0] = from;
          out[1] = at;
        }
        if (first || at === end) return true;
      } else if (outcome >= 0) {
        if (outcome > at) trail = undefined;
        at = outcome;
        if (nfa.kind[q] === Kind.split) {
          if (passed(trail, q)) {
            q = nfa.out2[q] as number;
          } else if (this.#steps - begun > patience && this.#known(tried, q, at, registers.now)) {
            q = -1;
          } else {
            trail = { state: q, rest: trail };
            forks.push({ state: nfa.out2[q] as number, at, trail, ...registers.save() });
            q = nfa.out1[q] as number;
          }
        } else {
          q = nfa.out1[q] as number;
        }
        if (q >= 0) continue;
      }
      const fork = forks.pop();
      if (fork === undefined) return best >= 0;
      q = fork.state;
      at = fork.at;
      registers.restore(fork);
      trail = fork.trail;
    }
  }

  /** Whether the way on from here was tried before: the same place, and the same named text. */
  #known(tried: Set<string>, state: number, at: number, registers: Int32Array): boolean {
    let key = `${state},${at}`;
    for (const group of this.#named) key += `,${registers[2 * group]},${registers[2 * group + 1]}`;
    if (tried.has(key)) return true;
    tried.add(key);
    return false;
  }

  #count(): void {
    if (++this.#steps > this.#maxSteps) {
      throw new RegexLimitError(
        `Back-references need more than ${this.#maxSteps} steps on this text (maxSteps); ` +
          "write the pattern without nested repetitions",
        "maxSteps",
        this.#maxSteps,
      );
    }
  }

  /** Where the text goes on after state `q`; -1: it does not match, -2: it is the end. */
  #step(
    nfa: Nfa,
    q: number,
    bytes: Uint8Array,
    start: number,
    end: number,
    at: number,
    registers: Registers,
  ): number {
    const arg = nfa.arg[q] as number;
    switch (nfa.kind[q]) {
      case Kind.read: {
        if (at >= end) return -1;
        const symbol = symbolAt(bytes, at, end);
        const { alphabet } = this.#program;
        const has = alphabet.has[arg * alphabet.classes + alphabet.ofSymbol(symbol)] === 1;
        return has ? at + symbolLength(symbol) : -1;
      }
      case Kind.assert:
        return (arg & this.#program.before(bytes, at, start)) !== 0 &&
            (arg >> 4 & this.#program.after(bytes, at, end)) !== 0
          ? at
          : -1;
      case Kind.open:
        registers.open(arg, at);
        return at;
      case Kind.close:
      case Kind.closeOptional:
        // An empty round of a repetition counts here: a back-reference may need it.
        registers.close(arg, at, false);
        return at;
      case Kind.backref:
        return this.#again(bytes, end, at, registers.now, arg >> 1, (arg & 1) !== 0);
      case Kind.accept:
        return -2;
      default:
        return at;
    }
  }

  /** Where what `group` matched ends if it stands at `at` once more, or -1. */
  #again(
    bytes: Uint8Array,
    end: number,
    at: number,
    registers: Int32Array,
    group: number,
    ignoreCase: boolean,
  ): number {
    const from = registers[2 * group] as number;
    const to = registers[2 * group + 1] as number;
    if (from < 0 || to < 0) return -1;
    if (!ignoreCase) {
      if (at + to - from > end) return -1;
      for (let i = 0; i < to - from; i++) {
        if (bytes[from + i] !== bytes[at + i]) return -1;
      }
      this.#steps += to - from >> 4;
      return at + to - from;
    }
    let place = at;
    for (let i = from; i < to;) {
      if (place >= end) return -1;
      const a = symbolAt(bytes, i, to);
      const b = symbolAt(bytes, place, end);
      if (a !== b && !includes(foldCase([a, a]), b)) return -1;
      i += symbolLength(a);
      place += symbolLength(b);
    }
    return place;
  }
}
