/**
 * Groups the symbols that a pattern does not distinguish into a few classes, which are the columns
 * of the DFA's tables.
 *
 * @module
 */

import { Beside } from "./ast.ts";
import { anySymbol, type CharSet, INVALID } from "./charset.ts";

/** The kinds of neighbouring symbol that the pattern's assertions distinguish. */
export interface Looks {
  readonly word: boolean;
  readonly newline: boolean;
}

/**
 * Classes of symbols. No set and no assertion of the pattern distinguishes two symbols of a class.
 */
export class Alphabet {
  /** Number of classes. Column `classes` is the end of text, the next one {@linkcode MORE}. */
  readonly classes: number;
  /** The bit of {@linkcode Beside} that each class's symbols have. */
  readonly beside: Uint8Array;
  /** Class of each byte below 0x80; for other bytes the column for "decode the symbol". */
  readonly ofByte: Uint16Array;
  /** `has[set * classes + class]` is 1 if the set contains the class. */
  readonly has: Uint8Array;
  /** True if the pattern has assertions, so that the edges of the text matter, too. */
  readonly asserts: boolean;
  readonly #bounds: number[];
  readonly #classOf: number[];
  #table: Uint16Array | undefined;

  constructor(sets: readonly CharSet[], looks: Looks, asserts: boolean, word: CharSet) {
    this.asserts = asserts;
    const all: CharSet[] = [...sets, anySymbol];
    if (looks.word) all.push(word);
    if (looks.newline) all.push([0x0a, 0x0a]);
    const { bounds, classOf, classes } = partition(all);
    this.#bounds = bounds;
    this.#classOf = classOf;
    this.classes = classes;
    this.has = new Uint8Array(all.length * classes);
    all.forEach((set, id) => this.#fill(set, id));
    this.beside = new Uint8Array(classes + 2).fill(Beside.other);
    const wordId = sets.length + 1;
    for (let c = 0; c < classes; c++) {
      if (looks.word && this.has[wordId * classes + c] === 1) this.beside[c] = Beside.word;
    }
    if (looks.newline) this.beside[this.ofSymbol(0x0a)] = Beside.newline;
    this.beside[classes] = asserts ? Beside.edge : Beside.other;
    this.ofByte = new Uint16Array(256).fill(classes + 1);
    for (let byte = 0; byte < 0x80; byte++) this.ofByte[byte] = this.ofSymbol(byte);
  }

  #fill(set: CharSet, id: number): void {
    for (let i = 0; i + 1 < set.length; i += 2) {
      for (let k = this.#interval(set[i] as number); k < this.#bounds.length; k++) {
        if ((this.#bounds[k] as number) > (set[i + 1] as number)) break;
        this.has[id * this.classes + (this.#classOf[k] as number)] = 1;
      }
    }
  }

  /** Index of the interval that contains `symbol`. */
  #interval(symbol: number): number {
    let low = 0;
    let high = this.#bounds.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.#bounds[middle] as number) <= symbol) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  /** The class of a symbol. */
  ofSymbol(symbol: number): number {
    if (this.#table !== undefined && symbol < 0x10000) return this.#table[symbol] as number;
    return this.#classOf[this.#interval(symbol)] as number;
  }

  /** The classes with symbols beyond ASCII; undefined if there are more than eight. */
  get wideClasses(): readonly number[] | undefined {
    const wide = new Set<number>();
    for (let k = this.#interval(0x80); k < this.#bounds.length; k++) {
      wide.add(this.#classOf[k] as number);
      if (wide.size > 8) return undefined;
    }
    return [...wide];
  }

  /** Builds the table that makes {@linkcode ofSymbol} fast, for texts that are not only ASCII. */
  expand(): void {
    if (this.#table !== undefined) return;
    const table = new Uint16Array(0x10000);
    this.#bounds.forEach((bound, k) => {
      if (bound < 0x10000) table.fill(this.#classOf[k] as number, bound);
    });
    this.#table = table;
  }

  /** The bit of {@linkcode Beside} for a symbol. */
  besideSymbol(symbol: number): number {
    return this.beside[this.ofSymbol(symbol)] as number;
  }
}

interface Partition {
  /** First symbol of each interval. */
  readonly bounds: number[];
  readonly classOf: number[];
  readonly classes: number;
}

/**
 * Cuts the range of symbols at each boundary of a set, and merges intervals that are in the same
 * sets.
 */
function partition(sets: readonly CharSet[]): Partition {
  const events = new Map<number, [number, number]>();
  let seed = 0x9e3779b9;
  const random = () => {
    seed = Math.imul(seed ^ seed >>> 15, 0x85ebca6b) + 0x6d2b79f5 | 0;
    return seed ^ seed >>> 13;
  };
  const toggle = (at: number, a: number, b: number) => {
    const event = events.get(at);
    if (event === undefined) events.set(at, [a, b]);
    else {
      event[0] ^= a;
      event[1] ^= b;
    }
  };
  for (const set of sets) {
    // Each set has two random words. Intervals with the same XOR of them are in the same sets.
    const a = random();
    const b = random();
    for (let i = 0; i + 1 < set.length; i += 2) {
      toggle(set[i] as number, a, b);
      toggle((set[i + 1] as number) + 1, a, b);
    }
  }
  events.delete(INVALID + 256);
  const bounds = [...events.keys()].sort((x, y) => x - y);
  const ids = new Map<string, number>();
  let a = 0;
  let b = 0;
  const classOf = bounds.map((bound) => {
    const event = events.get(bound) as [number, number];
    a ^= event[0];
    b ^= event[1];
    const key = `${a},${b}`;
    const id = ids.get(key) ?? ids.size;
    ids.set(key, id);
    return id;
  });
  return { bounds, classOf, classes: ids.size };
}
