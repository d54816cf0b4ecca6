import type { ByteSink, Chunk } from "../streams/mod.ts";
import type { Writable } from "./descriptors.ts";
import type { Session } from "./session.ts";
import { unfinished } from "./text_slice.ts";

/** The buffer of a pipe that the model feeds is full. */
export class FeedFullError extends Error {
  override readonly name = "FeedFullError";

  /** `written` bytes fitted into `fd`; to go on, `readFd` must be read. */
  constructor(fd: number, written: number, readFd: number | undefined) {
    const first = readFd === undefined ? "" : `: read fd ${readFd} first`;
    super(`The buffer of fd ${fd} is full (1 MiB) after ${written} bytes${first}`);
  }
}

/** Most bytes that a {@linkcode HeldSink} holds. */
const HELD = 1024 * 1024;

/** A sink that passes on what it gets when it is told to, or when it is more than 1 MiB. */
export class HeldSink implements ByteSink {
  readonly #sink: ByteSink;
  #held: Chunk[] | undefined = [];
  #size = 0;

  /** Passes on to `sink`. */
  constructor(sink: ByteSink) {
    this.#sink = sink;
  }

  /** See `ByteSink.concurrent`. */
  get concurrent(): boolean {
    return this.#sink.concurrent === true;
  }

  /** Bytes that were not passed on. */
  get size(): number {
    return this.#size;
  }

  /** Holds a copy of the chunk, or passes it on. */
  async write(chunk: Chunk): Promise<void> {
    if (this.#held === undefined) return await this.#sink.write(chunk);
    this.#held.push(chunk.slice());
    this.#size += chunk.length;
    if (this.#size > HELD) await this.release();
  }

  /** Passes on what is held, and from now on what comes. */
  async release(): Promise<void> {
    const held = this.#held ?? [];
    this.#held = undefined;
    this.#size = 0;
    for (const chunk of held) await this.#sink.write(chunk);
  }

  /** Does nothing: the sink stays open. */
  close(): Promise<void> {
    return Promise.resolve();
  }
}

/** A sink that writes to descriptor 1 or into a pipe that the model feeds. */
export class CountingSink implements ByteSink {
  readonly #target: Writable;
  readonly #session: Session;
  readonly #signal: AbortSignal;
  #size = 0;

  /** Writes to `target`; a write that cannot be completed rejects. */
  constructor(target: Writable, session: Session, signal: AbortSignal) {
    if (target.kind === "feed") target.feed.begin();
    this.#target = target;
    this.#session = session;
    this.#signal = signal;
  }

  /** See `ByteSink.concurrent`. */
  get concurrent(): boolean {
    return this.#target.kind === "output" && this.#target.output.concurrent;
  }

  /** Bytes written. */
  get size(): number {
    return this.#size;
  }

  /** Writes a chunk as far as possible, then fails if some of it is left. */
  async write(chunk: Chunk): Promise<void> {
    const target = this.#target;
    if (target.kind === "feed") return await this.#feed(target, chunk);
    const before = target.output.written;
    try {
      await target.output.write(chunk, this.#signal);
    } finally {
      this.#size += target.output.written - before;
    }
  }

  async #feed({ feed, flow }: Extract<Writable, { kind: "feed" }>, chunk: Chunk): Promise<void> {
    for (let rest = chunk; rest.length > 0;) {
      if (feed.readerLeft) {
        throw new Error(
          `Cannot write to fd ${feed.fd}: ${feed.reader} has ended and reads no more`,
        );
      }
      let part = rest.subarray(0, feed.room);
      // The part that is left begins with a whole character, so that the model can send it.
      if (part.length < rest.length) part = part.subarray(0, part.length - unfinished(part));
      if (part.length === 0) {
        throw new FeedFullError(feed.fd, this.#size, this.#session.descriptors.readEndOf(feed));
      }
      await feed.write(part);
      this.#size += part.length;
      rest = rest.subarray(part.length);
      await flow?.advance(this.#signal);
    }
  }

  /** Does nothing: the target stays open. */
  close(): Promise<void> {
    return Promise.resolve();
  }
}
