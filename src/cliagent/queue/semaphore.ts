/** Gives a number of places to those who ask, in the order in which they asked. */
export class Semaphore {
  /** How many places there are; a change counts from the next release or request on. */
  limit: number;
  #taken = 0;
  readonly #waiting = new Set<() => void>();

  /** Makes `limit` places. */
  constructor(limit: number) {
    this.limit = limit;
  }

  /** How many places are taken. */
  get taken(): number {
    return this.#taken;
  }

  /** How many wait. */
  get waiting(): number {
    return this.#waiting.size;
  }

  /** Whether a place would be given at once. */
  get free(): boolean {
    return this.#taken < this.limit && this.#waiting.size === 0;
  }

  /** Waits for a place. When the signal fires first, rejects with its reason and waits no more. */
  acquire(signal: AbortSignal): Promise<void> {
    if (signal.aborted) return Promise.reject(signal.reason);
    if (this.free) {
      this.#taken++;
      return Promise.resolve();
    }
    return new Promise((resolve, reject) => {
      const give = () => {
        signal.removeEventListener("abort", leave);
        resolve();
      };
      const leave = () => {
        this.#waiting.delete(give);
        reject(signal.reason);
      };
      signal.addEventListener("abort", leave, { once: true });
      this.#waiting.add(give);
      // The limit may have been raised.
      this.#serve();
    });
  }

  /** Gives a place back. */
  release(): void {
    this.#taken--;
    this.#serve();
  }

  #serve(): void {
    for (const give of this.#waiting) {
      if (this.#taken >= this.limit) return;
      this.#waiting.delete(give);
      this.#taken++;
      give();
    }
  }
}
