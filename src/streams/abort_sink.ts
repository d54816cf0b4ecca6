import type { ByteSink } from "./source.ts";

/**
 * Gives a sink up: aborts it, or closes it where it has no `abort`.
 *
 * @param reason Why, for whoever reads from the other side.
 */
export async function abortSink(sink: ByteSink, reason?: unknown): Promise<void> {
  if (sink.abort === undefined) await sink.close();
  else await sink.abort(reason);
}
