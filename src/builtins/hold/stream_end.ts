import type { Chunk } from "../../streams/mod.ts";
import { afterSeparators, BlockQueue, countSeparators } from "./block_queue.ts";
import type { BuiltinIo } from "../builtin.ts";
import type { Unit } from "./ends.ts";
import { heldInMemory, tooMuch } from "./held_bytes.ts";
import { LastBlocks } from "./last_blocks.ts";
import { SpillQueue } from "./spill_queue.ts";

/** A number of lines or bytes, and the byte that ends a line. */
export interface Amount {
  readonly count: number;
  readonly separator: number;
}

type Awaitable<Value> = Value | Promise<Value>;

/** The first `count` lines or bytes of a stream; reads no further. */
export async function* takeFirst(
  source: { next(): Awaitable<IteratorResult<Chunk, void>> },
  unit: Unit,
  { count, separator }: Amount,
): AsyncGenerator<Chunk, void, void> {
  let left = count;
  while (left > 0) {
    const { done, value } = await source.next();
    if (done === true) return;
    const here = unit === "bytes" ? value.length : countSeparators(value, separator);
    if (here < left) {
      left -= here;
      yield value;
      continue;
    }
    yield value.subarray(0, unit === "bytes" ? left : afterSeparators(value, separator, left));
    return;
  }
}

/** A stream without its first `count` lines or bytes. */
export async function* skipFirst(
  source: AsyncIterable<Chunk>,
  unit: Unit,
  { count, separator }: Amount,
): AsyncGenerator<Chunk, void, void> {
  let left = count;
  for await (const chunk of source) {
    if (left === 0) {
      yield chunk;
      continue;
    }
    const here = unit === "bytes" ? chunk.length : countSeparators(chunk, separator);
    if (here < left) {
      left -= here;
      continue;
    }
    yield chunk.subarray(unit === "bytes" ? left : afterSeparators(chunk, separator, left));
    left = 0;
  }
}

/**
 * The last `count` lines or bytes of a stream. Held in memory if few, otherwise in temporary
 * storage.
 *
 * @throws {LimitError} If there are too many and no temporary storage.
 */
export async function* lastOfStream(
  source: AsyncIterable<Chunk>,
  unit: Unit,
  { count, separator }: Amount,
  io: BuiltinIo,
): AsyncGenerator<Chunk, void, void> {
  const memory = heldInMemory(io);
  const blocks = new LastBlocks();
  let spilled: SpillQueue | undefined;
  for await (const chunk of source) {
    if (spilled !== undefined) {
      await spilled.push(chunk);
      // One more line is kept, because the last one may be incomplete.
      for (let { first } = spilled; first !== undefined; { first } = spilled) {
        const left = unit === "bytes" ? spilled.bytes - first.bytes : spilled.lines - first.lines;
        if (unit === "bytes" ? left < count : left <= count) break;
        await spilled.drop();
      }
      continue;
    }
    if (unit === "bytes") blocks.pushBytes(chunk, count);
    else blocks.pushLines(chunk, count, separator);
    if (blocks.kept > memory) spilled = await spill(blocks.lastBytes(Infinity), separator, io);
  }
  if (spilled === undefined) {
    yield* unit === "bytes" ? blocks.lastBytes(count) : blocks.lastLines(count, separator);
    return;
  }
  const all = unit === "bytes" ? spilled.bytes : spilled.lines + (spilled.unfinished ? 1 : 0);
  yield* skipFirst(spilled.drain(), unit, { count: Math.max(0, all - count), separator });
}

/**
 * A stream without its last `count` lines or bytes. These are held in memory if few, otherwise in
 * temporary storage.
 *
 * @throws {LimitError} If there are too many and no temporary storage.
 */
export async function* allButLastOfStream(
  source: AsyncIterable<Chunk>,
  unit: Unit,
  { count, separator }: Amount,
  io: BuiltinIo,
): AsyncGenerator<Chunk, void, void> {
  const memory = heldInMemory(io);
  const queue = new BlockQueue(separator);
  let spilled: SpillQueue | undefined;
  /** True if enough is held even without the oldest part. */
  const isEnough = (held: BlockQueue | SpillQueue): boolean => {
    const { first } = held;
    if (first === undefined) return false;
    // One more line is kept, because the last one may be incomplete.
    return unit === "bytes" ? held.bytes - first.bytes >= count : held.lines - first.lines >= count;
  };
  for await (const chunk of source) {
    if (spilled !== undefined) {
      await spilled.push(chunk);
      while (isEnough(spilled)) yield* spilled.shift();
      continue;
    }
    queue.push(chunk);
    while (isEnough(queue)) yield queue.shift();
    if (queue.bytes > memory) spilled = await spill(queue.drain(), separator, io);
  }
  const held = spilled ?? queue;
  const all = unit === "bytes" ? held.bytes : held.lines + (held.unfinished ? 1 : 0);
  const rest = count === 0
    ? { unit: "bytes" as const, count: held.bytes }
    : { unit, count: all - count };
  yield* takeFirst(held.drain(), rest.unit, { count: rest.count, separator });
}

/** Writes blocks to temporary storage. */
async function spill(
  blocks: Iterable<Chunk>,
  separator: number,
  io: BuiltinIo,
): Promise<SpillQueue> {
  const { temp } = io;
  if (temp === undefined) throw tooMuch(heldInMemory(io));
  const queue = new SpillQueue(() => temp.call(io), separator);
  for (const block of blocks) await queue.push(block);
  return queue;
}
