/** Counting stops if less than half of this many lines in a row are duplicates. */
const WINDOW = 8192;
/**
 * Counting also stops if a search takes more steps than this: the hashes collide, perhaps on
 * purpose.
 */
const MOST_STEPS = 64;
/** Memory of each line counted, in bytes: its hash, its count, its part of the table. */
const COST = 24;

/**
 * Counts equal lines: of lines with the same bytes, only the first is kept and sorted. Stops if
 * most lines are different.
 */
export class LineCounts {
  /** True if further lines may be added. */
  active = true;
  /** Hash of each line, and number of times it occurs. */
  #hashes = new Int32Array(1024);
  #counts = new Uint32Array(1024);
  #lines = 0;
  /** A hash table of line numbers from 1 on, with linear probing; 0 is a free slot. */
  #table = new Uint32Array(4096);
  #seen = 0;
  #fresh = 0;

  /** Approximate memory, in bytes. */
  get bytes(): number {
    return this.#lines * COST;
  }

  /** Returns how many times a line occurs. */
  of(line: number): number {
    return line < this.#lines ? this.#counts[line] as number : 1;
  }

  /**
   * Counts a line. Returns true if it is new; then its number is `line`, which must be the next
   * free one. Otherwise counts the known line.
   */
  add(text: Uint8Array, spans: Uint32Array, line: number, hash: number): boolean {
    if (++this.#seen === WINDOW) {
      if (2 * this.#fresh > WINDOW) this.active = false;
      this.#seen = this.#fresh = 0;
    }
    const table = this.#table;
    const mask = table.length - 1;
    // Low bits of a product depend only on low bits of its factors, so high bits are added.
    let slot = (hash ^ (hash >>> 15)) & mask;
    let steps = 0;
    for (let entry = table[slot] as number; entry !== 0; entry = table[slot] as number) {
      if (this.#hashes[entry - 1] === hash && isSame(text, spans, entry - 1, line)) {
        (this.#counts[entry - 1] as number)++;
        return false;
      }
      slot = (slot + 1) & mask;
      if (++steps === MOST_STEPS) {
        this.active = false;
        return true;
      }
    }
    if (line === this.#hashes.length) this.#grow();
    table[slot] = line + 1;
    this.#hashes[line] = hash;
    this.#counts[line] = 1;
    this.#lines = line + 1;
    this.#fresh++;
    if (2 * this.#lines > table.length) this.#spread();
    return true;
  }

  /** Removes all lines. */
  clear(): void {
    this.active = true;
    this.#lines = this.#seen = this.#fresh = 0;
    this.#table.fill(0);
  }

  #grow(): void {
    const hashes = new Int32Array(2 * this.#hashes.length);
    hashes.set(this.#hashes);
    this.#hashes = hashes;
    const counts = new Uint32Array(hashes.length);
    counts.set(this.#counts);
    this.#counts = counts;
  }

  /** Enlarges the table. */
  #spread(): void {
    const table = new Uint32Array(4 * this.#table.length);
    const mask = table.length - 1;
    for (let line = 0; line < this.#lines; line++) {
      const hash = this.#hashes[line] as number;
      let slot = (hash ^ (hash >>> 15)) & mask;
      while (table[slot] !== 0) slot = (slot + 1) & mask;
      table[slot] = line + 1;
    }
    this.#table = table;
  }
}

function isSame(text: Uint8Array, spans: Uint32Array, a: number, b: number): boolean {
  let i = spans[2 * a] as number;
  let j = spans[2 * b] as number;
  const end = spans[2 * a + 1] as number;
  if (end - i !== (spans[2 * b + 1] as number) - j) return false;
  for (; i < end; i++, j++) if (text[i] !== text[j]) return false;
  return true;
}
