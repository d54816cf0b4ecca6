import { type ByteSource, type Chunk, LimitError } from "../../../streams/mod.ts";
import type { RandomNumbers } from "../../core/mod.ts";
import { findByte, LineReader } from "../../text/mod.ts";

/** Limits of a reservoir. */
export interface ReservoirLimits {
  /** Longest line, in bytes. */
  readonly lineBytes: number;
  /** Most bytes of all lines held. */
  readonly sortBytes: number;
}

/**
 * Takes a sample of `count` lines from a source of any length, in memory that grows with the sample
 * only (Vitter's algorithm R). Lines lack their separators.
 *
 * @throws {LimitError} If a line or the sample is too long.
 */
export async function sampleLines(
  source: ByteSource,
  count: number,
  separator: number,
  random: RandomNumbers,
  { lineBytes, sortBytes }: ReservoirLimits,
): Promise<readonly Chunk[]> {
  const reader = new LineReader(source, separator, lineBytes);
  const sample: Chunk[] = [];
  let held = 0;
  let seen = 0;
  for (let block = await reader.next(); block !== undefined; block = await reader.next()) {
    for (let start = 0; start < block.length; seen++) {
      const found = findByte(block, separator, start);
      const end = found < 0 ? block.length : found;
      const place = seen < count ? seen : random.choose(seen + 1);
      if (place < count) {
        held += end - start - (sample[place]?.length ?? 0);
        if (held > sortBytes) throw tooMuch(sortBytes);
        sample[place] = block.slice(start, end);
      }
      start = end + 1;
    }
  }
  return sample;
}

function tooMuch(max: number): LimitError {
  return new LimitError(
    { name: "sortBytes", max },
    `The chosen lines are longer than sortBytes (${max} bytes); raise it or take fewer`,
  );
}
