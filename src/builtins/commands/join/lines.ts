import type { ByteSource, Chunk } from "../../../streams/mod.ts";
import { JoinFields } from "./fields.ts";
import { LINE_SHARE, LineCursor } from "../../text/mod.ts";

/** A stored line and the position of its join field, which is empty if the line has none. */
export interface JoinLine {
  readonly bytes: Chunk;
  readonly keyStart: number;
  readonly keyEnd: number;
}

/** An empty line that replaces a missing match. */
export const BLANK: JoinLine = { bytes: new Uint8Array(0), keyStart: 0, keyEnd: 0 };

/** Creates the lines of one file. */
export class JoinLineMaker {
  readonly #fields: JoinFields;
  readonly #key: number;

  /** `tab` as in {@linkcode JoinFields}; `key` is the number of the join field. */
  constructor(tab: number, key: number) {
    this.#fields = new JoinFields(tab);
    this.#key = key;
  }

  /** Creates a line from bytes that stay valid. */
  make(bytes: Chunk): JoinLine {
    const fields = this.#fields;
    return fields.find(bytes, this.#key)
      ? { bytes, keyStart: fields.start, keyEnd: fields.end }
      : { bytes, keyStart: 0, keyEnd: 0 };
  }
}

function folded(byte: number): number {
  return byte >= 97 && byte <= 122 ? byte - 32 : byte;
}

/** Compares the join fields of two lines. */
export function compareKeys(a: JoinLine, b: JoinLine, ignoreCase: boolean): number {
  const aStart = a.keyStart;
  const aSize = a.keyEnd - aStart;
  const bStart = b.keyStart;
  const bSize = b.keyEnd - bStart;
  const size = Math.min(aSize, bSize);
  for (let i = 0; i < size; i++) {
    const x = a.bytes[aStart + i] as number;
    const y = b.bytes[bStart + i] as number;
    if (x === y) continue;
    const difference = ignoreCase ? folded(x) - folded(y) : x - y;
    if (difference !== 0) return difference;
  }
  return aSize - bSize;
}

/** Reads the lines of one of the two files. */
export class JoinReader {
  /** The last line read, until the next is read. */
  line: JoinLine | undefined;
  /** Number of lines read. */
  number = 0;
  readonly #lines: LineCursor;
  readonly #maker: JoinLineMaker;

  /** Reads lines of at most a share of `lineBytes` and creates them with `maker`. */
  constructor(
    source: ByteSource,
    separator: number,
    maker: JoinLineMaker,
    lineBytes: number | undefined,
  ) {
    this.#lines = new LineCursor(source, separator, lineBytes, LINE_SHARE);
    this.#maker = maker;
  }

  /** True if reading the next line may wait for a slow source. */
  get mayWait(): boolean {
    return this.#lines.mayWait;
  }

  /** Returns the next line, a copy; `undefined` at the end. */
  async next(): Promise<JoinLine | undefined> {
    const lines = this.#lines;
    if (!lines.step() && !await lines.fill()) {
      this.line = undefined;
    } else {
      this.number++;
      this.line = this.#maker.make(lines.bytes.slice(lines.start, lines.end));
    }
    return this.line;
  }
}
