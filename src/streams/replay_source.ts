import { AbortRace } from "./abort.ts";
import { MemorySink } from "./memory.ts";
import { ReplayWindow } from "./_replay_window.ts";
import { type ByteSource, type Chunk, Source } from "./source.ts";

/** Thrown on reading bytes that have left a {@linkcode ReplaySource}'s window. */
export class ReplayWindowError extends RangeError {
  /** The requested offset. */
  readonly offset: number;
  /** The first offset that can still be read. */
  readonly windowStart: number;

  /** Creates the error. */
  constructor(offset: number, windowStart: number) {
    super(
      `Cannot read from offset ${offset}: a stream is read once, and the first byte still ` +
        `available is at offset ${windowStart}`,
    );
    this.name = "ReplayWindowError";
    this.offset = offset;
    this.windowStart = windowStart;
  }
}

/** Options of {@linkcode ReplaySource}. */
export interface ReplaySourceOptions {
  /** Number of bytes before `offset` that stay available. Default 65,536. */
  readonly window?: number;
}

/** Options of {@linkcode ReplaySource.readAt}. */
export interface ReadAtOptions {
  /** Stops the read. Bytes read so far are in the window, so a later read can return to them. */
  readonly signal?: AbortSignal | undefined;
  /**
   * When this settles, the read stops waiting and returns what it has, possibly nothing. Used with
   * `BufferedPipe.whenStarved`, where the read would otherwise wait for its own caller.
   */
  readonly until?: Promise<unknown> | undefined;
}

/** Result of {@linkcode ReplaySource.readAt}. */
export interface ReadAtResult {
  /** The bytes from the requested offset on; a copy. */
  readonly bytes: Chunk;
  /** True if the stream is known to end right after `bytes`. */
  readonly eof: boolean;
}

const NOTHING: Chunk = new Uint8Array(0);

/**
 * A stream whose last bytes read (64 KiB) stay available, so that a reader can go back a little, or
 * hand on the whole stream while its first byte is in the window.
 *
 * Offsets count the stream's bytes from 0. There are three ways to read, none of which loses bytes:
 *
 * - {@linkcode ReplaySource.readAt}: a bounded read at an offset, back within the window or forward
 *   (skipped bytes go through the window).
 * - {@linkcode ReplaySource.takeOver}: the rest of the stream from an offset in the window, as a
 *   new source. Afterwards only that source may read.
 * - `next`: chunks from {@linkcode ReplaySource.offset} on.
 *
 * Nothing is pulled before it is requested. Closing also closes the underlying stream, unless it
 * was taken over: then closing the new source does.
 *
 * @example
 * ```ts
 * import { drain, memorySource, MemorySink, ReplaySource } from "@llmcmd/llmcmd/streams";
 *
 * const stream = new ReplaySource(memorySource("one\ntwo\n"));
 * const first = await stream.readAt(0, 4);
 * if (first.bytes.length !== 4 || first.eof) throw new Error();
 *
 * const sink = new MemorySink();
 * await drain(stream.takeOver(0), sink);
 * if (sink.text() !== "one\ntwo\n") throw new Error(sink.text());
 * ```
 */
export class ReplaySource extends Source {
  readonly #stream: ByteSource;
  readonly #window: ReplayWindow;
  /** Bytes pulled but not read: the rest of the lent chunk. */
  #rest: Chunk = NOTHING;
  /** A pull in progress; it may outlive a stopped read. */
  #pending: Promise<"bytes" | "end" | "failed"> | undefined;
  #ended = false;
  #failure: { error: unknown } | undefined;
  #taken = false;
  #reading = false;
  #closed = false;

  /** Wraps `stream`, which only this object may read and close from now on. */
  constructor(stream: ByteSource, { window = 65_536 }: ReplaySourceOptions = {}) {
    super();
    this.#stream = stream;
    this.#window = new ReplayWindow(window);
  }

  /** Offset of the first byte that can still be read. */
  get windowStart(): number {
    return this.#window.start;
  }

  /** Offset of the first byte not read yet: the end of the window. */
  get offset(): number {
    return this.#window.end;
  }

  /** True if the stream was handed on by {@linkcode takeOver}. */
  get taken(): boolean {
    return this.#taken;
  }

  /**
   * Reads up to `max` bytes from `offset`; waits until they arrive or the stream ends.
   *
   * Returns fewer than `max` only at the end of the stream, when `until` settles, or before an
   * error of the stream, which the next read reports.
   *
   * @throws {ReplayWindowError} If `offset` lies before the window.
   * @throws {RangeError} If `offset` or `max` is not an integer of at least 0 or 1.
   * @throws {TypeError} If the stream was taken over, or another read is pending.
   * @throws The signal's reason or the stream's error.
   */
  async readAt(
    offset: number,
    max: number,
    { signal, until }: ReadAtOptions = {},
  ): Promise<ReadAtResult> {
    this.#checkUsable();
    checkOffset(offset);
    if (!Number.isSafeInteger(max) || max < 1) {
      throw new RangeError(`Cannot read ${max} bytes: give a whole number of at least 1`);
    }
    if (offset < this.windowStart) throw new ReplayWindowError(offset, this.windowStart);
    this.#reading = true;
    const race = new AbortRace(signal);
    try {
      signal?.throwIfAborted();
      const found = new MemorySink();
      found.write(this.#window.slice(offset, offset + max));
      while (found.length < max) {
        const state = await this.#fill(race, until);
        if (state === "failed" && found.length === 0) throw this.#failure?.error;
        if (state !== "bytes") break;
        const skip = offset - this.offset;
        if (skip > 0) this.#consume(skip);
        else found.write(this.#consume(max - found.length));
      }
      const eof = this.#ended && !this.#closed && this.#rest.length === 0 &&
        offset + found.length >= this.offset;
      return { bytes: found.bytes(), eof };
    } finally {
      race.end();
      this.#reading = false;
    }
  }

  /**
   * Hands the stream on from `offset` in the window, by default from its beginning: returns a
   * source that replays the window from there and continues with the stream, without copying the
   * rest. Only that source may read from now on, and closing it closes the stream.
   *
   * @throws {ReplayWindowError} If `offset` lies before the window.
   * @throws {RangeError} If `offset` lies after the window, or is not an integer.
   * @throws {TypeError} If the stream was taken over or closed already, or a read is pending.
   */
  takeOver(offset = 0): ByteSource {
    this.#checkUsable();
    checkOffset(offset);
    if (offset < this.windowStart) throw new ReplayWindowError(offset, this.windowStart);
    if (offset > this.offset) {
      throw new RangeError(
        `Cannot take the stream over at offset ${offset}: it was read up to offset ${this.offset} only`,
      );
    }
    this.#taken = true;
    const replay = this.#window.slice(offset, this.offset);
    this.#window.clear();
    return new TakenSource(this.#stream, replay, async () => {
      await this.#pending;
      if (this.#failure !== undefined) throw this.#failure.error;
      const rest = this.#rest;
      this.#rest = NOTHING;
      return rest;
    });
  }

  /** Returns the next chunk from {@linkcode offset} on. */
  protected override async pull(): Promise<Chunk | undefined> {
    this.#checkUsable();
    this.#reading = true;
    try {
      const state = await this.#fill();
      if (state === "failed") throw this.#failure?.error;
      return state === "bytes" ? this.#consume(this.#rest.length) : undefined;
    } finally {
      this.#reading = false;
    }
  }

  /** Closes the underlying stream, unless it was taken over. */
  protected override async release(): Promise<void> {
    this.#closed = true;
    if (this.#taken) return;
    this.#window.clear();
    this.#rest = NOTHING;
    await this.#stream.return();
  }

  #checkUsable(): void {
    if (this.#taken) throw new TypeError("Cannot read: the stream was handed on");
    if (this.#closed) throw new TypeError("Cannot read: the stream is closed");
    if (this.#reading) throw new TypeError("Cannot read: another read is pending");
  }

  /** Waits until `#rest` has bytes; returns the outcome. */
  async #fill(
    race: AbortRace | undefined = undefined,
    until: Promise<unknown> | undefined = undefined,
  ): Promise<"bytes" | "end" | "failed" | "stopped"> {
    if (this.#rest.length > 0) return "bytes";
    if (this.#failure !== undefined) return "failed";
    if (this.#ended) return "end";
    const pending = this.#pending ??= this.#pull();
    const arrived = until === undefined ? pending : Promise.race([pending, until.then(stop, stop)]);
    return await (race === undefined ? arrived : race.run(arrived));
  }

  /** Pulls once; never rejects. Continues if the read that started it is stopped. */
  async #pull(): Promise<"bytes" | "end" | "failed"> {
    try {
      const { done, value } = await this.#stream.next();
      if (done === true) {
        this.#ended = true;
        return "end";
      }
      this.#rest = value;
      return "bytes";
    } catch (error) {
      this.#failure = { error };
      return "failed";
    } finally {
      this.#pending = undefined;
    }
  }

  /** Takes up to `count` bytes of `#rest` and records them in the window. */
  #consume(count: number): Chunk {
    const chunk = this.#rest.subarray(0, count);
    this.#rest = this.#rest.subarray(chunk.length);
    this.#window.append(chunk);
    return chunk;
  }
}

function stop(): "stopped" {
  return "stopped";
}

function checkOffset(offset: number): void {
  if (Number.isSafeInteger(offset) && offset >= 0) return;
  throw new RangeError(`Cannot read at offset ${offset}: give a whole number of at least 0`);
}

/** The rest of a taken-over stream: the window's bytes, bytes already pulled, then the stream. */
class TakenSource extends Source {
  readonly #stream: ByteSource;
  #replay: Chunk;
  #takeRest: (() => Promise<Chunk>) | undefined;

  constructor(stream: ByteSource, replay: Chunk, takeRest: () => Promise<Chunk>) {
    super();
    this.#stream = stream;
    this.#replay = replay;
    this.#takeRest = takeRest;
  }

  protected override async pull(): Promise<Chunk | undefined> {
    if (this.#replay.length > 0) {
      const replay = this.#replay;
      this.#replay = NOTHING;
      return replay;
    }
    if (this.#takeRest !== undefined) {
      const takeRest = this.#takeRest;
      this.#takeRest = undefined;
      return await takeRest(); // perhaps empty: then this is called again
    }
    const { done, value } = await this.#stream.next();
    return done === true ? undefined : value;
  }

  protected override async release(): Promise<void> {
    await this.#stream.return();
  }
}
