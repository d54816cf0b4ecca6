import type { ByteSink } from "./source.ts";

/**
 * Aborts a sink, or closes it if it has no `abort`.
 *
 * @param reason Error for the reader at the other end.
 */
export async function abortSink(sink: ByteSink, reason?: unknown): Promise<void> {
  if (sink.abort === undefined) await sink.close();
  else await sink.abort(reason);
}
