import type { Chunk } from "../../../streams/mod.ts";
import { Output, utf8 } from "../../text/mod.ts";
import { LineDumper } from "./lines.ts";
import type { XxdSettings } from "./options.ts";

type Pieces = Generator<Chunk, void, void>;

/** Turns bytes into text. */
export interface Dumper {
  /** Returns the text before the first byte; called once, when that byte has been found. */
  begin(): Pieces;
  add(chunk: Chunk): Pieces;
  end(): Pieces;
}

/** Creates the dumper of a style. `start` is the offset of the first byte. */
export function makeDumper(settings: XxdSettings, start: number): Dumper {
  if (settings.style === "plain") return new PlainDumper(settings);
  if (settings.style === "include") return new IncludeDumper(settings);
  return new LineDumper(settings, start);
}

/** The two digits of each byte. */
function hexDigits(upper: boolean): readonly string[] {
  return Array.from({ length: 256 }, (_, byte) => {
    const digits = byte.toString(16).padStart(2, "0");
    return upper ? digits.toUpperCase() : digits;
  });
}

class PlainDumper implements Dumper {
  readonly #columns: number;
  readonly #digits: Uint8Array;
  readonly #out = new Output();
  #column = 0;

  constructor({ columns, upper }: XxdSettings) {
    this.#columns = columns;
    this.#digits = utf8(hexDigits(upper).join(""));
  }

  *add(chunk: Chunk): Pieces {
    const out = this.#out;
    const digits = this.#digits;
    const columns = this.#columns === 0 ? Infinity : this.#columns;
    for (let at = 0; at < chunk.length;) {
      if (out.room < 8) yield out.take();
      const room = (out.room - 1) >> 1;
      const stop = Math.min(chunk.length, at + room, at + columns - this.#column);
      this.#column += stop - at;
      const { bytes } = out;
      let to = out.length;
      for (; at < stop; at++) {
        const byte = chunk[at] as number;
        bytes[to++] = digits[byte * 2] as number;
        bytes[to++] = digits[byte * 2 + 1] as number;
      }
      if (this.#column === columns) {
        bytes[to++] = 10;
        this.#column = 0;
      }
      out.length = to;
    }
    yield out.take();
  }

  *begin(): Pieces {}

  *end(): Pieces {
    if (this.#columns === 0 || this.#column > 0) yield utf8("\n");
  }
}

class IncludeDumper implements Dumper {
  readonly #settings: XxdSettings;
  readonly #name: string | undefined;
  readonly #shown: readonly Chunk[];
  readonly #out = new Output();
  #count = 0;

  constructor(settings: XxdSettings) {
    const { variable, input, upper } = settings;
    this.#settings = settings;
    const name = variable ?? (input === "-" ? undefined : input);
    if (name !== undefined) {
      this.#name = (/^\d/.test(name) ? "__" : "") + bytesOf(name).replace(/[^0-9A-Za-z]/g, "_");
    }
    this.#shown = hexDigits(upper).map((digits) => utf8((upper ? "0X" : "0x") + digits));
  }

  *begin(): Pieces {
    if (this.#name !== undefined) yield utf8(`unsigned char ${this.#name}[] = {\n`);
  }

  *add(chunk: Chunk): Pieces {
    const out = this.#out;
    const { columns } = this.#settings;
    for (let at = 0; at < chunk.length; at++) {
      if (out.room < 16) yield out.take();
      out.put(this.#count % columns > 0 ? COMMA : this.#count === 0 ? INDENT : COMMA_LINE);
      out.put(this.#shown[chunk[at] as number] as Chunk);
      this.#count++;
    }
    yield out.take();
  }

  *end(): Pieces {
    if (this.#count > 0) yield utf8("\n");
    if (this.#name === undefined) return;
    yield utf8(`};\nunsigned int ${this.#name}_len = ${this.#count};\n`);
  }
}

const INDENT = utf8("  ");
const COMMA = utf8(", ");
const COMMA_LINE = utf8(",\n  ");

/** Returns a text with a character for each UTF-8 byte. */
function bytesOf(text: string): string {
  return Array.from(utf8(text), (byte) => String.fromCharCode(byte)).join("");
}
