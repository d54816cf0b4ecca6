import { type ByteSink, type ByteSource, type Chunk, LimitError } from "../../../streams/mod.ts";
import {
  builtinOf,
  errorText,
  isFatal,
  openOperands,
  type Operand,
  RandomNumbers,
} from "../../core/mod.ts";
import type { Builtin, BuiltinIo } from "../../builtin.ts";
import { Storage } from "../../hold/mod.ts";
import { type BuiltinLimits, defaultBuiltinLimits } from "../../limits.ts";
import { LineOutput, LineReader, quoteName, utf8 } from "../../text/mod.ts";
import { AHEAD, HeldLines } from "./held_lines.ts";
import { NumberedFile } from "./numbered_file.ts";
import { type Range, readShufSettings, shufCommand, type ShufSettings } from "./options.ts";
import { isSparse, Pauses, permutation } from "./permutation.ts";
import { sampleLines } from "./reservoir.ts";
import { ScatteredLines } from "./scattered_lines.ts";

/** A file up to this size is read as a whole even if few of its lines are wanted. */
const SMALL_FILE = 8 * 1024 * 1024;
/** Most lines sampled while the input passes. */
const MOST_SAMPLED = 1_000_000;
/** Memory of each number of a range to shuffle, in bytes. */
const NUMBER_COST = 4;
/** Numbers of a longer range written at once. */
const NUMBERS = 4096;

/** A failure that ends the command; its message is complete. */
class ShufFailure extends Error {
  override readonly name = "ShufFailure";
}

/** The command `shuf`; see {@linkcode Builtin}. */
export const shuf: Builtin = builtinOf(shufCommand, readShufSettings, run);

async function* run(settings: ShufSettings, io: BuiltinIo): AsyncGenerator<Chunk, number, void> {
  const command = new Shuf(settings, io);
  try {
    if (settings.output === undefined) yield* command.lines();
    else await command.write(settings.output);
    return 0;
  } catch (error) {
    if (!(error instanceof ShufFailure)) throw error;
    io.warn(`shuf: ${error.message}`);
    return 1;
  }
}

class Shuf {
  readonly #settings: ShufSettings;
  readonly #io: BuiltinIo;
  readonly #limits: BuiltinLimits;
  readonly #storage: Storage;
  readonly #pauses: Pauses;
  readonly #out = new LineOutput();
  readonly #random: RandomNumbers;
  /** Number of lines still wanted. */
  #left: number;

  constructor(settings: ShufSettings, io: BuiltinIo) {
    this.#settings = settings;
    this.#io = io;
    this.#limits = { ...defaultBuiltinLimits, ...io.limits };
    this.#storage = new Storage(io);
    this.#pauses = new Pauses(io.signal);
    this.#random = new RandomNumbers(io);
    this.#left = settings.count;
  }

  /**
   * Writes the lines to a file. It is opened after all input has been read, so it may be the input.
   */
  async write(path: string): Promise<void> {
    let sink: ByteSink | undefined;
    try {
      for await (const chunk of this.lines()) {
        sink ??= await this.#create(path);
        try {
          await sink.write(chunk);
        } catch (error) {
          if (isFatal(error, this.#io.signal)) throw error;
          throw new ShufFailure(`write error: ${errorText(error)}`);
        }
      }
      sink ??= await this.#create(path);
    } finally {
      await sink?.close();
    }
  }

  async #create(path: string): Promise<ByteSink> {
    try {
      if (this.#io.create === undefined) throw new Error("Files cannot be written here");
      return await this.#io.create(path);
    } catch (error) {
      if (isFatal(error, this.#io.signal)) throw error;
      throw new ShufFailure(`${quoteName(path)}: ${errorText(error)}`);
    }
  }

  /** Returns all output of the command. */
  async *lines(): AsyncGenerator<Chunk, void, void> {
    const { input, count, separator } = this.#settings;
    if (input.kind === "range") yield* this.#fromRange(input.range);
    else if (input.kind === "arguments") {
      const held = new HeldLines(separator);
      for (const line of input.lines) held.addLine(utf8(line));
      yield* this.#fromHeld(held);
    } else if (count > 0) yield* this.#fromFile(input.path);
    if (this.#out.length > 0) yield this.#out.take();
  }

  async *#fromFile(path: string): AsyncGenerator<Chunk, void, void> {
    const { count, repeat } = this.#settings;
    const operands = openOperands([path], this.#io, (problem, name, why) => {
      const what = problem === "open" ? quoteName(name) : "read error";
      throw new ShufFailure(`${what}: ${why}`);
    });
    for await (const file of operands) {
      const isSmall = file.at !== undefined && file.at.size <= SMALL_FILE;
      if (repeat || count > MOST_SAMPLED || isSmall) yield* this.#fromWhole(file);
      else yield* this.#fromSample(file);
    }
  }

  async *#fromSample(file: Operand): AsyncGenerator<Chunk, void, void> {
    const { count, separator } = this.#settings;
    const sample = await sampleLines(file, count, separator, this.#random, this.#limits);
    const out = this.#out;
    for (
      const place of await permutation(this.#random, sample.length, sample.length, this.#pauses)
    ) {
      out.put(sample[place] as Chunk);
      out.putByte(separator);
      if (out.full) yield out.take();
    }
  }

  /** Holds all lines in memory, or in temporary storage if they are too many. */
  async *#fromWhole(file: Operand): AsyncGenerator<Chunk, void, void> {
    const { separator, repeat } = this.#settings;
    const size = Math.min(file.at?.size ?? 0, this.#memory);
    const held = new HeldLines(separator, size);
    const reader = new LineReader(file, separator, this.#limits.lineBytes);
    for (let block = await reader.next(); block !== undefined; block = await reader.next()) {
      if (held.count > 0 && held.cost + block.length > this.#memory) {
        if (this.#io.temp === undefined) throw this.#tooMuch();
        const long = repeat ? this.#repeatLong : this.#shuffleLong;
        yield* long.call(this, blocksOf(held, block, reader));
        return;
      }
      held.add(block);
    }
    yield* this.#fromHeld(held);
  }

  /** Memory for lines, in bytes. */
  get #memory(): number {
    const { sortBytes, sortBytesWithoutTemp } = this.#limits;
    return this.#io.temp === undefined ? sortBytesWithoutTemp : sortBytes;
  }

  #tooMuch(): LimitError {
    const max = this.#memory;
    return new LimitError(
      { name: "sortBytesWithoutTemp", max },
      `The input needs more memory than sortBytesWithoutTemp (${max} bytes); ` +
        "raise it or provide temporary storage to go on",
    );
  }

  async *#fromHeld(held: HeldLines): AsyncGenerator<Chunk, void, void> {
    const { text, starts, count } = held;
    const out = this.#out;
    if (this.#settings.repeat) {
      for (const place of this.#repeated(count)) {
        out.put(text, starts[place] as number, starts[place + 1] as number);
        if (out.full) yield out.take();
      }
      return;
    }
    const wanted = Math.min(this.#left, count);
    this.#left -= wanted;
    const order = await permutation(this.#random, wanted, count, this.#pauses);
    for (let i = 0; i < order.length; i++) {
      if (i % AHEAD === 0) held.fetch(order, i);
      const place = order[i] as number;
      out.put(text, starts[place] as number, starts[place + 1] as number);
      if (out.full) yield out.take();
    }
  }

  /** Chooses among `count` lines, once for each line wanted. */
  *#repeated(count: number): Generator<number, void, void> {
    if (count === 0 && this.#left > 0) throw new ShufFailure("no lines to repeat");
    for (; this.#left > 0; this.#left--) yield this.#random.choose(count);
  }

  async *#repeatLong(blocks: AsyncIterable<Chunk>): AsyncGenerator<Chunk, void, void> {
    const { separator } = this.#settings;
    const file = new NumberedFile(this.#storage, separator, this.#limits.lineBytes);
    for await (const block of blocks) await file.add(block);
    const out = this.#out;
    try {
      for (const number of this.#repeated(file.count)) {
        out.put(await file.line(number));
        if (out.full) yield out.take();
      }
    } finally {
      await file.close();
    }
  }

  async *#shuffleLong(blocks: AsyncIterable<Chunk>): AsyncGenerator<Chunk, void, void> {
    const { separator } = this.#settings;
    const scattered = new ScatteredLines(this.#storage, separator, this.#random, this.#memory);
    for await (const block of blocks) await scattered.add(block);
    await scattered.finish();
    for (const part of scattered.parts) {
      if (this.#left === 0) return;
      const source = await part.open();
      try {
        yield* this.#fromPart(source, part.size + 8 * part.count);
      } finally {
        await source.return();
      }
    }
  }

  /**
   * Prints the lines of a temporary file, shuffled in memory, or by more temporary files if too
   * many.
   */
  async *#fromPart(source: ByteSource, cost: number): AsyncGenerator<Chunk, void, void> {
    const { separator } = this.#settings;
    const reader = new LineReader(source, separator, this.#limits.lineBytes);
    const held = new HeldLines(separator, Math.min(cost, this.#memory));
    for (let block = await reader.next(); block !== undefined; block = await reader.next()) {
      // A single line is never too long.
      if (held.count > 1 && held.cost + block.length > this.#memory) {
        yield* this.#shuffleLong(blocksOf(held, block, reader));
        return;
      }
      held.add(block);
    }
    yield* this.#fromHeld(held);
  }

  async *#fromRange({ low, high }: Range): AsyncGenerator<Chunk, void, void> {
    const { repeat, separator } = this.#settings;
    const total = high - low + 1;
    const out = this.#out;
    if (repeat) {
      for (const number of this.#repeated(total)) {
        out.putNumber(low + number, 0);
        out.putByte(separator);
        if (out.full) yield out.take();
      }
      return;
    }
    const wanted = Math.min(this.#left, total);
    const inMemory = isSparse(wanted, total)
      ? wanted <= MOST_SAMPLED
      : NUMBER_COST * total <= this.#memory;
    if (!inMemory) {
      if (this.#io.temp === undefined) throw this.#tooMuch();
      yield* this.#shuffleLong(this.#numbers(low, high));
      return;
    }
    for (const number of await permutation(this.#random, wanted, total, this.#pauses)) {
      out.putNumber(low + number, 0);
      out.putByte(separator);
      if (out.full) yield out.take();
    }
  }

  /** Returns the numbers of a range as lines, in order. */
  async *#numbers(low: number, high: number): AsyncGenerator<Chunk, void, void> {
    const end = String.fromCharCode(this.#settings.separator);
    for (let first = low; first <= high; first += NUMBERS) {
      await this.#pauses.pause();
      const numbers = Array.from(
        { length: Math.min(NUMBERS, high - first + 1) },
        (_, i) => String(first + i),
      );
      yield utf8(numbers.join(end) + end);
    }
  }
}

/** Returns the held lines, the block that did not fit, and the rest. */
async function* blocksOf(
  held: HeldLines,
  block: Chunk,
  rest: LineReader,
): AsyncGenerator<Chunk, void, void> {
  // The block is lent only until the next one is read.
  yield held.take();
  for (let next: Chunk | undefined = block; next !== undefined; next = await rest.next()) {
    yield next;
  }
}
