import type { Chunk } from "../../../streams/mod.ts";
import { utf8 } from "../../text/mod.ts";

/** Bytes of a piece of output, unless a number is longer. */
const BLOCK = 64 * 1024;
/** The last three digits of all numbers, one after another, in four bytes each. */
const THOUSAND: Uint8Array = utf8(
  Array.from({ length: 1000 }, (_, low) => `${String(low).padStart(3, "0")} `).join(""),
);

/** Whole numbers to count up. */
export interface CountPlan {
  readonly first: bigint;
  /** At least 1, less than 1000. */
  readonly step: bigint;
  /** The last number; `undefined` to count without end. */
  readonly last: bigint | undefined;
  /** The byte between two numbers. */
  readonly between: number;
}

/**
 * Counts whole numbers of any size: the last three digits come from a table, and those before them
 * are changed in place.
 */
export function* countUp({ first, step, last, between }: CountPlan): Generator<Chunk, void, void> {
  let left = last === undefined ? Infinity : last < first ? 0 : Number((last - first) / step) + 1;
  const by = Number(step);
  /** The digits before the last three, from index `begin` on, with room in front. */
  let digits = Uint8Array.from([...new Uint8Array(20).fill(48), ...utf8(String(first / 1000n))]);
  let begin = first < 1000n ? digits.length : 20;
  let low = Number(first % 1000n);
  let block: Chunk = new Uint8Array(BLOCK);
  while (left > 0) {
    const size = digits.length - begin;
    if (2 * (size + 4) > block.length) block = new Uint8Array(2 * (size + 4));
    const stop = block.length - size - 4;
    let to = 0;
    while (to <= stop && left > 0) {
      for (let i = begin; i < digits.length; i++) block[to++] = digits[i] as number;
      // A short first number has no zeros in front.
      let at = 4 * low + (begin < digits.length ? 0 : low < 10 ? 2 : low < 100 ? 1 : 0);
      for (const end = 4 * low + 3; at < end; at++) block[to++] = THOUSAND[at] as number;
      block[to++] = --left > 0 ? between : 10;
      low += by;
      if (low < 1000) continue;
      low -= 1000;
      begin = Math.min(begin, increment(digits));
      if (begin === 0) {
        digits = Uint8Array.from([...new Uint8Array(20).fill(48), ...digits]);
        begin = 20;
      }
      // Another digit needs more room.
      if (digits.length - begin !== size) break;
    }
    yield block.subarray(0, to);
  }
}

/** Adds 1 to a number; returns the index of the first digit changed. */
function increment(digits: Uint8Array): number {
  let i = digits.length - 1;
  for (; digits[i] === 57; i--) digits[i] = 48;
  digits[i] = (digits[i] as number) + 1;
  return i;
}
