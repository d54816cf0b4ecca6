import type { ByteSource, Chunk } from "../../../streams/mod.ts";
import { Output } from "../../text/mod.ts";
import type { XxdSettings } from "./options.ts";

const LF = 10;
const CR = 13;

function digit(byte: number): number {
  if (byte >= 48 && byte <= 57) return byte - 48;
  const letter = byte | 32;
  return letter >= 97 && letter <= 102 ? letter - 87 : -1;
}

/** Furthest position up to which gaps are filled, in bytes. */
const FURTHEST = 2 ** 40;

/** A hexdump whose positions go backward, which a stream cannot, or absurdly far ahead. */
export class BackwardError extends Error {
  override readonly name = "BackwardError";
}

/**
 * Turns a hexdump into bytes; fills gaps between positions with NULs.
 *
 * @throws {BackwardError} If positions go backward, or further ahead than a TiB.
 */
export async function* revert(
  source: ByteSource,
  { style, columns, seek, negativeSeek }: XxdSettings,
): AsyncGenerator<Chunk, void, void> {
  const out = new Output();
  const plain = style === "plain";
  const base = negativeSeek ? -seek : seek;
  let garbage = true;
  /** The last three characters as digits, -1 for others. */
  let n1 = -1;
  let n2 = 0;
  let n3 = 0;
  let done = columns;
  let have = 0;
  let want = 0;
  /** True while the rest of the line is skipped. */
  let skipping = false;
  for await (const chunk of source) {
    for (const byte of chunk) {
      let endOfLine = byte === LF;
      if (skipping) {
        if (!endOfLine) continue;
        skipping = false;
      } else {
        if (byte === CR || (plain && (byte === 32 || byte === LF || byte === 9))) continue;
        n3 = n2;
        n2 = n1;
        n1 = digit(byte);
        if (n1 === -1 && garbage) continue;
        garbage = false;
        if (!plain && done >= columns) {
          if (n1 < 0) done = 0;
          else want = want * 16 + n1;
          continue;
        }
        if (base + want < have || base + want > FURTHEST) {
          if (out.length > 0) yield out.take();
          if (base + want < have) throw new BackwardError("Sorry, cannot seek backwards.");
          throw new BackwardError(`Position 0x${want.toString(16)} is too far ahead`);
        }
        for (; have < base + want; have++) {
          if (!out.putByte(0)) {
            yield out.take();
            out.putByte(0);
          }
        }
        if (n2 >= 0 && n1 >= 0) {
          if (out.room === 0) yield out.take();
          out.putByte(n2 * 16 + n1);
          have++;
          want++;
          n1 = -1;
          if (!plain && ++done >= columns) skipping = true;
        } else if (n1 < 0 && n2 < 0 && n3 < 0) {
          skipping = !endOfLine;
        }
        if (skipping) endOfLine = false;
      }
      if (!endOfLine) continue;
      if (!plain) want = 0;
      done = columns;
      garbage = true;
    }
    if (out.length > 0) yield out.take();
  }
  if (out.length > 0) yield out.take();
}
