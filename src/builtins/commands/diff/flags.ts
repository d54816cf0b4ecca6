/** Flags of changed lines, with room for a zero at either end. */
export class Flags {
  readonly #flags: Uint8Array;

  /** Creates flags that are all unset. */
  constructor(size: number) {
    this.#flags = new Uint8Array(size + 2);
  }

  /** True if a line is changed; false just outside the file. */
  at(index: number): boolean {
    return this.#flags[index + 1] === 1;
  }

  /** Sets or clears the flag of a line. */
  set(index: number, value: 0 | 1): void {
    this.#flags[index + 1] = value;
  }
}

/** Lines that take part in the search, and their indexes in the file. */
export interface Kept {
  readonly lines: Int32Array;
  readonly indexes: Int32Array;
}
