import type { Chunk, RandomAccess } from "./source.ts";

/**
 * Reads from `offset` until `into` is full or the file ends, as a single `read` may return fewer
 * bytes anywhere. Resolves to the number of bytes read: less than `into.length` only at the end.
 *
 * @example
 * ```ts
 * import { memoryAccess, readFully } from "@llmcmd/llmcmd/streams";
 *
 * const file = memoryAccess(new TextEncoder().encode("abcdef"));
 * const block = new Uint8Array(4);
 * if (await readFully(file, 3, block) !== 3) throw new Error("the file ends after f");
 * ```
 */
export async function readFully(
  at: Pick<RandomAccess, "read">,
  offset: number,
  into: Chunk,
): Promise<number> {
  let done = 0;
  while (done < into.length) {
    const count = await at.read(offset + done, done === 0 ? into : into.subarray(done));
    if (count === 0) break;
    done += count;
  }
  return done;
}
