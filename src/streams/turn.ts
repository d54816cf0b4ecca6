const PULLS = 16;
const SLICE_MS = 10;

/** When the event loop last turned, as far as we know; shared by all, because one turn serves all. */
let lastTurn = 0;

/** What Node and Deno have beyond timers: the next turn of the event loop, without a delay. */
type SetImmediate = (callback: () => void) => unknown;

/**
 * Lets the event loop turn from within a long row of promises, which alone would starve timers,
 * signals and input.
 *
 * Every 16 ticks it looks at the clock; if nothing here has let the loop turn for 10 ms, the tick
 * gives a promise to wait for. Leaves no timer behind.
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

  /** Counts one step of work; gives a promise when it is time to let the event loop turn. */
  tick(): Promise<void> | undefined {
    if (++this.#ticks < PULLS) return undefined;
    this.#ticks = 0;
    return performance.now() - lastTurn < SLICE_MS ? undefined : turnEventLoop();
  }
}

/**
 * Says that the event loop has just turned, as whoever has waited for the system knows: then it
 * need not be made to turn, which takes 3 ms for the first time.
 */
export function noteTurn(): void {
  lastTurn = performance.now();
}

/** Lets the event loop turn once: timers that are due, input and signals get their turn. */
export async function turnEventLoop(): Promise<void> {
  const { setImmediate } = globalThis as { setImmediate?: SetImmediate };
  await new Promise<void>((resolve) => {
    if (setImmediate === undefined) setTimeout(resolve, 0);
    else setImmediate(resolve);
  });
  noteTurn();
}
