import type { ByteSink } from "../streams/mod.ts";

/**
 * A file that is replaced only when everything went well: `close` puts the new contents in its
 * place, `abort` leaves it as it was and keeps what was written as `<name>.partial`, or in the folder
 * for temporary files where none can be made beside it. The first of the two counts.
 */
export interface OutputFile extends ByteSink {
  /** The path, as it was given. */
  readonly path: string;
  /** After `abort`: the file that has the partial output, if there was any. */
  readonly partial: string | undefined;
  /** Bytes that the file held when it was opened; 0 where there was none. */
  readonly before: number;
  /**
   * Why the file can only be written in place, at the end, where that is so: a crash in that moment
   * can lose what it held.
   */
  readonly inPlace: string | undefined;
  /** Bytes written so far. */
  readonly written: number;
  /** Leaves the file as it was and keeps what was written; `partial` says where. */
  abort(reason?: unknown): Promise<void>;
}
