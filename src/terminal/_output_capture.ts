import { messageOf } from "../base/mod.ts";
import type { CommandOutput } from "../ports/mod.ts";
import type { Chunk } from "../streams/mod.ts";
import { createFile } from "../sys/mod.ts";
import type { OutputLimits } from "./command.ts";

type FileSink = Awaited<ReturnType<typeof createFile>>;

const NEWLINE = 0x0a;

/**
 * Keeps the tail of a command's output within limits, and writes the whole output to a file once it
 * is longer. Uses twice the limit of bytes in memory.
 */
export class OutputCapture {
  readonly #limits: OutputLimits;
  readonly #path: () => Promise<string>;
  readonly #buffer: Chunk;
  #used = 0;
  #bytes = 0;
  #newlines = 0;
  #last = NEWLINE;
  #file: FileSink | undefined;
  #filePath: string | undefined;
  #fileBytes = 0;
  #fileNote: string | undefined;
  #closed = false;
  #turn: Promise<unknown> = Promise.resolve();

  /** `path` gives the path of the file when one is needed. */
  constructor(limits: OutputLimits, path: () => Promise<string>) {
    this.#limits = limits;
    this.#path = path;
    this.#buffer = new Uint8Array(limits.bytes * 2);
  }

  /** Takes the next bytes; they are copied. */
  add(chunk: Chunk): Promise<void> {
    return this.#inTurn(async () => {
      if (chunk.length === 0) return;
      const over = this.#count(chunk);
      if (over && this.#filePath === undefined) await this.#createFile();
      await this.#toFile(chunk);
      this.#keep(chunk);
    });
  }

  /**
   * Writes everything to a file from now on, including the output kept so far. Returns its path, or
   * `undefined` if no file can be made.
   */
  openFile(): Promise<string | undefined> {
    return this.#inTurn(async () => {
      if (this.#filePath === undefined) await this.#createFile();
      if (this.#closed) await this.#file?.close();
      return this.#filePath;
    });
  }

  /** Closes the file. */
  close(): Promise<void> {
    return this.#inTurn(async () => {
      this.#closed = true;
      await this.#file?.close();
    });
  }

  #inTurn<Value>(action: () => Promise<Value>): Promise<Value> {
    const turn = this.#turn.then(action);
    this.#turn = turn.catch(() => {});
    return turn;
  }

  async #createFile(): Promise<void> {
    if (this.#fileNote !== undefined) return;
    try {
      const path = await this.#path();
      this.#file = await createFile(path);
      this.#filePath = path;
    } catch (error) {
      this.#fileNote = messageOf(error);
    }
    await this.#toFile(this.#buffer.subarray(0, this.#used));
  }

  /** Counts the lines and bytes of a chunk; returns true if the output now exceeds the limits. */
  #count(chunk: Chunk): boolean {
    this.#bytes += chunk.length;
    this.#newlines += countNewlines(chunk);
    this.#last = chunk[chunk.length - 1] as number;
    return this.#bytes > this.#limits.bytes || this.#lines() > this.#limits.lines;
  }

  /** The output so far. */
  result(): CommandOutput {
    const start = this.#shownFrom();
    const shown = this.#buffer.subarray(start, this.#used);
    const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(shown);
    if (shown.length === this.#bytes) return { text, truncated: undefined };
    return {
      text,
      truncated: {
        lines: this.#lines(),
        bytes: this.#bytes,
        shownLines: countNewlines(shown) + (this.#last === NEWLINE ? 0 : 1),
        shownBytes: shown.length,
        path: this.#filePath,
        note: this.#fileNote,
      },
    };
  }

  #lines(): number {
    return this.#newlines + (this.#last === NEWLINE ? 0 : 1);
  }

  #keep(chunk: Chunk): void {
    const { bytes } = this.#limits;
    if (chunk.length >= bytes) {
      this.#buffer.set(chunk.subarray(chunk.length - bytes));
      this.#used = bytes;
      return;
    }
    if (this.#used + chunk.length > this.#buffer.length) {
      this.#buffer.copyWithin(0, this.#used - bytes, this.#used);
      this.#used = bytes;
    }
    this.#buffer.set(chunk, this.#used);
    this.#used += chunk.length;
  }

  async #toFile(chunk: Chunk): Promise<void> {
    if (this.#file === undefined || this.#fileNote !== undefined) return;
    const room = this.#limits.fileBytes - this.#fileBytes;
    const part = chunk.length > room ? chunk.subarray(0, room) : chunk;
    try {
      await this.#file.write(part);
      this.#fileBytes += part.length;
    } catch (error) {
      this.#fileNote = messageOf(error);
    }
    if (part.length < chunk.length) {
      this.#fileNote ??= `The file ends after ${this.#fileBytes} bytes, the limit of output files`;
    }
  }

  /**
   * Offset in the buffer at which the text to show begins: at the start of a line if there is one,
   * otherwise of a character.
   */
  #shownFrom(): number {
    let start = Math.max(0, this.#used - this.#limits.bytes);
    const cut = this.#bytes > this.#used - start;
    if (cut && !this.#isLineStart(start)) {
      const newline = this.#buffer.subarray(0, this.#used).indexOf(NEWLINE, start);
      if (newline >= 0 && newline < this.#used - 1) start = newline + 1;
      else start = this.#characterStart(start);
    }
    let lines = this.#last === NEWLINE ? 0 : 1;
    for (let index = this.#used - 1; index >= start; index--) {
      if (this.#buffer[index] !== NEWLINE) continue;
      if (lines === this.#limits.lines) return index + 1;
      lines++;
    }
    return start;
  }

  #isLineStart(index: number): boolean {
    return index > 0 && this.#buffer[index - 1] === NEWLINE;
  }

  /** Skips the rest of a UTF-8 character (RFC 3629: at most three continuation bytes). */
  #characterStart(index: number): number {
    let start = index;
    while (start < index + 3 && ((this.#buffer[start] ?? 0) & 0xc0) === 0x80) start++;
    return start;
  }
}

/** Counts newlines. A plain loop is as fast for lines of one byte as for long lines. */
function countNewlines(bytes: Chunk): number {
  let count = 0;
  for (let index = 0; index < bytes.length; index++) if (bytes[index] === NEWLINE) count++;
  return count;
}
