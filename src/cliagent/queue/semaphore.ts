/** A semaphore with a variable number of places, granted in the order of the requests. */
export class Semaphore {
  /** Number of places. A change takes effect at the next request or release. */
  limit: number;
  #taken = 0;
  readonly #waiting = new Set<() => void>();

  /** Creates a semaphore with `limit` places. */
  constructor(limit: number) {
    this.limit = limit;
  }

  /** Number of places taken. */
  get taken(): number {
    return this.#taken;
  }

  /** Number of waiting requests. */
  get waiting(): number {
    return this.#waiting.size;
  }

  /** True if a request would get a place at once. */
  get free(): boolean {
    return this.#taken < this.limit && this.#waiting.size === 0;
  }

  /** Waits for a place. If the signal fires first, rejects with its reason and leaves the queue. */
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
      // The limit may have been raised since the last release.
      this.#serve();
    });
  }

  /** Releases a place. */
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
