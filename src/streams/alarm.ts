/** Longest delay of a timer in milliseconds; a longer one would fire at once. */
const LONGEST = 2 ** 31 - 1;

/**
 * A timer that is set, moved and cleared often, such as a watchdog of a stream.
 *
 * Moving it to a later time makes no new timer. After a clear, it keeps neither the process nor its
 * owner's memory alive.
 *
 * It uses `AbortSignal.timeout`: the first `setTimeout` of a process makes Deno load Node's timers,
 * which takes 5 ms, longer than everything else a command does before its first request.
 *
 * @example
 * ```ts
 * import { Alarm } from "@llmcmd/llmcmd/streams";
 *
 * const alarm = new Alarm();
 * const rang = await new Promise((resolve) => {
 *   alarm.set(60_000, () => resolve("late"));
 *   alarm.set(10, () => resolve("soon"));
 * });
 * if (rang !== "soon") throw new Error("the alarm was not moved");
 * ```
 */
export class Alarm {
  #ring: (() => void) | undefined;
  #at = 0;
  #timer: { signal: AbortSignal; at: number } | undefined;
  readonly #onTime = (): void => this.#check();

  /** Calls `ring` after `milliseconds`, and cancels the call that was set before. */
  set(milliseconds: number, ring: () => void): void {
    this.#ring = ring;
    this.#at = performance.now() + milliseconds;
    const timer = this.#timer;
    // A timer that expired after clear() does not fire again.
    if (timer !== undefined && (timer.signal.aborted || timer.at > this.#at + 1)) this.#forget();
    this.#timer ??= start(milliseconds);
    this.#timer.signal.addEventListener("abort", this.#onTime);
  }

  /** Cancels the call. */
  clear(): void {
    this.#ring = undefined;
    this.#timer?.signal.removeEventListener("abort", this.#onTime);
  }

  #forget(): void {
    this.#timer?.signal.removeEventListener("abort", this.#onTime);
    this.#timer = undefined;
  }

  #check(): void {
    this.#forget();
    const ring = this.#ring;
    if (ring === undefined) return;
    const left = this.#at - performance.now();
    if (left > 0) return this.set(left, ring);
    this.#ring = undefined;
    ring();
  }
}

function start(milliseconds: number): { signal: AbortSignal; at: number } {
  const wait = Math.max(0, Math.min(Math.ceil(milliseconds), LONGEST));
  return { signal: AbortSignal.timeout(wait), at: performance.now() + wait };
}
