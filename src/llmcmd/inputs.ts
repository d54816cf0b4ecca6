import {
  type ByteSource,
  raceAbort,
  type RandomAccess,
  randomAccessSource,
  readFully,
  ReplaySource,
  Spool,
  type SpoolStorage,
} from "../streams/mod.ts";
import type { Feed } from "./feed.ts";
import type { Pipeline } from "./pipeline.ts";
import { LOOKAHEAD } from "./text_slice.ts";

/** How far `read` may go back in a stream, in bytes. */
export const REPLAY_WINDOW = 64 * 1024;

/** Bytes read at one position of an input. */
export interface InputSlice {
  /** Where `bytes` begins. */
  offset: number;
  bytes: Uint8Array;
  /** Whether the input is known to end right after `bytes`. */
  ended: boolean;
}

/** A descriptor that can be read and piped from. */
export interface Input {
  /** Reads up to `count` bytes from `offset`. */
  peek(offset: number, count: number, signal: AbortSignal): Promise<InputSlice>;
  /** Says where a read ended. */
  moveTo(position: number): void;
  /** Throws when {@linkcode Input.pipeTo} would. */
  checkPipe(): void;
  /**
   * Gives all bytes from the beginning to a pipe. `where` names the pipe in later errors. Throws
   * when the beginning is no longer available.
   */
  pipeTo(where: string): ByteSource;
  /**
   * The descriptor that the model must close before a pipe can read this input to its end;
   * `undefined` if the input does not wait for the model. Reads ahead, within the replay window, to
   * find out.
   */
  waitsFor(signal: AbortSignal): Promise<number | undefined>;
  /** Where the last read ended. */
  readonly position: number;
  /** The pipe fed by the model that this input starts from, if any. */
  readonly feed: Feed | undefined;
  /** Where its data goes, once a pipe has taken it over. */
  readonly went: string | undefined;
  /** The commands that produce this input, if it comes out of a pipe. */
  readonly pipeline: Pipeline | undefined;
  /** Whether any of it was read or piped. */
  readonly touched: boolean;
  /** Whether it can be piped only once. */
  readonly once: boolean;
}

/**
 * A regular file. It can be read and piped any number of times, each time with a position of its
 * own.
 */
export class FileInput implements Input {
  /** A file comes out of no pipe. */
  readonly pipeline = undefined;
  /** A file comes out of no pipe. */
  readonly feed = undefined;
  /** A file stays where it is. */
  readonly went = undefined;
  /** A file loses nothing when nobody reads it. */
  readonly touched = true;
  /** A file can be read from its beginning at any time. */
  readonly once = false;
  readonly #at: RandomAccess;
  #position = 0;

  /** Reads through `at`, which holds the limit. */
  constructor(at: RandomAccess) {
    this.#at = at;
  }

  /** Reads at an offset; an offset past the end gives nothing. */
  async peek(offset: number, count: number): Promise<InputSlice> {
    // The end is where a read returns nothing, not at `size`: files grow, and those in /proc have
    // size 0.
    return await readSlice(this.#at, offset, count);
  }

  /** Where the next read begins. */
  get position(): number {
    return this.#position;
  }

  /** Says where the next read begins. */
  moveTo(position: number): void {
    this.#position = position;
  }

  /** A file never waits. */
  waitsFor(): Promise<undefined> {
    return Promise.resolve(undefined);
  }

  /** A file can always be piped. */
  checkPipe(): void {}

  /** Gives the whole file, independent of what was read before. */
  pipeTo(): ByteSource {
    return randomAccessSource(this.#at);
  }
}

/** Reads up to `count` bytes from `offset`; fewer come only at the end. */
async function readSlice(
  from: Pick<RandomAccess, "read">,
  offset: number,
  count: number,
): Promise<InputSlice> {
  const bytes = new Uint8Array(count);
  const length = await readFully(from, offset, bytes);
  return { offset, bytes: bytes.subarray(0, length), ended: length < count };
}

/** Bytes of a stream that are kept in memory before temporary storage is used. */
export const KEPT_IN_MEMORY = 16 * 1024 * 1024;

/**
 * A stream that the run was given, such as standard input or a FIFO. It is kept while it flows, so
 * that it can be read and piped from any number of times, as a file can.
 */
export class KeptInput implements Input {
  /** It comes from outside. */
  readonly pipeline = undefined;
  /** It comes from outside. */
  readonly feed = undefined;
  /** It stays where it is. */
  readonly went = undefined;
  /** It is kept. */
  readonly once = false;
  readonly #spool: Spool;
  #position = 0;
  #touched = false;

  /**
   * Reads from `source`, which holds the limit. Bytes beyond {@linkcode KEPT_IN_MEMORY} go to
   * `storage`; without it the first ones can no longer be read then.
   */
  constructor(source: ByteSource, storage?: () => Promise<SpoolStorage>) {
    this.#spool = new Spool(source, { memory: KEPT_IN_MEMORY, storage });
  }

  /** Whether any of it was read or piped. */
  get touched(): boolean {
    return this.#touched;
  }

  /** Where the next read begins. */
  get position(): number {
    return this.#position;
  }

  /** Reads at an offset: further on, or back as far as the stream is kept. */
  async peek(offset: number, count: number, signal: AbortSignal): Promise<InputSlice> {
    this.#touched = true;
    return await raceAbort(readSlice(this.#spool, offset, count), signal);
  }

  /** Says where the next read begins. */
  moveTo(position: number): void {
    this.#position = position;
  }

  /** It never waits for the model. */
  waitsFor(): Promise<undefined> {
    return Promise.resolve(undefined);
  }

  /** Throws when its beginning could not be kept. */
  checkPipe(): void {
    const { start } = this.#spool;
    if (start > 0) {
      throw new Error(
        `a pipe starts at byte 0, but this stream is longer than what can be kept of it, and the ` +
          `first byte still available is at offset ${start}: read the rest with the read tool`,
      );
    }
  }

  /** Gives the whole stream, whatever was read or piped of it before. */
  pipeTo(): ByteSource {
    this.checkPipe();
    this.#touched = true;
    return this.#spool.source();
  }

  /** Releases the stream, unless it is somebody else's and was not touched. */
  async close(): Promise<void> {
    if (this.#touched) await this.#spool.close();
  }
}

/** The output of a pipe: consumed once, with a window to go back in. */
export class StreamInput implements Input {
  /** What runs before it. */
  readonly pipeline: Pipeline;
  /** Only a window of it is kept. */
  readonly once = true;
  readonly #replay: ReplaySource;
  readonly #feed: Feed | undefined;
  #position = 0;
  #begun = false;
  #ended = false;
  #went: string | undefined;

  /** Reads from `source`, which `pipeline` makes; its first bytes come from `feed`, if any. */
  constructor(source: ByteSource, origin: { pipeline: Pipeline; feed?: Feed | undefined }) {
    this.#replay = new ReplaySource(source, { window: REPLAY_WINDOW + LOOKAHEAD });
    this.pipeline = origin.pipeline;
    this.#feed = origin.feed;
  }

  /** Whether any of it was read or piped. */
  get touched(): boolean {
    return this.#begun || this.#went !== undefined;
  }

  /** The pipe fed by the model that this input starts from, if any. */
  get feed(): Feed | undefined {
    return this.#feed;
  }

  /** Where the next read begins. */
  get position(): number {
    return this.#position;
  }

  /** Where its data goes, once a pipe has taken it over. */
  get went(): string | undefined {
    return this.#went;
  }

  /** Reads ahead to see whether it can end without the model. */
  async waitsFor(signal: AbortSignal): Promise<number | undefined> {
    const feed = this.#feed;
    if (feed?.open !== true || this.#ended || this.#went !== undefined) return undefined;
    const { windowStart, offset } = this.#replay;
    const room = windowStart + REPLAY_WINDOW - offset;
    if (room > 0) {
      const until = feed.whenStarved();
      const { eof } = await this.#replay.readAt(offset, room, { signal, until });
      this.#ended = eof;
    }
    return this.#ended ? undefined : feed.fd;
  }

  /** Reads at an offset: further on, or back within the window. */
  async peek(
    offset: number,
    count: number,
    signal: AbortSignal,
  ): Promise<InputSlice> {
    if (this.#went !== undefined) throw new Error(`its data went to ${this.#went}`);
    if (offset < this.#replay.windowStart) throw new Error(this.#outOfWindow(offset));
    this.#begun = true;
    const until = this.#feed?.open === true ? this.#feed.whenStarved() : undefined;
    const { bytes, eof } = await this.#replay.readAt(offset, count, { signal, until });
    if (eof) this.#ended = true;
    return { offset, bytes, ended: eof };
  }

  #outOfWindow(offset: number): string {
    const { windowStart, offset: end } = this.#replay;
    return `offset ${offset} has left the replay window: it is a stream, read once, and only ` +
      `its last ${REPLAY_WINDOW} bytes can be read again (from offset ${windowStart} to ${end})`;
  }

  /** Says where the next read begins. */
  moveTo(position: number): void {
    this.#position = position;
  }

  /** Throws when it was handed over, or its beginning has left the window. */
  checkPipe(): void {
    if (this.#went !== undefined) throw new Error(`its data went to ${this.#went}`);
    const first = this.#replay.windowStart;
    if (first > 0) {
      throw new Error(
        `a pipe starts at byte 0, but this stream was read already and the first byte still ` +
          `available is at offset ${first}: read the rest with the read tool`,
      );
    }
  }

  /** Hands the stream over to a pipe; it cannot be read here afterwards. */
  pipeTo(where: string): ByteSource {
    this.checkPipe();
    this.#went = where;
    return this.#replay.takeOver(0);
  }

  /** Releases the stream, unless it was handed over. */
  async close(): Promise<void> {
    if (this.#went === undefined) await this.#replay.return();
  }
}
