import type { ByteSource, Chunk } from "../../../streams/mod.ts";
import { errorText, isFatal, openFile } from "../../core/mod.ts";
import type { BuiltinIo } from "../../builtin.ts";
import { formatHelp } from "../../../command_line/mod.ts";
import { utf8 } from "../../text/mod.ts";
import { makeDumper } from "./dump.ts";
import { readXxdSettings, xxdCommand, type XxdSettings } from "./options.ts";
import { BackwardError, revert } from "./revert.ts";

/** Exit status if a file cannot be opened or read. */
const FILE_TROUBLE = 2;
/** Exit status if an input cannot be skipped. */
const CANNOT_SEEK = 4;

/**
 * The command `xxd` of Vim 9; see {@linkcode Builtin}. Output is a stream: `-r` cannot go backward
 * in it, nor patch an existing file.
 */
export async function* xxd(
  args: readonly string[],
  io: BuiltinIo,
): AsyncGenerator<Chunk, number, void> {
  const settings = readXxdSettings(args);
  if ("kind" in settings) {
    if (settings.kind === "help") {
      yield utf8(formatHelp(xxdCommand));
      return 0;
    }
    if (settings.kind === "version") {
      yield utf8("xxd (llmcmd builtins)\n");
      return 0;
    }
    if (settings.kind === "usage") {
      io.warn(formatHelp(xxdCommand).trimEnd());
      return 1;
    }
    if (settings.kind === "error") io.warn(`xxd: ${settings.message}`);
    return 1;
  }
  const { input } = settings;
  let source: ByteSource;
  try {
    source = input === "-" ? io.stdin : await openFile(input, io);
  } catch (error) {
    if (isFatal(error, io.signal)) throw error;
    if (errorText(error) !== "Is a directory") {
      io.warn(`xxd: ${input === "" ? "" : `${input}: `}${errorText(error)}`);
      return FILE_TROUBLE;
    }
    // A folder can be opened, but not read. After a seek from its end, reading fails with another
    // error.
    source = unreadable(settings.negativeSeek ? new Error("Invalid argument") : error);
  }
  try {
    return yield* convert(source, settings, io);
  } catch (error) {
    if (error instanceof BackwardError) {
      io.warn(`xxd: ${error.message}`);
      return 5;
    }
    if (isFatal(error, io.signal)) throw error;
    io.warn(`xxd: ${errorText(error)}`);
    return FILE_TROUBLE;
  } finally {
    if (input !== "-") await source.return();
  }
}

async function* convert(
  source: ByteSource,
  settings: XxdSettings,
  io: BuiltinIo,
): AsyncGenerator<Chunk, number, void> {
  if (settings.revert) {
    if (settings.style !== "hex" && settings.style !== "plain") {
      io.warn("xxd: Sorry, cannot revert this type of hexdump");
      return 255;
    }
    yield* revert(source, settings);
    return 0;
  }
  const size = source.at?.size;
  const { seek, negativeSeek } = settings;
  let start = seek;
  if (negativeSeek) {
    // Counted from the end; a relative seek counts from the beginning, before which there is
    // nothing.
    start = settings.relativeSeek ? -seek : (size ?? -1) - seek;
    if (size === undefined || start < 0) return cannotSeek(io);
  }
  const dumper = makeDumper(settings, start);
  let skip = start;
  let left = settings.length;
  if (skip === 0 || size !== undefined) yield* dumper.begin();
  // A stream is read up to the position even if no byte is dumped.
  if (left > 0 || (skip > 0 && size === undefined)) {
    for await (const chunk of withoutReturn(source)) {
      const from = Math.min(skip, chunk.length);
      skip -= from;
      const to = Math.min(chunk.length, from + left);
      left -= to - from;
      if (skip === 0 && from > 0 && size === undefined) yield* dumper.begin();
      if (to > from) yield* dumper.add(chunk.subarray(from, to));
      if (left === 0 && skip === 0) break;
    }
  }
  if (skip > 0 && size === undefined) return cannotSeek(io);
  yield* dumper.end();
  return 0;
}

function cannotSeek(io: BuiltinIo): number {
  io.warn("xxd: Sorry, cannot seek.");
  return CANNOT_SEEK;
}

/** Returns a source in which any position exists, but reading fails. */
function unreadable(error: unknown): ByteSource {
  const fail = (): Promise<never> => Promise.reject(error);
  return {
    at: { size: Number.MAX_SAFE_INTEGER, read: fail },
    next: fail,
    return: () => Promise.resolve({ done: true, value: undefined }),
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}

/** Returns a source that its reader leaves open: its opener closes it. */
function withoutReturn(source: ByteSource): AsyncIterable<Chunk> {
  return { [Symbol.asyncIterator]: () => ({ next: () => source.next() }) };
}
