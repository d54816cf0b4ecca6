/** An event of a run, as it is kept. */
export interface BusEvent {
  /** Counts from 1 within a run. */
  readonly seq: number;
  /** Its type, such as `text`. */
  readonly type: string;
  /** The event's data, encoded by the caller of `append`. */
  readonly data: string;
}

/** One reader of a run's events. */
export interface BusReader {
  /**
   * The next events, in order; waits for the first. An empty list means that the run has ended, or
   * that this reader was closed. Calls must not overlap.
   */
  next(): Promise<readonly BusEvent[]>;
  /**
   * The number of events directly before those of the last `next()` that this reader missed,
   * because they were no longer kept.
   */
  readonly missed: number;
  /** Ends this reader; a pending `next()` settles. */
  return(): void;
}

/**
 * Takes the events of runs and gives them to readers, which may come while a run goes on or later.
 */
export interface EventBus {
  /** Begins a run. */
  begin(run: string): void;
  /**
   * Adds an event at once. Resolves when there is room for the next one: it waits as long as even
   * the reader that is furthest ahead has too much left to read. Without readers it does not wait.
   *
   * @throws {RangeError} There is no such run, or it has ended.
   */
  append(run: string, event: { type: string; data: string }): Promise<void>;
  /** Ends a run: readers end after its last event. Its events are kept for a while. */
  end(run: string): void;
  /**
   * Reads the events of a run that come after the event number `after`, 0 for all. `undefined` if
   * there is no such run.
   */
  read(run: string, after: number): BusReader | undefined;
}
