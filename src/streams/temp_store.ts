import type { ByteSink, ByteSource } from "./source.ts";

/**
 * Temporary storage for bytes that do not fit in memory, such as the runs of an external sort.
 * Disposing removes all its files.
 */
export interface TempStore extends AsyncDisposable {
  /** Makes a new, empty temporary file and gives the sink that fills it and a way to read it. */
  create(): Promise<{ sink: ByteSink; open(): Promise<ByteSource> }>;
}
