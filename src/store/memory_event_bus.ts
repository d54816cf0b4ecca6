import { RunEvents } from "./_run_events.ts";
import type { BusReader, EventBus } from "./event_bus.ts";

/** Budgets of {@linkcode memoryEventBus}. Sizes are UTF-16 units of the events' data. */
export interface EventBusLimits {
  /**
   * Most characters that a run may be ahead of its fastest reader before it waits. Default 262,144.
   */
  unread: number;
  /** Most characters of a running run that are kept for readers that come back. Default 2 Mi. */
  replay: number;
  /** Most characters that are kept of all ended runs together. Default 16 Mi. */
  ended: number;
  /** Milliseconds that a run is kept after its end. Default 60,000. */
  keep: number;
}

/** The limits where nothing else is said. */
export const defaultEventBusLimits: Readonly<EventBusLimits> = {
  unread: 256 * 1024,
  replay: 2 * 1024 * 1024,
  ended: 16 * 1024 * 1024,
  keep: 60_000,
};

/**
 * Keeps events in memory, up to the limits. A run waits for its fastest reader, and without readers
 * it does not wait; a slower or later reader misses the events that are no longer kept.
 *
 * @example
 * ```ts
 * import { memoryEventBus } from "@llmcmd/llmcmd/store";
 *
 * const bus = memoryEventBus();
 * bus.begin("run");
 * await bus.append("run", { type: "text", data: "one" });
 * await bus.append("run", { type: "text", data: "two" });
 * bus.end("run");
 * const reader = bus.read("run", 1);
 * const events = await reader?.next() ?? [];
 * if (events.map(({ data }) => data).join() !== "two") throw new Error("not what came after 1");
 * if ((await reader?.next())?.length !== 0) throw new Error("it has ended");
 * ```
 */
export function memoryEventBus(
  limits: Partial<EventBusLimits> = {},
  now: () => number = Date.now,
): EventBus {
  return new MemoryEventBus({ ...defaultEventBusLimits, ...limits }, now);
}

class MemoryEventBus implements EventBus {
  readonly #limits: EventBusLimits;
  readonly #now: () => number;
  readonly #runs: Map<string, RunEvents> = new Map();
  /** Runs that have ended, in the order of their ends. */
  readonly #ended: Map<string, { time: number; size: number }> = new Map();
  #endedSize = 0;

  constructor(limits: EventBusLimits, now: () => number) {
    this.#limits = limits;
    this.#now = now;
  }

  begin(run: string): void {
    this.#forgetEnded();
    if (this.#runs.has(run)) throw new RangeError(`Cannot begin the run ${run}: it has begun`);
    this.#runs.set(run, new RunEvents(this.#limits.unread, this.#limits.replay));
  }

  append(run: string, event: { type: string; data: string }): Promise<void> {
    const events = this.#runs.get(run);
    if (events === undefined || this.#ended.has(run)) {
      return Promise.reject(
        new RangeError(`Cannot add an event to ${run}: this run is not active`),
      );
    }
    return events.append(event);
  }

  end(run: string): void {
    const events = this.#runs.get(run);
    if (events === undefined || this.#ended.has(run)) return;
    events.end();
    this.#ended.set(run, { time: this.#now(), size: events.size });
    this.#endedSize += events.size;
    this.#forgetEnded();
  }

  read(run: string, after: number): BusReader | undefined {
    this.#forgetEnded();
    return this.#runs.get(run)?.read(after);
  }

  #forgetEnded(): void {
    for (const [run, { time, size }] of this.#ended) {
      const fits = this.#endedSize <= this.#limits.ended;
      if (fits && this.#now() - time < this.#limits.keep) break;
      this.#endedSize -= size;
      this.#ended.delete(run);
      this.#runs.delete(run);
    }
  }
}
