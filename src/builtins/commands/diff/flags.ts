/** Flags of changed lines, with room for a zero on either side. */
export class Flags {
  readonly #flags: Uint8Array;

  /** Makes flags that are all unset. */
  constructor(size: number) {
    this.#flags = new Uint8Array(size + 2);
  }

  /** Whether a line is changed; false just outside the file. */
  at(index: number): boolean {
    return this.#flags[index + 1] === 1;
  }

  /** Flags a line or takes its flag away. */
  set(index: number, value: 0 | 1): void {
    this.#flags[index + 1] = value;
  }
}

/** Lines that take part in the search, and where they stand. */
export interface Kept {
  readonly lines: Int32Array;
  readonly indexes: Int32Array;
}
