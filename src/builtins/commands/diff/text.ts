import type { RandomAccess } from "../../../streams/mod.ts";
import { CrStripper } from "./sameness.ts";
import { HeldBytes, LineFile, readBlock, type Storage } from "../../hold/mod.ts";
import { utf8 } from "../../text/mod.ts";

/** Number of first bytes among which a NUL makes a file binary. */
const PROBE = 4096;
const BLOCK = 256 * 1024;

/** True if a file is not text. */
export async function isBinary(file: RandomAccess): Promise<boolean> {
  const probe = new Uint8Array(Math.min(PROBE, file.size));
  await readBlock(file, 0, probe);
  return probe.includes(0);
}

/** True if two files have the same bytes. */
export async function sameBytes(a: RandomAccess, b: RandomAccess): Promise<boolean> {
  if (a.size !== b.size) return false;
  const x = new Uint8Array(BLOCK);
  const y = new Uint8Array(BLOCK);
  const words = [new Int32Array(x.buffer), new Int32Array(y.buffer)] as const;
  for (let at = 0; at < a.size; at += BLOCK) {
    const size = Math.min(BLOCK, a.size - at);
    await Promise.all([
      readBlock(a, at, x.subarray(0, size)),
      readBlock(b, at, y.subarray(0, size)),
    ]);
    // A short last block leaves bytes of the block before in both buffers, which are the same.
    const count = (size + 3) >> 2;
    for (let i = 0; i < count; i++) if (words[0][i] !== words[1][i]) return false;
  }
  return true;
}

/** Returns the lines of a file without the carriage returns before their newlines. */
export async function strippedLines(file: RandomAccess, storage: Storage): Promise<LineFile> {
  const held = new HeldBytes(storage);
  const stripper = new CrStripper();
  const block = new Uint8Array(BLOCK);
  let last = 10;
  for (let at = 0; at < file.size;) {
    const piece = block.subarray(0, Math.min(BLOCK, file.size - at));
    await readBlock(file, at, piece);
    at += piece.length;
    last = piece.at(-1) ?? last;
    await held.add(stripper.strip(piece));
  }
  const incomplete = last !== 10;
  // The newline is added only here, so a carriage return before it stays.
  if (incomplete && last === 13) await held.add(utf8("\r"));
  if (incomplete) await held.add(utf8("\n"));
  return new LineFile(await held.finish(), incomplete);
}
