import type { Chunk } from "../../../streams/mod.ts";

/** Longer pieces are copied faster by a call than by a loop. */
const LONG = 96;

/**
 * Copies strings side by side, in the order of their lines; changes the spans to those of the
 * copies.
 */
export function gathered(text: Chunk, spans: Uint32Array, total: number): Uint8Array {
  const bytes = new Uint8Array(total);
  let at = 0;
  for (let i = 0; i < spans.length; i += 2) {
    const until = spans[i + 1] as number;
    const from = spans[i] as number;
    spans[i] = at;
    if (until - from > LONG) {
      bytes.set(text.subarray(from, until), at);
      at += until - from;
    } else for (let j = from; j < until; j++) bytes[at++] = text[j] as number;
    spans[i + 1] = at;
  }
  return bytes;
}

/**
 * Mirrors the ranges from index `first` on, after the range around them was reversed; `sum` is the
 * sum of that range's bounds.
 */
export function mirror(ranges: number[], first: number, sum: number): void {
  for (let r = first; r < ranges.length; r += 2) {
    const from = ranges[r] as number;
    ranges[r] = sum - (ranges[r + 1] as number);
    ranges[r + 1] = sum - from;
  }
}
