import { bufferedPipe, type ByteSource, type Chunk, Source } from "../streams/mod.ts";

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

  /** Makes an empty pipe whose write end is `fd`. */
  constructor(fd: number, reader: string) {
    this.fd = fd;
    this.reader = reader;
    this.source = new FeedSource(this.#pipe.source, () => this.#left = true);
  }

  /** Whether its reader may still wait for data from the model. */
  get open(): boolean {
    return !this.#closed && !this.#left;
  }

  /** Whether nothing will ever read it again. */
  get readerLeft(): boolean {
    return this.#left;
  }

  /** Whether the model has said that no more comes. */
  get closed(): boolean {
    return this.#closed;
  }

  /** Whether the model has written or piped to it, if only nothing, or closed it. */
  get begun(): boolean {
    return this.#begun;
  }

  /** Says that the model writes or pipes to it. */
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

  /** Says that no more comes. */
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

/** Is called when its reader is gone. */
class FeedSource extends Source {
  readonly #source: ByteSource;
  readonly #onLeft: () => void;

  constructor(source: ByteSource, onLeft: () => void) {
    super();
    this.#source = source;
    this.#onLeft = onLeft;
  }

  protected override async pull(): Promise<Chunk | undefined> {
    const { done, value } = await this.#source.next();
    return done === true ? undefined : value;
  }

  protected override async release(): Promise<void> {
    this.#onLeft();
    await this.#source.return();
  }
}
