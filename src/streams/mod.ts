/**
 * Streams of bytes behind descriptors: pull sources and sinks that lend their chunks, pipes,
 * limits, a replay window, the table of file descriptors, and the doors to and from WHATWG
 * streams.
 *
 * It is for moving bytes with back-pressure, cancellation and bounded memory. It is not for what
 * the bytes mean (lines, text, commands), nor for where they come from: files and standard
 * streams are in `sys`.
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
export { type Limit, LimitError, limitSink, limitSource } from "./limit.ts";
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
