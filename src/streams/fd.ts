import type { ByteSink, ByteSource, Chunk } from "./source.ts";

/** Options of {@linkcode FdTable.open}. */
export interface FdInit {
  /** Name for messages, such as `stdin` or a file's name. */
  readonly name: string;
  /** The end to read from; without it the descriptor is not readable. */
  readonly source?: ByteSource | undefined;
  /** The end to write to; without it the descriptor is not writable. */
  readonly sink?: ByteSink | undefined;
  /** The number; by default the lowest that was never used in this table. */
  readonly number?: number | undefined;
}

/** An open file descriptor: a number, and the ends that it shares with its duplicates. */
export interface Fd {
  /** The number, unique in its table for good. */
  readonly number: number;
  /** Name for messages. */
  readonly name: string;
  /** The end to read from, if any. Duplicates share it. */
  readonly source?: ByteSource;
  /** The end to write to, if any. Duplicates share it. */
  readonly sink?: ByteSink;
  /**
   * The source as a WHATWG stream, made at the first use and shared by duplicates. Cancelling it
   * closes the source.
   *
   * @throws {TypeError} If the descriptor is not readable.
   */
  readonly readable: ReadableStream<Chunk>;
  /**
   * The sink as a WHATWG stream, made at the first use and shared by duplicates. Closing it closes
   * the sink.
   *
   * @throws {TypeError} If the descriptor is not writable.
   */
  readonly writable: WritableStream<Uint8Array>;
}
