import { type Chunk, LimitError, type RandomAccess } from "../../streams/mod.ts";
import { readBlock } from "./held_bytes.ts";
import { MAX_LINE } from "../text/mod.ts";

const LF = 10;
/** Distance in bytes between the lines whose offsets are stored. */
const MARK = 64 * 1024;
/** Bytes read at once; more if a line is longer. */
const WINDOW = 256 * 1024;

/**
 * A file whose lines can be found by number without holding the file: it stores the offsets of some
 * lines.
 *
 * Every line ends with a newline; one is added if the last line lacks it.
 */
export class LineFile {
  /** The bytes, with the added newline. */
  readonly at: RandomAccess;
  /** True if the last line lacked its newline. */
  readonly incomplete: boolean;
  /** Number of lines; infinite until they are counted. */
  count = Infinity;
  readonly #offsets: number[] = [0];
  readonly #lines: number[] = [0];

  /** `at` ends with a newline if it is not empty. */
  constructor(at: RandomAccess, incomplete: boolean) {
    this.at = at;
    this.incomplete = incomplete;
  }

  /** Creates a file from bytes that may lack their last newline. */
  static async of(bytes: RandomAccess): Promise<LineFile> {
    const { size } = bytes;
    if (size === 0) return new LineFile(bytes, false);
    const last = new Uint8Array(1);
    await readBlock(bytes, size - 1, last);
    return last[0] === LF ? new LineFile(bytes, false) : new LineFile(withNewline(bytes), true);
  }

  /** Size in bytes. */
  get size(): number {
    return this.at.size;
  }

  /** True if a line at that offset is far enough from the last stored one to be stored. */
  wantsMark(offset: number): boolean {
    return offset - (this.#offsets[this.#offsets.length - 1] as number) >= MARK;
  }

  /** Stores the offset of a line. Lines must be given in order. */
  mark(line: number, offset: number): void {
    this.#lines.push(line);
    this.#offsets.push(offset);
  }

  /** The last stored line at or before a line, or the one `back` entries earlier. */
  placeOf(line: number, back: number): { readonly line: number; readonly offset: number } {
    let low = 0;
    let high = this.#lines.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.#lines[middle] as number) <= line) low = middle;
      else high = middle - 1;
    }
    const i = Math.max(0, low - back);
    return { line: this.#lines[i] as number, offset: this.#offsets[i] as number };
  }
}

function withNewline(bytes: RandomAccess): RandomAccess {
  const { size } = bytes;
  return {
    size: size + 1,
    read: async (offset, into) => {
      if (offset < size) return await bytes.read(offset, into.subarray(0, size - offset));
      if (offset > size || into.length === 0) return 0;
      into[0] = LF;
      return 1;
    },
  };
}

/**
 * Gives access to the lines of a file; fastest in sequential order:
 *
 * ```ts ignore
 * if (view.has(line) || await view.load(line)) use(view.bytes, view.start, view.end);
 * ```
 */
export class LineView {
  /** The block with the current line; lent until the next `load`. */
  bytes: Chunk;
  /** Index of the line's start. */
  start = 0;
  /** Index of the line's newline. */
  end = 0;
  /** The file. */
  readonly file: LineFile;
  /** Number of the first line in the block, and the number of lines. */
  #first = 0;
  #count = 0;
  /** Starts of the lines in the block, and the end of the last one. */
  #starts = new Int32Array(1024);
  /** Offset of the block in the file. */
  #offset = 0;
  #line = 0;

  /** Starts without a current line. */
  constructor(file: LineFile) {
    this.file = file;
    this.bytes = new Uint8Array(Math.max(1, Math.min(WINDOW, file.size)));
  }

  /** Number of the current line. */
  get line(): number {
    return this.#line;
  }

  /** Offset of the current line in the file. */
  get offset(): number {
    return this.#offset + this.start;
  }

  /** True if the current line lacks its newline in the file. */
  get incomplete(): boolean {
    return this.file.incomplete && this.#offset + this.end + 1 === this.file.size;
  }

  /** Moves to a line if it is in memory; false otherwise. */
  has(line: number): boolean {
    const i = line - this.#first;
    if (i < 0 || i >= this.#count) return false;
    this.start = this.#starts[i] as number;
    this.end = (this.#starts[i + 1] as number) - 1;
    this.#line = line;
    return true;
  }

  /** Moves to a line, reading as needed; false after the end of the file. */
  async load(line: number): Promise<boolean> {
    const next = this.#first + this.#count;
    const rest = this.#offset + (this.#count === 0 ? 0 : this.#starts[this.#count] as number);
    const near = line >= next && line - next < 4096;
    if (near && next > 0) {
      await this.#fill(next, rest);
    } else {
      // A caller that goes back one line will probably go back further.
      const place = this.file.placeOf(line, line < this.#first ? 1 : 0);
      if (line >= next && place.offset < rest) await this.#fill(next, rest);
      else await this.#fill(place.line, place.offset);
    }
    while (!this.has(line)) {
      if (this.#count === 0) return false;
      await this.#fill(
        this.#first + this.#count,
        this.#offset + (this.#starts[this.#count] as number),
      );
    }
    return true;
  }

  /** Moves to the line that starts at an offset; false after the end of the file. */
  async loadAt(line: number, offset: number): Promise<boolean> {
    await this.#fill(line, offset);
    return this.has(line);
  }

  async #fill(first: number, offset: number): Promise<void> {
    const { at } = this.file;
    this.#first = first;
    this.#offset = offset;
    this.#count = 0;
    this.#starts[0] = 0;
    let length = 0;
    for (;;) {
      const wanted = Math.min(this.bytes.length, at.size - offset);
      if (wanted > length) {
        await readBlock(at, offset + length, this.bytes.subarray(length, wanted));
      }
      this.#cut(length, wanted);
      length = wanted;
      if (this.#count > 0 || offset + length >= at.size) return;
      if (length * 2 > MAX_LINE) {
        throw new LimitError(
          { name: "lineBytes", max: MAX_LINE },
          `A line is longer than lineBytes (${MAX_LINE} bytes); cut it with fold or tr to go on`,
        );
      }
      const grown: Chunk = new Uint8Array(length * 2);
      grown.set(this.bytes);
      this.bytes = grown;
    }
  }

  #cut(from: number, to: number): void {
    const { bytes } = this;
    const block = to === bytes.length ? bytes : bytes.subarray(0, to);
    let starts = this.#starts;
    let count = this.#count;
    for (let at = block.indexOf(LF, from); at >= 0; at = block.indexOf(LF, at + 1)) {
      if (++count === starts.length) {
        starts = new Int32Array(starts.length * 2);
        starts.set(this.#starts);
        this.#starts = starts;
      }
      starts[count] = at + 1;
    }
    this.#count = count;
  }
}
