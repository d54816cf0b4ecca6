import type { ByteSink, Chunk } from "../../streams/mod.ts";
import type { Writable } from "../descriptors/mod.ts";
import { unfinished } from "../inputs/mod.ts";
import type { RunState } from "../run_state.ts";

/** The buffer of a pipe that the model feeds is full. */
export class FeedFullError extends Error {
  override readonly name = "FeedFullError";

  /** `written` bytes fitted into `fd`; to go on, `readFd` must be read. */
  constructor(fd: number, written: number, readFd: number | undefined) {
    const first = readFd === undefined ? "" : `: read fd ${readFd} first`;
    super(`The buffer of fd ${fd} is full (1 MiB) after ${written} bytes${first}`);
  }
}

/** A sink that writes to descriptor 1 or into a pipe that the model feeds. */
export class CountingSink implements ByteSink {
  readonly #target: Writable;
  readonly #state: RunState;
  readonly #signal: AbortSignal;
  #size = 0;

  /** Writes to `target`; a write that cannot be completed rejects. */
  constructor(target: Writable, state: RunState, signal: AbortSignal) {
    if (target.kind === "feed") target.feed.begin();
    this.#target = target;
    this.#state = state;
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
        throw new FeedFullError(feed.fd, this.#size, this.#state.descriptors.readEndOf(feed));
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
