import { messageOf } from "../../base/mod.ts";
import { type ByteSink, type Chunk, type Limit, LimitError, raceAbort } from "../../streams/mod.ts";

/** Descriptor 1 could not be written: the run ends, because its output cannot be complete. */
export class OutputError extends Error {
  /** `OutputError` */
  override readonly name = "OutputError";
  /** True when the reader of the output has gone (EPIPE). */
  readonly closedByReader: boolean;

  /** Wraps what the sink threw, as `cause`. */
  constructor(output: string, cause: unknown) {
    const why = messageOf(cause);
    // The errors of file sinks already name the file and the reason.
    super(why.startsWith("Cannot write ") ? why : `Cannot write to ${output}: ${why}`, { cause });
    this.closedByReader = isBrokenPipe(cause);
  }
}

function isBrokenPipe(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return error.name === "BrokenPipe" || error.name === "BrokenPipeError" ||
    "code" in error && error.code === "EPIPE";
}

/** Descriptor 1: counts the bytes written and enforces their limit. */
export class Output {
  /** `stdout`, or the name of the output file. */
  readonly name: string;
  readonly #sink: ByteSink;
  readonly #limit: Limit;
  #written = 0;
  #failure: OutputError | LimitError | undefined;

  /** Writes to `sink`, no more bytes than `limit` allows. The sink is never closed. */
  constructor(name: string, sink: ByteSink, limit: Limit) {
    this.name = name;
    this.#sink = sink;
    this.#limit = limit;
  }

  /** Bytes that arrived at the sink. */
  get written(): number {
    return this.#written;
  }

  /** See `ByteSink.concurrent`. */
  get concurrent(): boolean {
    return this.#sink.concurrent === true;
  }

  /** The error that ended the output. */
  get failure(): OutputError | LimitError | undefined {
    return this.#failure;
  }

  /**
   * Writes a chunk. Rejects with an {@linkcode OutputError}, with a `LimitError` after the bytes
   * within the limit have been written, or with the signal's reason, in which case a write that
   * hangs is left pending.
   */
  async write(chunk: Chunk, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (this.#failure !== undefined) throw this.#failure;
    const fitting = chunk.subarray(0, Math.max(0, this.#limit.max - this.#written));
    try {
      if (fitting.length > 0) await raceAbort(this.#sink.write(fitting), signal);
    } catch (error) {
      signal.throwIfAborted();
      throw this.#failure = new OutputError(this.name, error);
    }
    this.#written += fitting.length;
    if (fitting.length < chunk.length) {
      const { name, max } = this.#limit;
      throw this.#failure = new LimitError(
        this.#limit,
        `Output is larger than ${name} (${max} bytes); raise it to go on`,
      );
    }
  }
}
