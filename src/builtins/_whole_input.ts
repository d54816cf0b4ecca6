import {
  type ByteSource,
  type Chunk,
  LimitError,
  memoryAccess,
  type RandomAccess,
} from "../streams/mod.ts";
import type { BuiltinIo } from "./builtin.ts";
import { MAX_LINE } from "./_lines.ts";

/** What is held in memory of an input that has to be read from its end, in bytes. */
const MEMORY = 64 * 1024 * 1024;

/**
 * Makes random access to a stream: in memory if it is small, else in temporary storage.
 *
 * @throws {LimitError} If it is large and there is no temporary storage.
 */
export async function holdAll(source: ByteSource, io: BuiltinIo): Promise<RandomAccess> {
  let held: Chunk = new Uint8Array(64 * 1024);
  let length = 0;
  const limit = io.temp === undefined ? MAX_LINE : MEMORY;
  for (;;) {
    const { done, value } = await source.next();
    if (done === true) return memoryAccess(held.subarray(0, length));
    if (length + value.length > limit) {
      return await spill(held.subarray(0, length), value, source, io);
    }
    if (length + value.length > held.length) {
      const grown = new Uint8Array(Math.max(held.length * 2, length + value.length));
      grown.set(held.subarray(0, length));
      held = grown;
    }
    held.set(value, length);
    length += value.length;
  }
}

async function spill(
  held: Chunk,
  next: Chunk,
  source: ByteSource,
  io: BuiltinIo,
): Promise<RandomAccess> {
  if (io.temp === undefined) throw tooLarge();
  const store = await io.temp();
  const { sink, open } = await store.create();
  await sink.write(held);
  await sink.write(next);
  for (;;) {
    const { done, value } = await source.next();
    if (done === true) break;
    await sink.write(value);
  }
  await sink.close();
  const file = await open();
  if (file.at !== undefined) return file.at;
  await file.return();
  throw tooLarge();
}

/**
 * Reads a whole input into memory.
 *
 * @throws {LimitError} If it is too large for that.
 */
export async function readWhole(input: RandomAccess): Promise<Chunk> {
  if (input.size > MAX_LINE) throw tooLarge();
  const bytes = new Uint8Array(input.size);
  for (let at = 0; at < bytes.length;) {
    const count = await input.read(at, bytes.subarray(at));
    if (count === 0) return bytes.subarray(0, at);
    at += count;
  }
  return bytes;
}

function tooLarge(): LimitError {
  return new LimitError(
    { name: "input size", max: MAX_LINE },
    `The input is larger than ${MAX_LINE} bytes, the most that is held in memory`,
  );
}
