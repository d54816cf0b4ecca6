import { AbortRace } from "./abort.ts";
import type { ByteSink, ByteSource, Chunk } from "./source.ts";
import { TurnGuard } from "./turn.ts";

/**
 * Writes all of `source` to `sink` and resolves to the number of bytes written.
 *
 * Each chunk is written before the next one is pulled. If the sink writes concurrently
 * ({@linkcode ByteSink.concurrent}), a copy of the chunk is written while the source makes the next
 * one, and only that one.
 *
 * The source is always closed at the end, and awaited; the sink never is. Pulls and writes are
 * raced with `signal`, so that a stuck write does not delay the abort. The sink may then still use
 * the chunk, and its owner should abort it.
 *
 * @throws The signal's reason, or the first error of the source or the sink.
 *
 * @example
 * ```ts
 * import { drain, memorySource, MemorySink } from "@llmcmd/llmcmd/streams";
 *
 * const sink = new MemorySink();
 * const size = await drain(memorySource("hello\n"), sink, new AbortController().signal);
 * if (size !== 6 || sink.text() !== "hello\n") throw new Error(sink.text());
 * ```
 */
export async function drain(
  source: ByteSource,
  sink: ByteSink,
  signal?: AbortSignal,
): Promise<number> {
  const race = new AbortRace(signal);
  const copy = sink.concurrent === true ? copier() : undefined;
  let writing: Promise<void> | undefined;
  let size = 0;
  try {
    const guard = new TurnGuard();
    signal?.throwIfAborted();
    for (;;) {
      const next = source.next();
      if (writing !== undefined) {
        next.catch(ignore); // a failure of the write comes first
        await race.run(writing);
      }
      const { done, value } = await race.run(next);
      if (done === true) break;
      if (copy === undefined) {
        await race.run(sink.write(value));
      } else {
        writing = sink.write(copy(value));
        writing.catch(ignore); // it is looked at in the next round
      }
      size += value.length;
      const turn = guard.tick();
      if (turn !== undefined) await turn;
      // A source and a sink that settle at once may win every race against the signal.
      signal?.throwIfAborted();
    }
  } catch (error) {
    await source.return().catch(() => {}); // the first error wins
    throw error;
  } finally {
    race.end();
  }
  await source.return();
  return size;
}

/** Copies chunks into one buffer, which grows to the size of the largest. */
function copier(): (chunk: Chunk) => Chunk {
  let buffer = new Uint8Array(0);
  return (chunk) => {
    if (chunk.length > buffer.length) buffer = new Uint8Array(chunk.length);
    buffer.set(chunk);
    return buffer.subarray(0, chunk.length);
  };
}

function ignore(): void {}
