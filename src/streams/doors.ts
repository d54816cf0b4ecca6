import { raceAbort } from "./abort.ts";
import { abortSink } from "./abort_sink.ts";
import { type ByteSink, type ByteSource, type Chunk, Source } from "./source.ts";

/**
 * Turns a source into a WHATWG stream. Chunks are copied: the stream's reader owns them.
 *
 * Nothing is pulled before a read (high-water mark 0). Cancelling the stream closes the source.
 *
 * @example
 * ```ts
 * import { memorySource, MemorySink, toReadable, toWritable } from "@llmcmd/llmcmd/streams";
 *
 * const sink = new MemorySink();
 * await toReadable(memorySource("hello\n")).pipeTo(toWritable(sink));
 * if (sink.text() !== "hello\n" || !sink.closed) throw new Error(sink.text());
 * ```
 */
export function toReadable(source: ByteSource): ReadableStream<Chunk> {
  let cancelled = false;
  return new ReadableStream<Chunk>({
    async pull(controller) {
      const { done, value } = await source.next();
      if (cancelled) return;
      if (done === true) controller.close();
      else controller.enqueue(value.slice());
    },
    async cancel() {
      cancelled = true;
      await source.return();
    },
  }, { highWaterMark: 0 });
}

class ReadableSource extends Source {
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
  #over = false;

  constructor(stream: ReadableStream<Uint8Array>) {
    super();
    this.#reader = stream.getReader();
  }

  protected override async pull(): Promise<Chunk | undefined> {
    let result: ReadableStreamReadResult<unknown>;
    try {
      result = await this.#reader.read();
    } catch (error) {
      this.#over = true;
      throw error;
    }
    if (result.done) {
      this.#over = true;
      return undefined;
    }
    return checkChunk(result.value);
  }

  protected override async release(): Promise<void> {
    try {
      if (!this.#over) await this.#reader.cancel();
    } finally {
      this.#reader.releaseLock();
    }
  }
}

function checkChunk(value: unknown): Chunk {
  if (value instanceof Uint8Array) return value as Chunk;
  const fix = typeof value === "string" ? ": pipe it through a TextEncoderStream" : "";
  throw new TypeError(`Expected Uint8Array chunks, got a ${typeof value}${fix}`);
}

/**
 * Turns a WHATWG stream into a source, and locks it until the source ends.
 *
 * Closing the source cancels the stream and releases the lock.
 *
 * @example
 * ```ts
 * import { fromReadable } from "@llmcmd/llmcmd/streams";
 *
 * const stream = new Blob(["hello\n"]).stream();
 * let size = 0;
 * for await (const chunk of fromReadable(stream)) size += chunk.length;
 * if (size !== 6 || stream.locked) throw new Error(String(size));
 * ```
 *
 * @throws {TypeError} If the stream is locked; from `next`, if a chunk is not a `Uint8Array`.
 */
export function fromReadable(stream: ReadableStream<Uint8Array>): ByteSource {
  return new ReadableSource(stream);
}

/**
 * Turns a sink into a WHATWG stream. A write settles when the sink has written the chunk; until
 * then the writer must not change it.
 *
 * An abort reaches the sink at once, even during a stuck write. A sink whose write fails is
 * aborted: the stream is then errored and would not call the sink again.
 */
export function toWritable(sink: ByteSink): WritableStream<Uint8Array> {
  let stopped: AbortSignal | undefined;
  let given: Promise<void> | undefined;
  const giveUp = (reason: unknown): Promise<void> => given ??= abortSink(sink, reason);
  const run = async (operation: () => Promise<void>): Promise<void> => {
    try {
      await raceAbort(operation(), stopped);
    } catch (error) {
      await giveUp(error).catch(() => {}); // the first error wins
      throw error;
    }
  };
  return new WritableStream<Uint8Array>({
    start: (controller) => void (stopped = controller.signal),
    write: (chunk) => run(() => sink.write(checkChunk(chunk))),
    close: () => run(() => sink.close()),
    abort: (reason) => giveUp(reason),
  });
}

/** Options of {@linkcode fromWritable}. */
export interface FromWritableOptions {
  /** True to leave the stream open when the sink is closed: that only releases the lock. */
  readonly preventClose?: boolean;
  /** True to leave the stream as it is when the sink is aborted: that only releases the lock. */
  readonly preventAbort?: boolean;
}

class WritableSink implements ByteSink {
  readonly #writer: WritableStreamDefaultWriter<Uint8Array>;
  readonly #options: FromWritableOptions;
  #end: Promise<void> | undefined;

  constructor(stream: WritableStream<Uint8Array>, options: FromWritableOptions) {
    this.#writer = stream.getWriter();
    this.#options = options;
    // The call that meets an error reports it.
    this.#writer.closed.catch(() => {});
    this.#writer.ready.catch(() => {});
  }

  write(chunk: Chunk): Promise<void> {
    if (this.#end !== undefined) {
      return Promise.reject(new TypeError("Cannot write: the sink is closed"));
    }
    // Waiting for the write gives back-pressure (`ready` never resolves at high-water mark 0). The
    // copy is for streams that pass the chunk on, such as an identity transform.
    return this.#writer.write(chunk.slice());
  }

  close(): Promise<void> {
    // `close` only says that the stream has errored; `closed` has the stream's own error.
    return this.#end ??= this.#finish(
      this.#options.preventClose,
      () => this.#writer.close().catch(() => this.#writer.closed),
    );
  }

  abort(reason?: unknown): Promise<void> {
    return this.#end ??= this.#finish(
      this.#options.preventAbort,
      () => this.#writer.abort(reason),
    );
  }

  async #finish(prevent: boolean | undefined, act: () => Promise<unknown>): Promise<void> {
    try {
      if (prevent !== true) await act();
    } finally {
      this.#writer.releaseLock();
    }
  }
}

/**
 * Turns a WHATWG stream into a sink, and locks it until the sink is closed or aborted.
 *
 * Chunks are copied: the stream owns them. A write settles when the stream has accepted the chunk,
 * which gives back-pressure.
 *
 * @throws {TypeError} If the stream is locked.
 */
export function fromWritable(
  stream: WritableStream<Uint8Array>,
  options: FromWritableOptions = {},
): ByteSink {
  return new WritableSink(stream, options);
}
