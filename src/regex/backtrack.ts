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
/** Numbers that the notes of a search take at most: what stays near the processor. */
const mostNoted = 1 << 20;
/** Places where a note may stand. */
const ways = 4;

/** A set of lists of integers, all of the same length. It forgets some when there are many. */
class Notes {
  /** Where the caller puts what {@linkcode add} takes; the first number is not negative. */
  readonly key: Int32Array;
  readonly #width: number;
  #items: Int32Array;
  #slots = 1024;
  #count = 0;

  constructor(width: number) {
    this.#width = width;
    this.key = new Int32Array(width);
    this.#items = new Int32Array(this.#slots * width).fill(-1);
  }

  /** Adds the key; false where it was there before. */
  add(): boolean {
    if (!this.#put(this.key, 0)) return false;
    if (++this.#count * 2 < this.#slots || this.#items.length * 2 > mostNoted) return true;
    const before = this.#items;
    this.#slots *= 2;
    this.#items = new Int32Array(this.#slots * this.#width).fill(-1);
    for (let from = 0; from < before.length; from += this.#width) {
      if ((before[from] as number) >= 0) this.#put(before, from);
    }
    return true;
  }

  /** Notes the list at `from` in `list`; false where it is known. */
  #put(list: Int32Array, from: number): boolean {
    const width = this.#width;
    const items = this.#items;
    let hash = 0;
    for (let i = 0; i < width; i++) {
      const mixed = Math.imul(list[from + i] as number, 0xcc9e2d51);
      hash ^= Math.imul(mixed << 15 | mixed >>> 17, 0x1b873593);
      hash = Math.imul(hash << 13 | hash >>> 19, 5) + 0xe6546b64 | 0;
    }
    const first = (hash ^ hash >>> 16) & this.#slots - 1;
    let free = first;
    for (let way = 0; way < ways; way++) {
      const slot = first ^ way;
      const at = slot * width;
      if ((items[at] as number) < 0) {
        free = slot;
        break;
      }
      let i = 0;
      while (i < width && items[at + i] === list[from + i]) i++;
      if (i === width) return false;
    }
    for (let i = 0; i < width; i++) items[free * width + i] = list[from + i] as number;
    return true;
  }
}

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
  /** Steps taken for all texts before this one. */
  #before = 0;
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

  /** Steps taken for all texts so far. */
  get total(): number {
    return this.#before + this.#steps;
  }

  /** Takes a text, and counts steps anew. */
  begin(bytes: Uint8Array, start: number, end: number): void {
    this.#before += this.#steps;
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
    let tried: Notes | undefined;
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
        if (
          this.#steps <= eager ||
          this.#isNew(tried ??= new Notes(2 + 2 * this.#named.length), q, at)
        ) {
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

  /** Whether the way on from here was not tried before at this place with the same named text. */
  #isNew(tried: Notes, q: number, at: number): boolean {
    const registers = this.#registers;
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
