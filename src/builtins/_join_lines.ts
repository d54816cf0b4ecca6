import type { ByteSource } from "../streams/mod.ts";
import type { JoinSettings } from "./_join_options.ts";
import { LineCursor } from "./_line_cursor.ts";
import type { LineOutput } from "./_line_output.ts";

/** A line that is kept, cut into fields. */
export interface JoinLine {
  readonly bytes: Uint8Array;
  /** Where each field begins and ends: two numbers a field. */
  readonly fields: readonly number[];
}

/** A line without fields: the partner of one that has none. */
export const BLANK: JoinLine = { bytes: new Uint8Array(0), fields: [] };

function isBlank(byte: number | undefined): boolean {
  return byte === 32 || byte === 9 || byte === 10;
}

/** Cuts a line into fields; `tab` as in {@linkcode JoinSettings}. */
export function splitFields(bytes: Uint8Array, tab: number): JoinLine {
  const fields: number[] = [];
  const end = bytes.length;
  if (end === 0) return { bytes, fields };
  let at = 0;
  if (tab >= 0) {
    for (let i = 0; i < end; i++) {
      if (bytes[i] !== tab) continue;
      fields.push(at, i);
      at = i + 1;
    }
  } else if (tab === -1) {
    while (isBlank(bytes[at])) if (++at === end) return { bytes, fields };
    while (at < end) {
      let stop = at + 1;
      while (stop < end && !isBlank(bytes[stop])) stop++;
      fields.push(at, stop);
      if (stop === end) return { bytes, fields };
      at = stop + 1;
      while (at < end && isBlank(bytes[at])) at++;
    }
  }
  // What follows the last separator, also if it is nothing.
  fields.push(at, end);
  return { bytes, fields };
}

function folded(byte: number): number {
  return byte >= 97 && byte <= 122 ? byte - 32 : byte;
}

/** Compares the fields that two lines are joined by. */
export function compareKeys(
  a: JoinLine,
  aField: number,
  b: JoinLine,
  bField: number,
  ignoreCase: boolean,
): number {
  const aStart = a.fields[2 * aField] ?? 0;
  const aSize = (a.fields[2 * aField + 1] ?? 0) - aStart;
  const bStart = b.fields[2 * bField] ?? 0;
  const bSize = (b.fields[2 * bField + 1] ?? 0) - bStart;
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
  /** The line that was read last; it stays until the next is read. */
  line: JoinLine | undefined;
  /** How many lines were read. */
  number = 0;
  readonly #lines: LineCursor;
  readonly #tab: number;

  constructor(source: ByteSource, { separator, tab }: JoinSettings) {
    this.#lines = new LineCursor(source, separator);
    this.#tab = tab;
  }

  /** Whether reading on may have to wait for a slow source. */
  get mayWait(): boolean {
    return this.#lines.mayWait;
  }

  /** Moves on to the next line, which is a copy; `undefined` at the end. */
  async next(): Promise<JoinLine | undefined> {
    const lines = this.#lines;
    if (!lines.step() && !await lines.fill()) {
      this.line = undefined;
    } else {
      this.number++;
      this.line = splitFields(lines.bytes.slice(lines.start, lines.end), this.#tab);
    }
    return this.line;
  }
}

/** Prints pairs of lines. */
export class JoinPrinter {
  readonly #settings: JoinSettings;
  readonly #out: LineOutput;
  readonly #between: number;
  /** With `-o auto`, how many fields are printed of each file. */
  counts: readonly [number, number] | undefined;

  constructor(settings: JoinSettings, out: LineOutput) {
    this.#settings = settings;
    this.#out = out;
    this.#between = settings.tab === -2 ? 10 : settings.tab < 0 ? 32 : settings.tab;
  }

  /** Prints two lines that belong together, or one beside {@linkcode BLANK}. */
  print(left: JoinLine, right: JoinLine): void {
    const { output, fields, separator } = this.#settings;
    if (output !== undefined) {
      for (const [i, { file, field }] of output.entries()) {
        if (i > 0) this.#out.putByte(this.#between);
        if (file === 0) this.#key(left, right);
        else this.#field(file === 1 ? left : right, field);
      }
    } else {
      this.#key(left, right);
      this.#others(left, fields[0], this.counts?.[0]);
      this.#others(right, fields[1], this.counts?.[1]);
    }
    this.#out.putByte(separator);
  }

  #key(left: JoinLine, right: JoinLine): void {
    const { fields } = this.#settings;
    if (left === BLANK) this.#field(right, fields[1]);
    else this.#field(left, fields[0]);
  }

  #field(line: JoinLine, field: number): void {
    const start = line.fields[2 * field] ?? 0;
    const end = line.fields[2 * field + 1] ?? 0;
    if (end > start) this.#out.put(line.bytes, start, end);
    else if (this.#settings.empty !== undefined) this.#out.put(this.#settings.empty);
  }

  #others(line: JoinLine, key: number, count: number = line.fields.length / 2): void {
    for (let field = 0; field < count; field++) {
      if (field === key) continue;
      this.#out.putByte(this.#between);
      this.#field(line, field);
    }
  }
}
