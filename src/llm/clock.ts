/** Time, as the client needs it. Tests give one that does not wait. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /**
   * Waits. Rejects with the signal's reason as soon as it fires, and leaves neither a timer nor a
   * listener behind.
   */
  sleep(milliseconds: number, signal: AbortSignal): Promise<void>;
}

/** The longest time that timers take, in milliseconds; longer ones would fire at once. */
export const MAX_TIMEOUT = 2 ** 31 - 1;

/** The real time. */
export const systemClock: Clock = {
  now: () => Date.now(),
  sleep(milliseconds, signal) {
    return new Promise((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason);
      const stop = () => {
        clearTimeout(timer);
        reject(signal.reason);
      };
      const timer = setTimeout(() => {
        signal.removeEventListener("abort", stop);
        resolve();
      }, Math.min(milliseconds, MAX_TIMEOUT));
      signal.addEventListener("abort", stop, { once: true });
    });
  },
};
