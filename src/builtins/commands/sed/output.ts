import type { ByteSink } from "../../../streams/mod.ts";
import type { BuiltinIo } from "../../builtin.ts";
import { MAX_LINE, Space } from "../../text/mod.ts";
import { SedError } from "./script.ts";

/** Size in bytes at which a buffer is passed on. */
export const FULL = 64 * 1024;

/** A buffer for output, and its destination. */
export interface Channel {
  /** The output that has not been passed on yet. */
  readonly buffer: Space;
  /** `stdout` is yielded by the command, `stderr` goes through `warn`, a sink is written to. */
  readonly to: "stdout" | "stderr" | ByteSink;
}

/** Creates a channel. */
export function channel(to: Channel["to"]): Channel {
  return { buffer: new Space(4096, 2 * MAX_LINE), to };
}

/** One output file. Adds a separator that the last line lacked before it writes more. */
export class SedOutput {
  /** The destination. */
  readonly channel: Channel;
  readonly #separator: number;
  #incomplete = false;

  /** Creates an output of lines that end with `separator`. */
  constructor(to: Channel, separator: number) {
    this.channel = to;
    this.#separator = separator;
  }

  /** The buffer to append to, at the start of a line. */
  begin(): Space {
    const { buffer } = this.channel;
    if (this.#incomplete) {
      buffer.appendByte(this.#separator);
      this.#incomplete = false;
    }
    return buffer;
  }

  /** Outputs a line; an incomplete one gets its separator when more follows. */
  line(bytes: Uint8Array, start: number, end: number, complete: boolean): void {
    const buffer = this.begin();
    buffer.append(bytes, start, end);
    if (complete) buffer.appendByte(this.#separator);
    else this.#incomplete = true;
  }

  /** Outputs a run of lines with their separators; the last may lack its own. */
  lines(block: Uint8Array, start: number, end: number): void {
    this.begin().append(block, start, end);
    this.#incomplete = block[end - 1] !== this.#separator;
  }

  /**
   * To be called after appending to {@linkcode begin}; `complete` is true if it ended with a whole
   * line.
   */
  ended(complete: boolean): void {
    this.#incomplete = !complete;
  }

  /** True if the buffer should be passed on. */
  get full(): boolean {
    return this.channel.buffer.length >= FULL;
  }
}

/** Standard input as the target of `w`: the first write fails, as in GNU sed. */
export class UnwritableOutput extends SedOutput {
  #lacksEnd = false;

  /** Fails, unless there is nothing to write, as for an empty line without separator. */
  override line(_bytes: Uint8Array, start: number, end: number, complete: boolean): void {
    const size = end - start;
    if (!this.#lacksEnd && !complete && size === 0) {
      this.#lacksEnd = true;
      return;
    }
    const items = this.#lacksEnd || size <= 1 ? "1 item" : `${size} items`;
    throw new SedError(`couldn't write ${items} to stdin: Bad file descriptor`, 4);
  }
}

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/**
 * Passes on the buffer of a channel other than standard output. Standard error is passed on by
 * lines.
 */
export async function flushChannel(
  { buffer, to }: Channel,
  io: BuiltinIo,
  atEnd: boolean,
): Promise<void> {
  if (to === "stdout" || buffer.length === 0) return;
  if (to !== "stderr") {
    const held = buffer.bytes.subarray(buffer.start, buffer.end);
    await to.write(held);
    buffer.clear();
    return;
  }
  for (let end = buffer.indexOf(10); end >= 0; end = buffer.indexOf(10)) {
    io.warn(decoder.decode(buffer.bytes.subarray(buffer.start, end)));
    buffer.start = end + 1;
  }
  if (atEnd && buffer.length > 0) {
    io.warn(decoder.decode(buffer.bytes.subarray(buffer.start, buffer.end)));
    buffer.clear();
  }
}

/** Creates a file for writing; errors have sed's messages. */
export async function createFile(name: string, io: BuiltinIo): Promise<ByteSink> {
  if (io.create === undefined) {
    throw new SedError(`couldn't open file ${name}: Files cannot be written here`, 4);
  }
  return await io.create(name);
}
