import type { Chunk } from "../streams/mod.ts";
import type { Builtin, BuiltinIo } from "./builtin.ts";
import { builtinOf } from "./_command.ts";
import { MAX_LINE } from "./_lines.ts";
import { odCommand, type OdSettings, readOdSettings } from "./_od_options.ts";
import type { OdType } from "./_od_types.ts";
import { openOperands } from "./_operands.ts";
import { utf8 } from "./_output.ts";
import { quoteName } from "./_quote.ts";

/** The command `od`; see {@linkcode Builtin}. Long doubles are x87's, in 16 bytes. */
export const od: Builtin = builtinOf(odCommand, readOdSettings, run);

async function* run(
  settings: OdSettings,
  io: BuiltinIo,
): AsyncGenerator<Chunk, number, void> {
  let warnings = settings.warnings;
  const warn = (): void => {
    for (const warning of warnings) io.warn(`od: ${warning}`);
    warnings = [];
  };
  let status = 0;
  let opened = 0;
  let skip = settings.skip;
  const inputs = openOperands(settings.files, io, (_problem, name, why) => {
    io.warn(`od: ${quoteName(name)}: ${why}`);
    status = 1;
    // GNU's has skipped all in the folder's file before it tries to read.
    if (why === "Is a directory") skip = 0;
  });
  if (settings.width > (io.limits?.lineBytes ?? MAX_LINE)) {
    io.warn("od: memory exhausted");
    return 1;
  }
  const dumper = settings.strings === undefined
    ? new Dumper(settings)
    : new Strings(settings, settings.strings);
  let left = settings.limit;
  for await (const input of inputs) {
    opened++;
    if (skip === 0) warn();
    if (left === 0 && skip === 0) break;
    for await (const chunk of input) {
      const from = Math.min(skip, chunk.length);
      skip -= from;
      const to = Math.min(chunk.length, from + left);
      left -= to - from;
      // GNU's od warns when it has skipped, if it has a file at all.
      if (skip === 0) warn();
      if (to > from) yield* dumper.add(chunk.subarray(from, to));
      if (left === 0 && skip === 0) break;
    }
    if (left === 0 && skip === 0) break;
  }
  if (opened === 0) return 1;
  if (skip > 0) {
    io.warn("od: cannot skip past end of combined input");
    return 1;
  }
  warn();
  yield* dumper.end();
  return status;
}

/** Writes addresses. */
class Addresses {
  readonly #radix: OdSettings["radix"];
  readonly #label: number | undefined;
  readonly #start: number;

  constructor({ radix, label, skip }: OdSettings) {
    this.#radix = radix;
    this.#label = label;
    this.#start = skip;
  }

  /** The columns that an address takes. */
  get width(): number {
    return this.#radix === 0 ? 0 : this.#radix === 16 ? 6 : 7;
  }

  at(address: number): string {
    const shown = this.#one(address);
    if (this.#label === undefined) return shown;
    const second = address - this.#start + this.#label;
    return this.#radix === 0 ? `(${octal(second)})` : `${shown} (${this.#one(second)})`;
  }

  #one(address: number): string {
    return this.#radix === 0 ? "" : address.toString(this.#radix).padStart(this.width, "0");
  }
}

function octal(value: number): string {
  return value.toString(8).padStart(7, "0");
}

/** How much text is put out at once, in characters. */
const ENOUGH = 32 * 1024;

/** Dumps blocks of the width of a line. */
class Dumper {
  readonly #settings: OdSettings;
  readonly #addresses: Addresses;
  readonly #indent: string;
  #text = "";
  readonly #block: Uint8Array<ArrayBuffer>;
  readonly #view: DataView;
  readonly #before: Uint8Array;
  /** Columns of the widest type's line. */
  readonly #columns: number;
  #held = 0;
  #address: number;
  #first = true;
  #starred = false;

  constructor(settings: OdSettings) {
    this.#settings = settings;
    this.#addresses = new Addresses(settings);
    this.#indent = " ".repeat(this.#addresses.width);
    this.#block = new Uint8Array(settings.width);
    this.#view = new DataView(this.#block.buffer);
    this.#before = new Uint8Array(settings.width);
    this.#address = settings.skip;
    this.#columns = Math.max(
      ...settings.types.map(({ size, width }) => (width + 1) * (settings.width / size)),
    );
  }

  *add(chunk: Chunk): Generator<Chunk, void, void> {
    const block = this.#block;
    for (let at = 0; at < chunk.length;) {
      const size = Math.min(block.length - this.#held, chunk.length - at);
      for (let i = 0; i < size; i++) block[this.#held + i] = chunk[at + i] as number;
      at += size;
      this.#held += size;
      if (this.#held < block.length) break;
      this.#line();
      if (this.#text.length > ENOUGH) yield this.#take();
    }
    if (this.#text !== "") yield this.#take();
  }

  *end(): Generator<Chunk, void, void> {
    if (this.#held > 0) {
      this.#block.fill(0, this.#held);
      this.#line();
    }
    const address = this.#addresses.at(this.#address);
    if (address !== "") this.#text += `${address}\n`;
    if (this.#text !== "") yield this.#take();
  }

  #take(): Chunk {
    const bytes = utf8(this.#text);
    this.#text = "";
    return bytes;
  }

  #same(): boolean {
    for (let i = 0; i < this.#block.length; i++) {
      if (this.#block[i] !== this.#before[i]) return false;
    }
    return true;
  }

  #line(): void {
    const count = this.#held;
    const block = this.#block;
    const { types, all } = this.#settings;
    this.#held = 0;
    if (!all && !this.#first && count === block.length && this.#same()) {
      if (!this.#starred) this.#text += "*\n";
      this.#starred = true;
      this.#address += count;
      return;
    }
    this.#starred = this.#first = false;
    let lead = this.#addresses.at(this.#address);
    for (const type of types) {
      this.#text += lead + this.#items(type, count) + "\n";
      lead = this.#indent;
    }
    this.#address += count;
    for (let i = 0; i < block.length; i++) this.#before[i] = block[i] as number;
  }

  #items({ size, width, text: write, trailer, table }: OdType, count: number): string {
    const fields = this.#block.length / size;
    const blank = Math.floor((this.#block.length - count) / size);
    const pad = this.#columns - (width + 1) * fields;
    let text = "";
    let left = pad;
    if (table !== undefined && pad === 0) {
      for (let i = 0; i < count; i++) text += table[this.#block[i] as number];
    } else {
      for (let i = fields; i > blank; i--) {
        const next = Math.floor(pad * (i - 1) / fields);
        text += " " + write(this.#view, (fields - i) * size).padStart(width + left - next);
        left = next;
      }
    }
    if (!trailer) return text;
    const gap = blank * (width + 1) + Math.floor(pad * blank / fields);
    let shown = "";
    for (let i = 0; i < count; i++) {
      const byte = this.#block[i] as number;
      shown += byte >= 32 && byte < 127 ? String.fromCharCode(byte) : ".";
    }
    return `${text}${" ".repeat(gap)}  >${shown}<`;
  }
}

/** Finds strings that a NUL ends (`-S`). */
class Strings {
  readonly #addresses: Addresses;
  readonly #least: number;
  readonly #limit: number;
  #text = "";
  #start: number;
  #address: number;

  constructor(settings: OdSettings, least: number) {
    this.#addresses = new Addresses(settings);
    this.#least = least;
    this.#limit = settings.skip + settings.limit;
    this.#start = this.#address = settings.skip;
  }

  *add(chunk: Chunk): Generator<Chunk, void, void> {
    let found = "";
    for (let at = 0; at < chunk.length; at++) {
      const byte = chunk[at] as number;
      this.#address++;
      if (byte >= 32 && byte < 127) {
        this.#text += String.fromCharCode(byte);
        continue;
      }
      // A string that could not start so near the end is not looked for.
      const length = this.#text.length;
      if (byte === 0 && length >= this.#least && this.#start + this.#least <= this.#limit) {
        const address = this.#addresses.at(this.#start);
        found += `${address === "" ? "" : `${address} `}${this.#text}\n`;
      }
      this.#text = "";
      this.#start = this.#address;
    }
    if (found !== "") yield utf8(found);
  }

  *end(): Generator<Chunk, void, void> {
    // What no NUL ends is no string, but where -N ends the input.
    if (this.#address !== this.#limit || this.#text.length < this.#least) return;
    const address = this.#addresses.at(this.#start);
    yield utf8(`${address === "" ? "" : `${address} `}${this.#text}\n`);
  }
}
