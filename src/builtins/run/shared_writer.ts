import type { ByteSink, Chunk } from "../../streams/mod.ts";

/** The end of the last write to each stream. */
const queues = new WeakMap<WritableStream<Uint8Array>, Promise<unknown>>();

/**
 * A sink onto a stream that several commands may share, such as a pipeline's standard error: it
 * holds the stream's lock only while it writes, and writes take turns. Closing it leaves the
 * stream open.
 */
export function sharedWriter(stream: WritableStream<Uint8Array>): ByteSink {
  return {
    write: (chunk) => {
      const turn = (queues.get(stream) ?? Promise.resolve()).then(() => writeOnce(stream, chunk));
      queues.set(stream, turn.catch(() => {}));
      return turn;
    },
    close: () => Promise.resolve(),
  };
}

async function writeOnce(stream: WritableStream<Uint8Array>, chunk: Chunk): Promise<void> {
  const writer = stream.getWriter();
  // The write that fails reports the failure.
  writer.closed.catch(() => {});
  writer.ready.catch(() => {});
  try {
    await writer.write(chunk.slice());
  } finally {
    writer.releaseLock();
  }
}
