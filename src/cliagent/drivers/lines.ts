import type { Chunk } from "../../streams/mod.ts";

const NEWLINE = 0x0a;

/**
 * Cuts bytes into lines of text, without their ends (`\n` or `\r\n`). A line of more than `longest`
 * bytes is left out and counted: a CLI may put a whole file into one event. Bytes that are not UTF-8
 * become U+FFFD.
 */
export class LineSplitter {
  readonly #longest: number;
  #parts: Chunk[] = [];
  #length = 0;
  #dropping = false;
  #dropped = 0;

  /** Cuts lines of at most `longest` bytes. */
  constructor(longest: number) {
    this.#longest = longest;
  }

  /** How many lines were left out. */
  get dropped(): number {
    return this.#dropped;
  }

  /** Takes a lent chunk and gives the lines that end in it. */
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
    // The rest stays for the next chunk, and its memory is the source's: copy it.
    if (start < chunk.length) this.#add(chunk.slice(start));
  }

  /** Gives the last line, where it has no end. */
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
