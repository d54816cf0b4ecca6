/**
 * Streams of bytes behind descriptors: pull sources and sinks that lend their chunks, pipes,
 * limits, a replay window, the table of file descriptors, and conversions from and to WHATWG
 * streams.
 *
 * It moves bytes with back-pressure, cancellation and bounded memory. It does not interpret them
 * (lines, text, commands), and it does not open files or standard streams: `sys` does.
 *
 * @module
 */

export { Alarm } from "./alarm.ts";
export { AbortRace, linkAbort, raceAbort } from "./abort.ts";
export { BlockSource } from "./block_source.ts";
export { type BufferedPipe, bufferedPipe } from "./buffered_pipe.ts";
export { CaptureSink } from "./capture.ts";
export {
  fromReadable,
  fromWritable,
  type FromWritableOptions,
  toReadable,
  toWritable,
} from "./doors.ts";
export { drain } from "./drain.ts";
export { encodeNdjson, encodeSse, type SseEvent } from "./encode.ts";
export type { Fd, FdInit } from "./fd.ts";
export { BadFdError, FdTable } from "./fd_table.ts";
export { forEach } from "./for_each.ts";
export { type Limit, LimitError, limitSource } from "./limit.ts";
export { memoryAccess, MemorySink, memorySource, type MemorySourceOptions } from "./memory.ts";
export { BrokenPipeError, type Pipe, pipe } from "./pipe.ts";
export { readableFrom, type ReadableFromOptions } from "./readable_from.ts";
export { randomAccessSource, type RandomAccessSourceOptions } from "./random_access_source.ts";
export { readFully } from "./read_fully.ts";
export {
  type ReadAtOptions,
  type ReadAtResult,
  ReplaySource,
  type ReplaySourceOptions,
  ReplayWindowError,
} from "./replay_source.ts";
export { type ByteSink, type ByteSource, type Chunk, type RandomAccess, Source } from "./source.ts";
export { Spool, type SpoolOptions } from "./spool.ts";
export type { TempStore } from "./temp_store.ts";
export { noteTurn, turnEventLoop, TurnGuard } from "./turn.ts";
