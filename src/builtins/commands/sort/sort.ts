import {
  type ByteSink,
  type ByteSource,
  type Chunk,
  memorySource,
  TurnGuard,
} from "../../../streams/mod.ts";
import {
  errorText,
  InvalidArgument,
  isFatal,
  OpenedFiles,
  parseCommand,
  readNameList,
} from "../../core/mod.ts";
import type { BuiltinIo } from "../../builtin.ts";
import { defaultBuiltinLimits } from "../../limits.ts";
import { LineReader, quoteAlways, quoteName } from "../../text/mod.ts";
import { checkSorted } from "./check.ts";
import { mergeSorted } from "./merge.ts";
import { sortCommand } from "./command.ts";
import { extraOperand, readSortSettings, type SortSettings } from "./options.ts";
import { planSort, type SortPlan } from "./plan.ts";
import { randomOrder } from "./random_order.ts";
import { Runs } from "./runs.ts";
import { blaming, failing, wholeInMemory } from "./sources.ts";
import { LineStore } from "./store.ts";

/** Exit status of a failure; 1 means that `-c` found disorder. */
const TROUBLE = 2;
/** Least memory in bytes, whatever `-S` says. */
const LEAST_MEMORY = 16 * 1024;

/** A failure that ends the command; its message is complete. */
class SortFailure extends Error {
  override readonly name = "SortFailure";
}

/** The command `sort`; see {@linkcode Builtin}. */
export async function* sort(
  args: readonly string[],
  io: BuiltinIo,
): AsyncGenerator<Chunk, number, void> {
  const parsed = parseCommand(args, io, sortCommand, readSortSettings, TROUBLE);
  if (parsed.done) {
    yield* parsed.text;
    return parsed.status;
  }
  try {
    return yield* new Sort(parsed.settings, io, await makePlan(parsed.settings, io)).run();
  } catch (error) {
    if (!(error instanceof SortFailure) && !(error instanceof InvalidArgument)) throw error;
    io.warn(`sort: ${error.message}`);
    return TROUBLE;
  }
}

async function makePlan(settings: SortSettings, io: BuiltinIo): Promise<SortPlan> {
  const isRandom = settings.keys.some((key) => key.random);
  return planSort(settings, isRandom ? await randomOrder(io) : undefined);
}

class Sort {
  readonly #settings: SortSettings;
  readonly #io: BuiltinIo;
  readonly #plan: SortPlan;
  readonly #files: OpenedFiles;
  readonly #turns = new TurnGuard();

  constructor(settings: SortSettings, io: BuiltinIo, plan: SortPlan) {
    this.#settings = settings;
    this.#io = io;
    this.#plan = plan;
    this.#files = new OpenedFiles(io);
  }

  async *run(): AsyncGenerator<Chunk, number, void> {
    const { check, files0From, files, output, merge } = this.#settings;
    let names = files.length === 0 ? ["-"] : files;
    if (files0From !== undefined) names = await this.#readNames(files0From);
    if (check !== "" && names[1] !== undefined) throw extraOperand(names[1], check);
    if (check !== "") return await this.#check(names[0] ?? "-", check);
    const expected = await this.#probe(names);
    if (output === undefined) {
      yield* merge ? this.#merge(names) : this.#sort(names, expected);
      return 0;
    }
    // Opened first to report early if it cannot be written; truncated only after all input is read.
    await (await this.#create(output, true)).close();
    const chunks = merge ? this.#merge(names) : this.#sort(names, expected);
    await this.#write(output, chunks);
    return 0;
  }

  async #readNames(path: string): Promise<readonly string[]> {
    const list = await readNameList(path, this.#io);
    if ("problem" in list) {
      throw new SortFailure(
        list.problem === "open"
          ? `open failed: ${quoteName(path)}: ${list.why}`
          : `cannot read file names from ${quoteAlways(path)}`,
      );
    }
    for (const [i, name] of list.names.entries()) {
      if (name === "") {
        throw new SortFailure(`${quoteName(path)}:${i + 1}: invalid zero-length file name`);
      }
      // As in GNU sort, this is refused wherever the names come from.
      if (name === "-") {
        throw new SortFailure("when reading file names from stdin, no file name of '-' allowed");
      }
    }
    if (list.names.length === 0) throw new SortFailure(`no input from ${quoteAlways(path)}`);
    return list.names;
  }

  /** Checks that all files can be opened; returns the sum of the sizes that are known. */
  async #probe(names: readonly string[]): Promise<number> {
    let bytes = 0;
    for (const name of names) {
      const probe = await this.#files.probe(name);
      if ("problem" in probe) {
        throw new SortFailure(`cannot read: ${quoteName(name)}: ${probe.problem}`);
      }
      bytes += probe.size ?? 0;
    }
    return bytes;
  }

  async #open(name: string): Promise<ByteSource> {
    if (name === "-") return this.#io.stdin;
    try {
      return await this.#files.open(name);
    } catch (error) {
      const what = errorText(error) === "Is a directory" ? "read failed" : "open failed";
      throw this.#failure(what, name, error);
    }
  }

  async #create(name: string, append: boolean): Promise<ByteSink> {
    try {
      if (this.#io.create === undefined) throw new Error("Files cannot be written here");
      return await this.#io.create(name, append);
    } catch (error) {
      throw this.#failure("open failed", name, error);
    }
  }

  #failure(what: string, name: string, error: unknown): unknown {
    if (error instanceof SortFailure || isFatal(error, this.#io.signal)) return error;
    return new SortFailure(`${what}: ${quoteName(name)}: ${errorText(error)}`);
  }

  async #check(name: string, how: "c" | "C"): Promise<number> {
    const source = await this.#open(name);
    try {
      const { separator, unique } = this.#settings;
      const found = await checkSorted(source, this.#plan, separator, unique);
      if (found === undefined) return 0;
      if (how === "c") {
        this.#io.warn(`sort: ${quoteName(name)}:${found.number}: disorder: ${found.line}`);
      }
      return 1;
    } catch (error) {
      throw this.#failure("read failed", name, error);
    } finally {
      if (name !== "-") await source.return();
    }
  }

  async #write(name: string, chunks: AsyncIterable<Chunk>): Promise<void> {
    // The first chunk comes after all input has been read or held, so the file may be an input.
    let sink: ByteSink | undefined;
    for await (const chunk of chunks) {
      sink ??= await this.#create(name, false);
      try {
        if (chunk.length > 0) await sink.write(chunk);
      } catch (error) {
        throw this.#failure("write failed", name, error);
      }
    }
    sink ??= await this.#create(name, false);
    await sink.close();
  }

  async *#sort(names: readonly string[], expected: number): AsyncGenerator<Chunk, void, void> {
    const { separator, unique, batch, memory } = this.#settings;
    const { temp } = this.#io;
    const limits = { ...defaultBuiltinLimits, ...this.#io.limits };
    const cap = temp === undefined
      ? limits.sortBytesWithoutTemp
      : Math.max(memory ?? limits.sortBytes, LEAST_MEMORY);
    const store = new LineStore(this.#plan, separator, unique, Math.min(expected + 1, cap));
    const runs = new Runs(this.#io, this.#plan, separator, unique, batch);
    for (const name of names) {
      const source = await this.#open(name);
      try {
        const reader = new LineReader(source, separator, limits.lineBytes);
        for (let block = await reader.next(); block !== undefined; block = await reader.next()) {
          if (!store.empty && store.cost + block.length > cap) {
            if (temp === undefined) {
              throw new SortFailure(
                `the input needs more memory than sortBytesWithoutTemp (${cap} bytes); ` +
                  "raise it or give temporary storage",
              );
            }
            await this.#spill(runs, store);
          }
          store.add(block);
        }
      } catch (error) {
        throw this.#failure("read failed", name, error);
      } finally {
        if (name !== "-") await source.return();
      }
    }
    if (runs.empty) {
      yield* this.#paced(store.sorted());
      return;
    }
    if (!store.empty) await this.#spill(runs, store);
    yield* runs.merged();
  }

  async #spill(runs: Runs, store: LineStore): Promise<void> {
    try {
      await runs.add(this.#paced(store.sorted()));
      store.clear();
    } catch (error) {
      throw this.#failure("write failed", "temporary storage", error);
    }
  }

  /** Opens a file to merge. As in GNU sort, a folder fails only when it is read. */
  async #openToMerge(name: string): Promise<ByteSource> {
    try {
      const source = await this.#open(name);
      return name === this.#settings.output ? await wholeInMemory(source) : source;
    } catch (error) {
      if (!(error instanceof SortFailure) || !error.message.startsWith("read failed")) throw error;
      return failing(error);
    }
  }

  /** With an output file, yields an empty chunk when it may be truncated. */
  async *#merge(names: readonly string[]): AsyncGenerator<Chunk, void, void> {
    const { separator, unique, batch, output } = this.#settings;
    const runs = new Runs(this.#io, this.#plan, separator, unique, batch);
    let group: { name: string; source: ByteSource }[] = [];
    let stdinTaken = false;
    const close = async (): Promise<void> => {
      for (const { name, source } of group) if (name !== "-") await source.return();
      group = [];
    };
    try {
      for (const name of names) {
        // Standard input is merged once; if it is named again, it is empty.
        const again = name === "-" && stdinTaken;
        stdinTaken ||= name === "-";
        const source = again ? memorySource("") : await this.#openToMerge(name);
        group.push({ name, source });
        if (group.length < batch || this.#io.temp === undefined) continue;
        await runs.add(this.#mergeGroup(group));
        await close();
      }
      // GNU sort merges the last inputs and the runs at once if they are few enough.
      const isLast = runs.count + group.length <= batch || this.#io.temp === undefined;
      if (isLast && output !== undefined) yield new Uint8Array(0);
      if (runs.empty) {
        yield* this.#mergeGroup(group);
      } else {
        await runs.add(this.#mergeGroup(group));
        yield* runs.merged();
      }
    } finally {
      await close();
    }
  }

  async *#mergeGroup(
    group: readonly { name: string; source: ByteSource }[],
  ): AsyncGenerator<Chunk, void, void> {
    const { separator, unique } = this.#settings;
    const sources = group.map(({ name, source }) =>
      blaming(source, (error) => this.#failure("read failed", name, error))
    );
    yield* mergeSorted(sources, this.#plan, separator, unique);
  }

  /** Lets the event loop turn at each pause of a long computation. */
  async *#paced(chunks: Iterable<Chunk | undefined>): AsyncGenerator<Chunk, void, void> {
    for (const chunk of chunks) {
      if (chunk !== undefined) {
        yield chunk;
        continue;
      }
      this.#io.signal.throwIfAborted();
      const turn = this.#turns.tick();
      if (turn !== undefined) await turn;
    }
  }
}
