import type { Chunk } from "../../streams/mod.ts";

const NEWLINE = 0x0a;

/**
 * Splits bytes into lines of text, without their line breaks (`\n` or `\r\n`).
 *
 * A line of more than `longest` bytes is dropped and counted: a CLI may put a whole file into one
 * event. Invalid UTF-8 becomes U+FFFD.
 */
export class LineSplitter {
  readonly #longest: number;
  #parts: Chunk[] = [];
  #length = 0;
  #dropping = false;
  #dropped = 0;

  /** Creates a splitter for lines of at most `longest` bytes. */
  constructor(longest: number) {
    this.#longest = longest;
  }

  /** Number of lines that were dropped. */
  get dropped(): number {
    return this.#dropped;
  }

  /** Adds a lent chunk, and yields the lines that end in it. */
  *push(chunk: Chunk): Generator<string, void, void> {
    let start = 0;
    for (;;) {
      const end = chunk.indexOf(NEWLINE, start);
      if (end === -1) break;
      this.#add(chunk.subarray(start, end));
      const line = this.#take();
      if (line !== undefined) yield line;
      start = end + 1;
    }
    // Keeps a copy of the rest for the next chunk: the memory belongs to the source.
    if (start < chunk.length) this.#add(chunk.slice(start));
  }

  /** Yields the last line if it has no line break. */
  *end(): Generator<string, void, void> {
    if (this.#length === 0 && !this.#dropping) return;
    const line = this.#take();
    if (line !== undefined) yield line;
  }

  #add(part: Chunk): void {
    if (this.#dropping) return;
    this.#length += part.length;
    if (this.#length > this.#longest) {
      this.#dropping = true;
      this.#parts = [];
    } else {
      this.#parts.push(part);
    }
  }

  #take(): string | undefined {
    const parts = this.#parts;
    const dropping = this.#dropping;
    this.#parts = [];
    this.#length = 0;
    this.#dropping = false;
    if (dropping) {
      this.#dropped++;
      return undefined;
    }
    const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
    const text = parts.map((part) => decoder.decode(part, { stream: true })).join("") +
      decoder.decode();
    return text.endsWith("\r") ? text.slice(0, -1) : text;
  }
}
