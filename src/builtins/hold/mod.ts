/**
 * Keeps input that is needed later: the last lines of a stream, or lines read backwards or twice.
 * Data that does not fit in memory goes to temporary storage if the caller provides it; otherwise a
 * limit ends the command.
 *
 * @module
 */
export { countSeparators } from "./block_queue.ts";
export { countLines, differentPart, linesFrom, type Middle } from "./common_ends.ts";
export {
  CommonOptions,
  type CommonSettings,
  countEpilogue,
  endsReport,
  Headers,
  lastLinesOffset,
  laterOptions,
  quietOption,
  readCount,
  type Unit,
  wrongCount,
} from "./ends.ts";
export {
  blocksOf,
  HeldBytes,
  type HeldInput,
  holdInput,
  readBlock,
  Storage,
} from "./held_bytes.ts";
export { LineFile, LineView } from "./line_file.ts";
export { allButLastOfStream, lastOfStream, skipFirst, takeFirst } from "./stream_end.ts";
