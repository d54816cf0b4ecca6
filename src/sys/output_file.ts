import type { ByteSink } from "../streams/mod.ts";

/**
 * A file that is replaced only on success. `close` puts the new contents in place. `abort` leaves
 * the file unchanged and keeps the partial output as `<name>.partial`, or in the folder for
 * temporary files if none can be made beside it. Only the first of these calls counts.
 */
export interface OutputFile extends ByteSink {
  /** The path, as it was given. */
  readonly path: string;
  /** After `abort`: the file that has the partial output, if there was any. */
  readonly partial: string | undefined;
  /** Size of the file in bytes when it was opened; 0 if it did not exist. */
  readonly before: number;
  /**
   * The reason why the file must be written in place, at the end; `undefined` if it is replaced. A
   * crash during that write can lose the old contents.
   */
  readonly inPlace: string | undefined;
  /** Bytes written so far. */
  readonly written: number;
  /** Leaves the file unchanged and keeps the partial output; `partial` is its path. */
  abort(reason?: unknown): Promise<void>;
}
