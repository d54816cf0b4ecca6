import type { ByteSink, Chunk } from "../../streams/mod.ts";

/** The end of the last write to each stream. */
const queues = new WeakMap<WritableStream<Uint8Array>, Promise<unknown>>();

/**
 * A sink for a stream that several commands may share, such as a pipeline's standard error. It
 * locks the stream only during a write, and writes are queued. Closing it leaves the stream open.
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
  // The write itself reports a failure.
  writer.closed.catch(() => {});
  writer.ready.catch(() => {});
  try {
    await writer.write(chunk.slice());
  } finally {
    writer.releaseLock();
  }
}
