const PULLS = 16;
const SLICE_MS = 10;

/** Last known turn of the event loop. All guards share it, because one turn serves all. */
let lastTurn = 0;

/** `setImmediate` of Node and Deno: runs at the next turn of the event loop, without a delay. */
type SetImmediate = (callback: () => void) => unknown;

/**
 * Lets the event loop turn during a long series of promises, which alone would starve timers,
 * signals and input.
 *
 * Checks the clock every 16 ticks. If the loop has not turned for 10 ms as far as is known, the
 * tick returns a promise to wait for. Leaves no timer behind.
 *
 * @example
 * ```ts
 * import { TurnGuard } from "@llmcmd/llmcmd/streams";
 *
 * let rang = false;
 * setTimeout(() => rang = true, 20);
 * const guard = new TurnGuard();
 * while (!rang) {
 *   const turn = guard.tick();
 *   if (turn !== undefined) await turn;
 * }
 * ```
 */
export class TurnGuard {
  #ticks = 0;

  /** Counts one step of work; returns a promise when the event loop should turn. */
  tick(): Promise<void> | undefined {
    if (++this.#ticks < PULLS) return undefined;
    this.#ticks = 0;
    return performance.now() - lastTurn < SLICE_MS ? undefined : turnEventLoop();
  }
}

/**
 * Records that the event loop has just turned, for callers that have waited for the system. It
 * saves a forced turn, of which the first takes 3 ms.
 */
export function noteTurn(): void {
  lastTurn = performance.now();
}

/** Lets the event loop turn once: timers that are due, input and signals are handled. */
export async function turnEventLoop(): Promise<void> {
  const { setImmediate } = globalThis as { setImmediate?: SetImmediate };
  await new Promise<void>((resolve) => {
    if (setImmediate === undefined) setTimeout(resolve, 0);
    else setImmediate(resolve);
  });
  noteTurn();
}
