import { type ByteSource, type Chunk, fromReadable } from "../../../streams/mod.ts";
import { errorText, isFatal, openFile, parseCommand } from "../../core/mod.ts";
import type { BuiltinIo } from "../../builtin.ts";
import { BLANK, compareKeys, type JoinLine, JoinLineMaker, JoinReader } from "./lines.ts";
import { joinCommand } from "./command.ts";
import { type JoinSettings, readJoinSettings } from "./options.ts";
import { JoinPrinter } from "./printer.ts";
import { Storage } from "../../hold/mod.ts";
import { JoinGroup } from "./group.ts";
import { LineOutput, quoteName } from "../../text/mod.ts";

/**
 * The command `join`; see {@linkcode Builtin}. Lines that share a key are held, in temporary
 * storage if there are many.
 */
export async function* join(
  args: readonly string[],
  io: BuiltinIo,
): AsyncGenerator<Chunk, number, void> {
  const parsed = parseCommand(
    args,
    io,
    joinCommand,
    (items) => readJoinSettings(items, args),
  );
  if (parsed.done) {
    yield* parsed.text;
    return parsed.status;
  }
  const { settings } = parsed;
  const out = new LineOutput();
  try {
    const joiner = await open(settings, io, out);
    yield* joiner.run();
    if (out.length > 0) yield out.take();
    if (!joiner.disordered.includes(true)) return 0;
    io.warn("join: input is not in sorted order");
  } catch (error) {
    if (isFatal(error, io.signal)) throw error;
    if (out.length > 0) yield out.take();
    const why = errorText(error);
    io.warn(`join: ${error instanceof JoinError ? error.message : `read error: ${why}`}`);
  }
  return 1;
}

/** An error with a complete message. */
class JoinError extends Error {}

async function open(settings: JoinSettings, io: BuiltinIo, out: LineOutput): Promise<Joiner> {
  const { files } = settings;
  const sources: ByteSource[] = [];
  for (const name of files) {
    if (name === "-") {
      sources.push(io.stdin);
      continue;
    }
    try {
      sources.push(await openFile(name, io));
    } catch (error) {
      if (isFatal(error, io.signal)) throw error;
      const why = errorText(error);
      // Opening a folder succeeds, only reading fails.
      if (why !== "Is a directory") throw new JoinError(`${quoteName(name)}: ${why}`);
      sources.push(unreadable(error));
    }
  }
  const [left, right] = sources;
  if (left === undefined || right === undefined || left === right) {
    throw new JoinError("both files cannot be standard input");
  }
  return new Joiner(settings, io, out, [left, right]);
}

/** A source that fails when it is read. */
function unreadable(error: unknown): ByteSource {
  return fromReadable(new ReadableStream({ pull: () => Promise.reject(error) }));
}

class Joiner {
  /** True for each file that was found to be out of order. */
  readonly disordered: [boolean, boolean] = [false, false];
  readonly #settings: JoinSettings;
  readonly #io: BuiltinIo;
  readonly #out: LineOutput;
  readonly #makers: readonly [JoinLineMaker, JoinLineMaker];
  readonly #readers: readonly [JoinReader, JoinReader];
  readonly #printer: JoinPrinter;
  readonly #storage: Storage;
  /** The previous line of each file; the next must not sort before it. */
  readonly #before: [JoinLine | undefined, JoinLine | undefined] = [undefined, undefined];
  /** True after a line without a match, which may be due to wrong order. */
  #seenUnpaired = false;

  constructor(
    settings: JoinSettings,
    io: BuiltinIo,
    out: LineOutput,
    sources: readonly [ByteSource, ByteSource],
  ) {
    this.#settings = settings;
    this.#io = io;
    this.#out = out;
    const { tab, fields, separator } = settings;
    this.#makers = [new JoinLineMaker(tab, fields[0]), new JoinLineMaker(tab, fields[1])];
    const lineBytes = io.limits?.lineBytes;
    const [left, right] = this.#makers;
    this.#readers = [
      new JoinReader(sources[0], separator, left, lineBytes),
      new JoinReader(sources[1], separator, right, lineBytes),
    ];
    this.#storage = new Storage(io);
    this.#printer = new JoinPrinter(settings, out);
  }

  async *run(): AsyncGenerator<Chunk, void, void> {
    const { paired, unpaired, ignoreCase, auto, header, check } = this.#settings;
    const out = this.#out;
    const printer = this.#printer;
    let left = await this.#next(0);
    let right = await this.#next(1);
    if (auto) printer.countFields(left, right);
    if (header && (left !== undefined || right !== undefined)) {
      yield* this.#print(left ?? BLANK, right ?? BLANK);
      this.#before[0] = this.#before[1] = undefined;
      if (left !== undefined) left = await this.#next(0);
      if (right !== undefined) right = await this.#next(1);
    }
    while (left !== undefined && right !== undefined) {
      if (out.full || (out.length > 0 && this.#readers.some((reader) => reader.mayWait))) {
        yield out.take();
      }
      const order = compareKeys(left, right, ignoreCase);
      if (order < 0) {
        if (unpaired[0]) yield* this.#print(left, BLANK);
        left = await this.#next(0);
        this.#seenUnpaired = true;
      } else if (order > 0) {
        if (unpaired[1]) yield* this.#print(BLANK, right);
        right = await this.#next(1);
        this.#seenUnpaired = true;
      } else {
        const lefts = new JoinGroup(this.#storage, this.#makers[0]);
        const rights = new JoinGroup(this.#storage, this.#makers[1]);
        const first = right;
        const same = (a: JoinLine, b: JoinLine): boolean => compareKeys(a, b, ignoreCase) === 0;
        const key = left;
        do if (paired) await lefts.add(left); while (
          (left = await this.#next(0)) !== undefined && same(left, first)
        );
        do if (paired) await rights.add(right); while (
          (right = await this.#next(1)) !== undefined && same(key, right)
        );
        yield* this.#pairs(lefts, rights);
      }
    }
    // The rest of both files is read to check its order.
    const tails = check !== "never" && this.disordered.includes(false);
    const rest = [left, right] as const;
    for (const file of [0, 1] as const) {
      let line = rest[file];
      if (line === undefined || !(unpaired[file] || tails)) continue;
      if (unpaired[file]) yield* this.#alone(file, line);
      if (rest[1 - file] !== undefined) this.#seenUnpaired = true;
      while ((line = await this.#next(file)) !== undefined) {
        if (unpaired[file]) yield* this.#alone(file, line);
        if (this.disordered[file] && !unpaired[file]) break;
        if (out.full || (out.length > 0 && this.#readers[file].mayWait)) yield out.take();
      }
    }
  }

  /** Prints each line of one group with each line of the other. */
  async *#pairs(lefts: JoinGroup, rights: JoinGroup): AsyncGenerator<Chunk, void, void> {
    const out = this.#out;
    for await (const one of lefts.inMemory ?? lefts.lines()) {
      if (rights.inMemory !== undefined) {
        for (const other of rights.inMemory) {
          yield* this.#print(one, other);
          if (out.full) yield out.take();
        }
        continue;
      }
      for await (const other of rights.lines()) {
        yield* this.#print(one, other);
        if (out.full) yield out.take();
      }
    }
    await lefts.close();
    await rights.close();
    await this.#storage.release();
  }

  #alone(file: 0 | 1, line: JoinLine): Generator<Chunk, void, void> {
    return file === 0 ? this.#print(line, BLANK) : this.#print(BLANK, line);
  }

  *#print(left: JoinLine, right: JoinLine): Generator<Chunk, void, void> {
    for (const _ of this.#printer.print(left, right)) yield this.#out.take();
  }

  async #next(file: 0 | 1): Promise<JoinLine | undefined> {
    const line = await this.#readers[file].next();
    if (line === undefined) return undefined;
    const before = this.#before[file];
    this.#before[file] = line;
    if (before !== undefined) this.#checkOrder(before, line, file);
    return line;
  }

  #checkOrder(before: JoinLine, line: JoinLine, file: 0 | 1): void {
    const { check, files, ignoreCase } = this.#settings;
    if (check === "never" || this.disordered[file]) return;
    if (check === "unpaired" && !this.#seenUnpaired) return;
    if (compareKeys(before, line, ignoreCase) <= 0) return;
    // Ends at a NUL, as a string in C.
    const [text = ""] = new TextDecoder().decode(line.bytes).split("\0");
    const message = `${files[file]}:${this.#readers[file].number}: is not sorted: ${text}`;
    if (check === "always") throw new JoinError(message);
    this.#io.warn(`join: ${message}`);
    this.disordered[file] = true;
  }
}
