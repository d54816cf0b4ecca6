/**
 * Records what a backtracking search has tried, in bounded memory.
 *
 * @module
 */

/** Integers that the records of a search may take, so that they fit in the processor's cache. */
const mostNoted = 1 << 20;
/** Slots in which an entry may be. */
const ways = 4;

/** A set of integer lists of equal length. When full, it forgets entries. */
export class Notes {
  /** The caller writes the argument of {@linkcode add} here; its first number is not negative. */
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

  /** Adds the key; false if it was present. */
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

  /** Stores the list at `from` in `list`; false if it was present. */
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
