import {
  type ByteSource,
  type Chunk,
  drain,
  MemorySink,
  memorySource,
} from "../../../streams/mod.ts";

/** Reads a file to its end, so that it can be overwritten. */
export async function wholeInMemory(source: ByteSource): Promise<ByteSource> {
  const sink = new MemorySink();
  await drain(source, sink);
  return memorySource(sink.bytes());
}

/** Returns a source whose reading errors are replaced by what `failure` returns for them. */
export function blaming(source: ByteSource, failure: (error: unknown) => unknown): ByteSource {
  const result: ByteSource = {
    next: async () => {
      try {
        return await source.next();
      } catch (error) {
        throw failure(error);
      }
    },
    return: () => source.return(),
    [Symbol.asyncIterator]: () => result as AsyncIterableIterator<Chunk, void, void>,
  };
  return result;
}

/** Returns a source that fails when it is read. */
export function failing(error: Error): ByteSource {
  const source: AsyncIterableIterator<Chunk, void, void> & ByteSource = {
    next: () => Promise.reject(error),
    return: () => Promise.resolve({ done: true, value: undefined }),
    [Symbol.asyncIterator]: () => source,
  };
  return source;
}
