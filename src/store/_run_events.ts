import type { BusEvent, BusReader } from "./event_bus.ts";

/** Most that one `next()` gives; only a single event may be longer. */
const PORTION = 64 * 1024;

/** The events of one run. */
export class RunEvents {
  readonly #unread: number;
  readonly #replay: number;
  readonly #readers: Set<Reader> = new Set();
  /** The events that are kept, up to the latest. */
  #events: BusEvent[] = [];
  /** The number of dropped events at the beginning of `#events`. */
  #dropped = 0;
  #last = 0;
  /** The last event that a reader was given. */
  #front = 0;
  #ahead = 0;
  #waiting: (() => void)[] = [];
  size = 0;
  ended = false;

  constructor(unread: number, replay: number) {
    this.#unread = unread;
    this.#replay = replay;
  }

  append({ type, data }: { type: string; data: string }): Promise<void> {
    this.#last++;
    this.#events.push({ seq: this.#last, type, data });
    this.size += data.length;
    this.#ahead += data.length;
    this.#drop();
    for (const reader of this.#readers) reader.wake();
    // Without readers the run does not wait: later ones get the events that are kept.
    if (this.#readers.size === 0 || this.#ahead <= this.#unread) return Promise.resolve();
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  end(): void {
    this.ended = true;
    this.#goOn();
    for (const reader of this.#readers) reader.wake();
  }

  read(after: number): BusReader {
    const reader = new Reader(this, Math.max(0, Math.min(after, this.#last)));
    this.#readers.add(reader);
    return reader;
  }

  leave(reader: Reader): void {
    this.#readers.delete(reader);
    if (this.#readers.size === 0) this.#goOn();
  }

  /** The number of the first event that is kept, or else of the next one. */
  get first(): number {
    return this.#last - (this.#events.length - this.#dropped) + 1;
  }

  /** Some of the events after the one with the given number. */
  after(seq: number): BusEvent[] {
    const from = this.#dropped + Math.max(0, seq + 1 - this.first);
    const portion: BusEvent[] = [];
    let size = 0;
    for (let index = from; index < this.#events.length; index++) {
      const event = this.#events[index];
      if (event === undefined || (size > 0 && size + event.data.length > PORTION)) break;
      portion.push(event);
      size += event.data.length;
    }
    this.#advance(portion);
    return portion;
  }

  #advance(portion: readonly BusEvent[]): void {
    for (const { seq, data } of portion) {
      if (seq <= this.#front) continue;
      this.#front = seq;
      this.#ahead -= data.length;
    }
    if (this.#ahead <= this.#unread) this.#goOn();
    this.#drop();
  }

  /** Lets waiting appends continue. */
  #goOn(): void {
    for (const resolve of this.#waiting.splice(0)) resolve();
  }

  /**
   * Drops the oldest events, where more are kept than the limit allows: while somebody reads, only
   * those that have been read.
   */
  #drop(): void {
    while (this.size > this.#replay && this.#dropped < this.#events.length) {
      const unread = this.first > this.#front;
      if (unread && this.#readers.size > 0) break;
      const size = this.#events[this.#dropped]?.data.length ?? 0;
      if (unread) {
        this.#front = this.first;
        this.#ahead -= size;
      }
      this.size -= size;
      this.#dropped++;
    }
    if (this.#dropped < 64 || this.#dropped * 2 < this.#events.length) return;
    this.#events = this.#events.slice(this.#dropped);
    this.#dropped = 0;
  }
}

class Reader implements BusReader {
  readonly #run: RunEvents;
  #at: number;
  #wake: (() => void) | undefined;
  #left = false;
  missed = 0;

  constructor(run: RunEvents, at: number) {
    this.#run = run;
    this.#at = at;
  }

  async next(): Promise<readonly BusEvent[]> {
    for (;;) {
      if (this.#left) return [];
      const first = this.#run.first;
      this.missed = Math.max(0, first - 1 - this.#at);
      const events = this.#run.after(this.#at);
      this.#at = events.at(-1)?.seq ?? this.#at;
      if (events.length > 0) return events;
      if (this.#run.ended) {
        this.return();
        return [];
      }
      await new Promise<void>((resolve) => this.#wake = resolve);
    }
  }

  wake(): void {
    this.#wake?.();
    this.#wake = undefined;
  }

  return(): void {
    this.#left = true;
    this.#run.leave(this);
    this.wake();
  }
}
