import { AbortRace } from "./abort.ts";
import type { ByteSink, ByteSource } from "./source.ts";
import { TurnGuard } from "./turn.ts";

/**
 * Writes all of `source` to `sink` and resolves to the number of bytes written.
 *
 * The source is closed (and its closing awaited) on every way out; the sink never is. Each pull
 * and each write is raced with `signal`, so that a stuck write does not hold the abort up; the
 * sink then still has the chunk, and its owner should abort it.
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
  let size = 0;
  try {
    const guard = new TurnGuard();
    signal?.throwIfAborted();
    for (;;) {
      const { done, value } = await race.run(source.next());
      if (done === true) break;
      await race.run(sink.write(value));
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
