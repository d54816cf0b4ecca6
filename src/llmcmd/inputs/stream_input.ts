import { type ByteSource, ReplaySource } from "../../streams/mod.ts";
import type { Feed, Pipeline } from "../pipeline/mod.ts";
import type { Input, InputSlice } from "./input.ts";
import { LOOKAHEAD } from "./text_slice.ts";

/** Bytes of a stream that `read` may go back. */
export const REPLAY_WINDOW = 64 * 1024;

/** The output of a pipe: consumed once, with a window to go back in. */
export class StreamInput implements Input {
  /** The commands that produce it. */
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

  /** True once some of it was read or piped. */
  get touched(): boolean {
    return this.#begun || this.#went !== undefined;
  }

  /** The pipe fed by the model that this input starts from, if any. */
  get feed(): Feed | undefined {
    return this.#feed;
  }

  /** The offset of the next read. */
  get position(): number {
    return this.#position;
  }

  /** The pipe that has taken it over. */
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

  /** Sets the offset of the next read. */
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
