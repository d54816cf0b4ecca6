/** Allows a number of events in a period, in a burst or evenly (a token bucket). */
export class RateLimit {
  readonly #most: number;
  readonly #period: number;
  readonly #now: () => number;
  #left: number;
  #at: number;

  constructor(most: number, period: number, now: () => number) {
    this.#most = most;
    this.#period = period;
    this.#now = now;
    this.#left = most;
    this.#at = now();
  }

  /** Counts one event. Returns 0 if it is allowed, else how many milliseconds it must wait. */
  take(): number {
    const now = this.#now();
    const gained = Math.max(0, now - this.#at) / this.#period * this.#most;
    this.#left = Math.min(this.#most, this.#left + gained);
    this.#at = now;
    if (this.#left < 1) return (1 - this.#left) / this.#most * this.#period;
    this.#left--;
    return 0;
  }
}
