import { Alarm, linkAbort } from "../../streams/mod.ts";
import { AgentError } from "../errors.ts";
import type { ModelEntry } from "../registry/mod.ts";
import { Semaphore } from "./semaphore.ts";

/** Weight of the last run in the average of run times. */
const WEIGHT = 0.3;

/** A place in the queue, with which a call may run. */
export interface Place {
  /** Releases the place for the next call. Idempotent. */
  release(): void;
}

/** Numbers of a model's calls. */
export interface QueueCounts {
  /** Calls that have a place. */
  readonly running: number;
  /** Calls that wait for a place. */
  readonly queued: number;
}

/**
 * Limits calls: at most `maxConcurrent` for each model, one at a time in a repository without
 * worktrees, and one at a time in a conversation. Other calls wait, first come, first served.
 */
export class CallQueue {
  readonly #models = new Map<string, Model>();
  readonly #turns = new Map<string, Semaphore>();

  /** Returns how many calls of a model run and wait. */
  counts(model: string): QueueCounts {
    const { inside = 0, queued = 0 } = this.#models.get(model) ?? {};
    return { running: inside - queued, queued };
  }

  /**
   * Waits for a place for a call of `entry`, and for its turn in the conversation.
   *
   * @throws {AgentError} `busy` at once if `maxQueue` calls wait already, and if the wait takes
   * longer than the entry's `timeout`: a CLI that asks the gateway about the repository it works in
   * would otherwise wait for itself. `cancelled` if the signal fires; the call then leaves the
   * queue.
   */
  async enter(entry: ModelEntry, signal?: AbortSignal, conversation?: string): Promise<Place> {
    const model = this.#model(entry);
    const keys = [
      ...(conversation === undefined ? [] : [`conversation ${entry.name} ${conversation}`]),
      ...(entry.worktree ? [] : [`repository ${entry.repoPath}`]),
    ];
    const atOnce = model.places.free && keys.every((key) => this.#turns.get(key)?.free ?? true);
    if (!atOnce && model.queued >= entry.maxQueue) {
      throw new AgentError(
        "busy",
        `Too many calls of ${entry.name} wait already (maxQueue is ${entry.maxQueue})`,
        { retryAfter: model.retryAfter(entry) },
      );
    }
    const wait = new AbortController();
    const unlink = linkAbort(signal, wait);
    const alarm = new Alarm();
    alarm.set(entry.timeout * 1000, () =>
      wait.abort(
        new AgentError(
          "busy",
          `Waited longer than timeout (${entry.timeout} s) for a place to run ${entry.name}`,
          { retryAfter: model.retryAfter(entry) },
        ),
      ));
    const held: (() => void)[] = [];
    model.inside++;
    model.queued++;
    try {
      // First the conversation and the repository: a call that waits for these holds no place of
      // the model that another call could use.
      for (const key of keys) held.push(await this.#turn(key, wait.signal));
      await model.places.acquire(wait.signal);
      held.push(() => model.places.release());
    } catch (error) {
      model.inside--;
      for (const release of held.reverse()) release();
      if (error instanceof AgentError) throw error;
      throw new AgentError("cancelled", "The call was cancelled while it waited", { cause: error });
    } finally {
      model.queued--;
      alarm.clear();
      unlink();
    }
    const begun = performance.now();
    let released = false;
    return {
      release() {
        if (released) return;
        released = true;
        model.inside--;
        model.ran((performance.now() - begun) / 1000);
        for (const release of held.reverse()) release();
      },
    };
  }

  #model(entry: ModelEntry): Model {
    let model = this.#models.get(entry.name);
    if (model === undefined) this.#models.set(entry.name, model = new Model(entry.maxConcurrent));
    model.places.limit = entry.maxConcurrent;
    return model;
  }

  /** Waits for a turn, and returns the function that ends it. */
  async #turn(key: string, signal: AbortSignal): Promise<() => void> {
    let turn = this.#turns.get(key);
    if (turn === undefined) this.#turns.set(key, turn = new Semaphore(1));
    const forget = (): void => {
      if (turn.taken === 0 && turn.waiting === 0) this.#turns.delete(key);
    };
    try {
      await turn.acquire(signal);
    } catch (error) {
      forget();
      throw error;
    }
    return () => {
      turn.release();
      forget();
    };
  }
}

class Model {
  readonly places: Semaphore;
  /** Calls that run or wait. */
  inside = 0;
  /** Calls that wait. */
  queued = 0;
  /** Average run time in seconds, in which the latest runs count most. */
  #average: number | undefined;

  constructor(limit: number) {
    this.places = new Semaphore(limit);
  }

  ran(seconds: number): void {
    this.#average = this.#average === undefined
      ? seconds
      : this.#average + WEIGHT * (seconds - this.#average);
  }

  /** Estimated seconds until the calls that wait now have had their turn; at least 1. */
  retryAfter({ maxConcurrent, timeout }: ModelEntry): number {
    const seconds = (this.#average ?? 10) * (this.queued + 1) / maxConcurrent;
    return Math.max(1, Math.ceil(Math.min(seconds, timeout)));
  }
}
