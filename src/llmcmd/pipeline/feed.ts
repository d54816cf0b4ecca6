import { bufferedPipe, type ByteSource, type Chunk, Source } from "../../streams/mod.ts";

/** Most bytes that may wait in a pipe which the model feeds. */
export const FEED_BUFFER = 1024 * 1024;

/** The write end of a pipe that the model feeds with the `write` tool. */
export class Feed {
  /** Its descriptor. */
  readonly fd: number;
  /** The command that reads it, for messages. */
  readonly reader: string;
  /** The other end. */
  readonly source: ByteSource;
  readonly #pipe = bufferedPipe(FEED_BUFFER);
  #left = false;
  #closed = false;
  #begun = false;
  #ended = false;
  #failure: string | undefined;

  /** Makes an empty pipe whose write end is `fd`. */
  constructor(fd: number, reader: string) {
    this.fd = fd;
    this.reader = reader;
    this.source = new FeedSource(this.#pipe.source, {
      onEnd: () => this.#ended = true,
      onLeft: () => this.#left = true,
    });
  }

  /** True while its reader may wait for data from the model. */
  get open(): boolean {
    return !this.#closed && !this.#left;
  }

  /** True once nothing will ever read it again. */
  get readerLeft(): boolean {
    return this.#left;
  }

  /** True once the model has closed it. */
  get closed(): boolean {
    return this.#closed;
  }

  /** True once the model has written or piped to it, if only nothing, or closed it. */
  get begun(): boolean {
    return this.#begun;
  }

  /** True once its reader has read to the end. */
  get ended(): boolean {
    return this.#ended;
  }

  /** Records the last attempt to write data: why it failed, or `undefined`. */
  note(failure: string | undefined): void {
    this.#failure = failure;
  }

  /**
   * The error of a reader that came to the end without all its data, because the last attempt to
   * write failed. A reader that left before the end, such as `head`, misses nothing.
   */
  get missing(): string | undefined {
    return this.#ended && this.#failure !== undefined
      ? `fd ${this.fd} did not get all its data: ${this.#failure}`
      : undefined;
  }

  /** Records that the model writes or pipes to it. */
  begin(): void {
    this.#begun = true;
  }

  /** Bytes that fit in now. */
  get room(): number {
    return this.#pipe.capacity - this.#pipe.available;
  }

  /** Adds at most {@linkcode room} bytes. */
  async write(chunk: Chunk): Promise<void> {
    await this.#pipe.sink.write(chunk);
  }

  /** Closes it. */
  async end(): Promise<void> {
    this.#begun = true;
    this.#closed = true;
    await this.#pipe.sink.close();
  }

  /** Resolves when the reader waits for data from the model. */
  whenStarved(): Promise<void> {
    return this.#pipe.whenStarved();
  }
}

/** Reports when its reader has come to the end, and when it is gone. */
class FeedSource extends Source {
  readonly #source: ByteSource;
  readonly #watch: { readonly onEnd: () => void; readonly onLeft: () => void };

  constructor(source: ByteSource, watch: { onEnd: () => void; onLeft: () => void }) {
    super();
    this.#source = source;
    this.#watch = watch;
  }

  protected override async pull(): Promise<Chunk | undefined> {
    const { done, value } = await this.#source.next();
    if (done !== true) return value;
    this.#watch.onEnd();
    return undefined;
  }

  protected override async release(): Promise<void> {
    this.#watch.onLeft();
    await this.#source.return();
  }
}

/** Says why output of the model's pipe `fd` can't be piped on yet, and the way out. */
export function waitsForModel(fd: number): string {
  return `it waits for data that only you can write to fd ${fd}. ` +
    `Close fd ${fd} first: write what is missing there, with eof true`;
}
