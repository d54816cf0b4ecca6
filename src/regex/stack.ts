/**
 * A stack of integers.
 *
 * @module
 */

/** Integers, of which the last that came is the first to go. */
export class Stack {
  /** The integers; the first `length` count. */
  items: Int32Array = new Int32Array(256);
  /** How many there are. */
  length = 0;

  /** Puts one on top. */
  push(item: number): void {
    if (this.length === this.items.length) {
      const grown = new Int32Array(this.length * 2);
      grown.set(this.items);
      this.items = grown;
    }
    this.items[this.length++] = item;
  }

  /** Takes the one on top. */
  pop(): number {
    return this.items[--this.length] as number;
  }
}
