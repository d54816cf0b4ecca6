/**
 * A stack of integers.
 *
 * @module
 */

/** A stack of integers that grows as needed. */
export class Stack {
  /** The integers, in the first `length` items. */
  items: Int32Array = new Int32Array(256);
  /** Number of integers. */
  length = 0;

  /** Adds an integer on top. */
  push(item: number): void {
    if (this.length === this.items.length) {
      const grown = new Int32Array(this.length * 2);
      grown.set(this.items);
      this.items = grown;
    }
    this.items[this.length++] = item;
  }

  /** Removes and returns the top. */
  pop(): number {
    return this.items[--this.length] as number;
  }
}
