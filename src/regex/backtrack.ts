/**
 * Patterns with back-references, which no automaton can match: all ways are tried, under a limit.
 *
 * @module
 */

import { includes } from "./charset.ts";
import { foldCase } from "./classes.ts";
import { RegexLimitError } from "./errors.ts";
import { Kind, type Nfa } from "./nfa.ts";
import { Notes } from "./notes.ts";
import type { Program } from "./program.ts";
import { Stack } from "./stack.ts";
import { symbolAt, symbolLength } from "./utf8.ts";

/** Steps after which a search notes what it has tried. */
const patience = 200_000;
/** What a step of a search that makes notes counts for: it looks around in memory. */
const NOTED = 4;
/** Steps that a text may take for each of its bytes, so that a long one is no harder. */
const PER_BYTE = 32;
/** Work of a step. */
const STEP_COST = 25;

/** What {@linkcode Backtracker} does at a state. */
const DEAD = -1;
const ACCEPTED = -2;

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
  /** Steps taken for all texts before this one. */
  #before = 0;
  #steps = 0;
  /** Steps that the text may take. */
  #most = 0;
  /** After so many steps a pause may be due, or the limit be reached. */
  #look = 0;
  /** Steps whose work was taken from the program's pace. */
  #settled = 0;
  #bytes: Uint8Array = new Uint8Array(0);
  #start = 0;
  #end = 0;
  /** Where a search has paused: its state or -1, its place, and what it had found. */
  #state = -1;
  #at = 0;
  #best = -1;
  /** Up to so many steps nothing is noted. */
  #eager = 0;
  #tried: Notes | undefined;

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

  /** Steps taken for all texts so far. */
  get total(): number {
    return this.#before + this.#steps;
  }

  /** Takes a text, and counts steps anew. */
  begin(bytes: Uint8Array, start: number, end: number): void {
    this.#settle();
    this.#before += this.#steps;
    this.#steps = this.#settled = 0;
    this.#most = this.#maxSteps + PER_BYTE * (end - start);
    this.#bytes = bytes;
    this.#start = start;
    this.#end = end;
    this.#state = -1;
    this.#look = this.#nextLook();
  }

  /**
   * Fills `out` with the registers of the longest match at `from` and returns true, or returns
   * false. `first`: any match will do.
   *
   * @throws {RegexLimitError} When the text took more steps than it may since it was begun.
   * @throws {RegexPause} When the program's pace asks for it; the same call then goes on.
   */
  match(from: number, out: Int32Array, first: boolean): boolean {
    const { kind, out1, out2, start } = this.#nfa;
    let best = -1;
    let at = from;
    let q = start;
    if (this.#state >= 0) {
      best = this.#best;
      at = this.#at;
      q = this.#state;
      this.#state = -1;
    } else {
      this.#registers.fill(-1);
      this.#forks.length = this.#undo.length = this.#trail.length = 0;
      this.#eager = this.#steps + patience;
      this.#tried = undefined;
    }
    for (;;) {
      if (++this.#steps > this.#look) {
        this.#settle();
        if (this.#steps > this.#most) this.#refuse();
        if (this.#program.pace.left < 0) this.#pause(q, at, best);
        this.#look = this.#nextLook();
      }
      const place = this.#step(q, at);
      if (place === ACCEPTED) {
        if (at > best) {
          best = at;
          out.set(this.#registers);
          out[0] = from;
          out[1] = at;
        }
        if (first || at === this.#end) break;
      } else if (place >= 0) {
        if (place > at) this.#trail.push(-1);
        at = place;
        if (kind[q] !== Kind.split) {
          q = out1[q] as number;
          continue;
        }
        if (this.#passed(q)) {
          q = out2[q] as number;
          continue;
        }
        if (this.#steps <= this.#eager || this.#isNew(q, at)) {
          this.#fork(out2[q] as number, at, q);
          q = out1[q] as number;
          continue;
        }
      }
      if (this.#forks.length === 0) break;
      this.#trail.length = this.#forks.pop();
      this.#rollBack(this.#forks.pop());
      at = this.#forks.pop();
      q = this.#forks.pop();
    }
    return best >= 0;
  }

  /** See `#look`; what else is done meanwhile is little. */
  #nextLook(): number {
    const { left } = this.#program.pace;
    return Math.min(this.#most, this.#steps + Math.max(0, left / STEP_COST));
  }

  /** Takes what was done from the program's pace. */
  #settle(): void {
    this.#program.pace.left -= STEP_COST * (this.#steps - this.#settled);
    this.#settled = this.#steps;
  }

  #pause(state: number, at: number, best: number): never {
    // The step that was counted is yet to come.
    this.#steps--;
    this.#state = state;
    this.#at = at;
    this.#best = best;
    const { pace } = this.#program;
    pace.rest();
    this.#look = this.#nextLook();
    return pace.pause();
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

  /** Whether the way on from here was not tried before at this place with the same named text. */
  #isNew(q: number, at: number): boolean {
    const tried = this.#tried ??= new Notes(2 + 2 * this.#named.length);
    const registers = this.#registers;
    this.#steps += NOTED - 1;
    const { key } = tried;
    key[0] = q;
    key[1] = at;
    let i = 2;
    for (const group of this.#named) {
      key[i++] = registers[2 * group] as number;
      key[i++] = registers[2 * group + 1] as number;
    }
    return tried.add();
  }

  #refuse(): never {
    throw new RegexLimitError(
      `Back-references need more than ${this.#most} steps on this text (maxSteps): ` +
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
