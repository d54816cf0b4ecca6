/**
 * Reads a stream to its end and calls `action` with each value, one after the other. If `action`
 * throws or rejects, the stream is cancelled with that error, which a `for await` loop does not tell
 * it.
 *
 * @example
 * ```ts
 * import { forEach } from "@llmcmd/llmcmd/streams";
 *
 * let sum = 0;
 * await forEach(ReadableStream.from([1, 2, 3]), (number) => void (sum += number));
 * if (sum !== 6) throw new Error(`${sum}`);
 * ```
 *
 * @throws The error of the stream or of `action`.
 */
export async function forEach<T>(
  stream: ReadableStream<T>,
  action: (value: T) => void | Promise<void>,
): Promise<void> {
  const reader = stream.getReader();
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      await action(next.value);
    }
  } catch (error) {
    await reader.cancel(error);
    throw error;
  } finally {
    reader.releaseLock();
  }
}
