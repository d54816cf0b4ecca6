import type { Chunk } from "../streams/mod.ts";
import { utf8 } from "./_output.ts";
import type { XxdSettings } from "./_xxd_options.ts";

type Pieces = Generator<Chunk, void, void>;

/** How much text is put out at once, in characters. */
const ENOUGH = 32 * 1024;

/** Takes bytes, gives text. */
export interface Dumper {
  add(chunk: Chunk): Pieces;
  end(): Pieces;
}

/** Makes the dumper of a style. `start` is the offset of the first byte. */
export function makeDumper(settings: XxdSettings, start: number): Dumper {
  if (settings.style === "plain") return new PlainDumper(settings);
  if (settings.style === "include") return new IncludeDumper(settings);
  return new LineDumper(settings, start);
}

function hexTable(upper: boolean): readonly string[] {
  return Array.from({ length: 256 }, (_, byte) => {
    const digits = byte.toString(16).padStart(2, "0");
    return upper ? digits.toUpperCase() : digits;
  });
}

class PlainDumper implements Dumper {
  readonly #columns: number;
  readonly #hex: readonly string[];
  #column = 0;

  constructor({ columns, upper }: XxdSettings) {
    this.#columns = columns;
    this.#hex = hexTable(upper);
  }

  *add(chunk: Chunk): Pieces {
    let text = "";
    for (const byte of chunk) {
      text += this.#hex[byte];
      if (++this.#column === this.#columns) {
        text += "\n";
        this.#column = 0;
      }
      if (text.length > ENOUGH) {
        yield utf8(text);
        text = "";
      }
    }
    yield utf8(text);
  }

  *end(): Pieces {
    if (this.#columns === 0 || this.#column > 0) yield utf8("\n");
  }
}

class IncludeDumper implements Dumper {
  readonly #settings: XxdSettings;
  readonly #name: string | undefined;
  readonly #hex: readonly string[];
  #count = 0;

  constructor(settings: XxdSettings) {
    const { variable, input, capitalize, upper } = settings;
    this.#settings = settings;
    const name = variable ?? (input === "-" ? undefined : input);
    if (name !== undefined) {
      const plain = (/^\d/.test(name) ? "__" : "") + bytesOf(name).replace(/[^0-9A-Za-z]/g, "_");
      this.#name = capitalize ? plain.toUpperCase() : plain;
    }
    this.#hex = hexTable(upper).map((digits) => (upper ? "0X" : "0x") + digits);
  }

  *add(chunk: Chunk): Pieces {
    let text = this.#count === 0 ? this.#opening() : "";
    const { columns } = this.#settings;
    for (const byte of chunk) {
      const first = this.#count === 0 ? "  " : ",\n  ";
      text += (this.#count % columns === 0 ? first : ", ") + this.#hex[byte];
      this.#count++;
      if (text.length > ENOUGH) {
        yield utf8(text);
        text = "";
      }
    }
    yield utf8(text);
  }

  *end(): Pieces {
    let text = this.#count === 0 ? this.#opening() : "\n";
    if (this.#name !== undefined) {
      const suffix = this.#settings.capitalize ? "_LEN" : "_len";
      text += `};\nunsigned int ${this.#name}${suffix} = ${this.#count};\n`;
    }
    yield utf8(text);
  }

  #opening(): string {
    return this.#name === undefined ? "" : `unsigned char ${this.#name}[] = {\n`;
  }
}

/** A text as characters of which each is a byte. */
function bytesOf(text: string): string {
  return String.fromCharCode(...utf8(text));
}

/** Lines of an offset, groups of digits and the characters. */
class LineDumper implements Dumper {
  readonly #settings: XxdSettings;
  readonly #bytes: Uint8Array;
  readonly #digits: readonly string[];
  #held = 0;
  #offset: bigint;
  #text = "";
  /** Lines of NULs seen in a row, and the second of them. */
  #zeros = 0;
  #second = "";

  constructor(settings: XxdSettings, start: number) {
    this.#settings = settings;
    this.#bytes = new Uint8Array(settings.columns);
    this.#offset = BigInt(start) + settings.displayOffset;
    this.#digits = settings.style === "bits"
      ? Array.from({ length: 256 }, (_, byte) => byte.toString(2).padStart(8, "0"))
      : hexTable(settings.upper);
  }

  *add(chunk: Chunk): Pieces {
    for (let at = 0; at < chunk.length; at++) {
      this.#bytes[this.#held++] = chunk[at] as number;
      if (this.#held < this.#bytes.length) continue;
      const nonzero = !this.#settings.autoskip || this.#bytes.some((byte) => byte !== 0);
      this.#put(this.#line(), nonzero);
      if (this.#text.length > ENOUGH) yield this.#take();
    }
    if (this.#text !== "") yield this.#take();
  }

  *end(): Pieces {
    if (this.#held > 0) {
      this.#put(this.#line(), true);
    } else if (this.#zeros > 1) {
      // The last line is shown in any case.
      if (this.#zeros > 2) this.#text += this.#zeros === 3 ? this.#before : "*\n";
      this.#text += this.#last;
    }
    if (this.#text !== "") yield this.#take();
  }

  #before = "";
  #last = "";

  #put(line: string, nonzero: boolean): void {
    if (!nonzero) {
      this.#zeros++;
      if (this.#zeros === 1) this.#text += line;
      if (this.#zeros === 2) this.#before = this.#second = line;
      this.#last = line;
      return;
    }
    if (this.#zeros === 2) this.#text += this.#second;
    if (this.#zeros > 2) this.#text += "*\n";
    this.#zeros = 0;
    this.#text += line;
  }

  #take(): Chunk {
    const bytes = utf8(this.#text);
    this.#text = "";
    return bytes;
  }

  #line(): string {
    const { columns, group, style, decimal } = this.#settings;
    const count = this.#held;
    this.#held = 0;
    const offset = BigInt.asUintN(64, this.#offset);
    const address = offset.toString(decimal ? 10 : 16).padStart(8, "0") + ":";
    this.#offset += BigInt(count);
    const width = style === "bits" ? 8 : 2;
    const blank = " ".repeat(width);
    let text = `${address} `;
    let shown = "";
    for (let i = 0; i < count; i++) {
      const byte = this.#bytes[i] as number;
      shown += byte >= 32 && byte < 127 ? String.fromCharCode(byte) : ".";
    }
    const slots = style === "little" ? Math.ceil(columns / group) * group : columns;
    for (let i = 0; i < slots; i++) {
      const from = style === "little" ? i ^ (group - 1) : i;
      text += from < count ? this.#digits[this.#bytes[from] as number] : blank;
      if ((i + 1) % group === 0) text += " ";
    }
    // The characters stand where those of a full line would.
    const size = group * width + 1;
    const column = address.length + 3 + Math.floor((size * columns - 1) / group);
    return text.slice(0, column).padEnd(column) + shown + "\n";
  }
}
