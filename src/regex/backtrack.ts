/**
 * Matches patterns with back-references by backtracking, with a limit on steps: no automaton can do
 * it.
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

/** Steps after which a search starts to record what it has tried. */
const patience = 200_000;
/** Steps that one recorded step counts as: it accesses scattered memory. */
const NOTED = 4;
/** Additional steps allowed for each byte of a text, so that the limit suits long texts, too. */
const PER_BYTE = 32;
/** Work of a step, in units of {@linkcode Pace}. */
const STEP_COST = 25;

/** Results of a step other than an offset. */
const DEAD = -1;
const ACCEPTED = -2;

/** Finds the longest match from one position, for a pattern with back-references. */
export class Backtracker {
  readonly #program: Program;
  readonly #nfa: Nfa;
  readonly #maxSteps: number;
  /** The sub-expressions that back-references refer to. */
  readonly #named: readonly number[];
  readonly #registers: Int32Array;
  /** Alternatives to return to: state, position, and the heights of the two other stacks. */
  readonly #forks = new Stack();
  /** Changed registers: number and old value. */
  readonly #undo = new Stack();
  /** Forks passed since the last symbol was read; -1 marks the start of each such run. */
  readonly #trail = new Stack();
  /** Steps of all previous texts. */
  #before = 0;
  #steps = 0;
  /** Step limit for this text. */
  #most = 0;
  /** Step count at which to check for a due pause or the limit. */
  #look = 0;
  /** Steps whose work is already deducted from the program's pace. */
  #settled = 0;
  #bytes: Uint8Array = new Uint8Array(0);
  #start = 0;
  #end = 0;
  /** State of a paused search (-1: none), its position, and the end of the best match so far. */
  #state = -1;
  #at = 0;
  #best = -1;
  /** Step count up to which nothing is recorded. */
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

  /** Steps for all texts so far. */
  get total(): number {
    return this.#before + this.#steps;
  }

  /** Starts a new text and resets the step count. */
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
   * Fills `out` with the registers of the longest match at `from`; false if there is none. With
   * `first`, any match will do.
   *
   * @throws {RegexLimitError} When the text needs more steps than its limit.
   * @throws {RegexPause} When a pause is due; the same call then continues.
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

  /** The next value of `#look`. */
  #nextLook(): number {
    const { left } = this.#program.pace;
    return Math.min(this.#most, this.#steps + Math.max(0, left / STEP_COST));
  }

  /** Deducts the steps since the last call from the program's pace. */
  #settle(): void {
    this.#program.pace.left -= STEP_COST * (this.#steps - this.#settled);
    this.#settled = this.#steps;
  }

  #pause(state: number, at: number, best: number): never {
    // The step that was counted has not been executed.
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

  /** True if this fork was already passed since the last symbol was read. */
  #passed(q: number): boolean {
    const { items, length } = this.#trail;
    for (let i = length - 1; i >= 0 && items[i] !== -1; i--) if (items[i] === q) return true;
    return false;
  }

  /** True if this state was not tried before at this position with the same captured text. */
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

  /** The offset after state `q`, {@linkcode DEAD} or {@linkcode ACCEPTED}. */
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
        // An empty repetition sets the register here, as a back-reference may need it.
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

  /** The end of a repetition of `group`'s text at `at`, or {@linkcode DEAD}. */
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
