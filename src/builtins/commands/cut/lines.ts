import type { ByteSource, Chunk } from "../../../streams/mod.ts";
import type { BuiltinIo } from "../../builtin.ts";
import type { FieldCut } from "./field_cut.ts";
import { blocksOf, HeldBytes, Storage } from "../../hold/mod.ts";
import { LinePieces, Output } from "../../text/mod.ts";

/**
 * Cuts if the delimiter is the line separator: fields are lines, and the whole input is one line,
 * whose last separator is ignored. No line is held in memory.
 */
export async function* cutLines(
  source: ByteSource,
  { ranges, between, separator, suppress }: FieldCut,
  io: BuiltinIo,
): AsyncGenerator<Chunk, void, void> {
  const out = new Output();
  const lines = new LinePieces(source, separator);
  const storage = new Storage(io);
  /** The first line, if its printing depends on whether it has a separator. */
  const first = new HeldBytes(storage);
  const waits = suppress === (ranges[0]?.from === 1);
  let field = 0;
  let range = 0;
  let selected = false;
  let any = false;
  for (;;) {
    if (!lines.step()) {
      if (out.length > 0) yield out.take();
      if (!await lines.fill()) break;
    }
    const { bytes, start, end } = lines;
    if (lines.begins) {
      field++;
      while (range < ranges.length && field > (ranges[range]?.to ?? Infinity)) range++;
      selected = field >= (ranges[range]?.from ?? Infinity);
      if (selected && any && !out.put(between)) yield* out.spill(between);
      any ||= selected && !(field === 1 && waits);
    }
    if (field > 1 || !waits) {
      if (selected && !out.put(bytes, start, end)) yield* out.spill(bytes, start, end);
      continue;
    }
    const piece = bytes.subarray(start, end);
    if (!first.put(piece)) await first.add(piece);
    if (!lines.ends) continue;
    const held = await first.finish();
    if (selected ? lines.terminated : !lines.terminated) {
      any = true;
      for await (const block of blocksOf(held)) if (!out.put(block)) yield* out.spill(block);
    }
    await held.close();
    await storage.release();
    if (!lines.terminated && suppress) return;
  }
  if (field === 0) return;
  if (any || !suppress || field > 1) yield* out.spill(Uint8Array.of(separator));
  if (out.length > 0) yield out.take();
}
