import type { ByteSource, Chunk } from "../../../streams/mod.ts";
import { blocksOf, HeldBytes, type HeldInput, type Storage } from "../../hold/mod.ts";
import { LineCursor, LineOutput, utf8 } from "../../text/mod.ts";

const NEWLINE = 10;
const BACKSLASH = 92;
const SMALL_X = 120;
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Receives a line: `bytes` from `start` to `end`, without its newline. */
export type UseLine = (bytes: Uint8Array, start: number, end: number) => void;

/**
 * The lines to print, kept so that they can be read again. Each ends with a newline and is
 * well-formed UTF-8. Lines of white space are left out, or kept as empty lines.
 */
export class KeptLines {
  /** Number of lines. */
  count = 0;
  readonly #held: HeldBytes;
  readonly #keepEmpty: boolean;
  readonly #lineBytes: number;
  readonly #out = new LineOutput();
  #input: HeldInput | undefined;

  constructor(storage: Storage, keepEmpty: boolean, lineBytes: number) {
    this.#held = new HeldBytes(storage);
    this.#keepEmpty = keepEmpty;
    this.#lineBytes = lineBytes;
  }

  /**
   * Adds the lines of a source and passes each to `use`.
   *
   * @throws {LimitError} If there are too many and no temporary storage.
   */
  async add(source: ByteSource, use: UseLine): Promise<void> {
    const cursor = new LineCursor(source, NEWLINE, this.#lineBytes);
    const out = this.#out;
    while (cursor.step() || await cursor.fill()) {
      let { bytes, start, end } = cursor;
      const kind = kindOf(bytes, start, end);
      if (kind === "blank") {
        if (!this.#keepEmpty) continue;
        end = start;
      } else if (kind === "other") {
        const mended = mend(bytes.subarray(start, end));
        if (mended !== undefined) [bytes, start, end] = [mended, 0, mended.length];
      }
      use(bytes, start, end);
      this.count++;
      out.put(bytes, start, end);
      out.putByte(NEWLINE);
      if (out.full) await this.#held.add(out.take());
    }
  }

  /** Returns random access to all lines. No more can be added. */
  async finish(): Promise<HeldInput> {
    if (this.#input !== undefined) return this.#input;
    if (this.#out.length > 0) await this.#held.add(this.#out.take());
    return this.#input = await this.#held.finish();
  }

  /**
   * Iterates over the lines between two offsets, which are starts of lines; reads `size` bytes at
   * once.
   */
  async cursor(start?: number, end?: number, size?: number): Promise<LineCursor> {
    const input = await this.finish();
    return new LineCursor(blocksOf(input, start, end, size), NEWLINE, this.#lineBytes);
  }

  /** Releases the memory or file. */
  async close(): Promise<void> {
    await this.#input?.close();
  }
}

function kindOf(bytes: Chunk, start: number, end: number): "blank" | "ASCII" | "other" {
  let blank = true;
  for (let i = start; i < end; i++) {
    const byte = bytes[i] as number;
    if (byte > 0x7f) return "other";
    if (byte !== 32 && (byte < 9 || byte > 13)) blank = false;
  }
  return blank ? "blank" : "ASCII";
}

/**
 * Escapes a line that is not UTF-8 as util-linux does: each invalid byte becomes `\xHH`, and so
 * does the backslash of text that looks like such an escape. `undefined` if the line is valid.
 */
function mend(line: Uint8Array): Chunk | undefined {
  try {
    decoder.decode(line);
    return undefined;
  } catch {
    let text = "";
    for (let at = 0; at < line.length;) {
      const size = characterAt(line, at);
      const piece = line.subarray(at, at + Math.max(1, size));
      const looksAlike = line[at] === BACKSLASH && line[at + 1] === SMALL_X;
      if (size === 0 || looksAlike) {
        text += `\\x${(line[at] as number).toString(16).padStart(2, "0")}`;
      } else text += decoder.decode(piece);
      at += piece.length;
    }
    return utf8(text);
  }
}

/** Number of bytes of the character at this offset; 0 if there is no valid one. */
function characterAt(bytes: Uint8Array, at: number): number {
  for (let size = 1; size <= 4; size++) {
    try {
      decoder.decode(bytes.subarray(at, at + size));
      return size;
    } catch { /* A longer piece may be a character. */ }
  }
  return 0;
}
