/** An event of a run, as it is kept. */
export interface BusEvent {
  /** Counts from 1 within a run. */
  readonly seq: number;
  /** What it is, such as `text`. */
  readonly type: string;
  /** The rest, encoded by whoever appended it. */
  readonly data: string;
}

/** One reader of a run's events. */
export interface BusReader {
  /**
   * All events that are there, in order and in portions; waits for the next if there is none.
   * Empty when the run has ended, or this reader. Calls must not overlap.
   */
  next(): Promise<readonly BusEvent[]>;
  /**
   * How many events were no longer kept when they were asked for, before those of the last `next()`.
   */
  readonly missed: number;
  /** Ends this reader; a pending `next()` settles. */
  return(): void;
}

/** Takes the events of runs and gives them to whoever reads, now or later. */
export interface EventBus {
  /** Begins a run. */
  begin(run: string): void;
  /**
   * Adds an event, at once. Resolves when there is room for the next: as long as the reader that is
   * furthest ahead, or the last one that left, has much left to read, it waits.
   *
   * @throws {RangeError} There is no such run, or it has ended.
   */
  append(run: string, event: { type: string; data: string }): Promise<void>;
  /** Ends a run: readers end behind its last event. It is kept for a while. */
  end(run: string): void;
  /** Reads a run from behind the event `after`, 0 for all. `undefined`: there is no such run. */
  read(run: string, after: number): BusReader | undefined;
}
