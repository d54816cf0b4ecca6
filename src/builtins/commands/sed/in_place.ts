import { type ByteSink, type ByteSource, type Chunk, LimitError } from "../../../streams/mod.ts";
import { errorText, isFatal, openFile } from "../../core/mod.ts";
import type { BuiltinIo, TempStore } from "../../builtin.ts";
import { type Channel, channel, createFile, flushChannel, SedOutput } from "./output.ts";
import { SedError } from "./script.ts";
import { Space } from "../../text/mod.ts";

/** Maximum size of an edited file in memory, if there is no temporary storage. */
const MAX_IN_MEMORY = 256 * 1024 * 1024;

/** Edits files in place: collects the new contents, then creates the backup and writes the file. */
export class InPlace {
  readonly #io: BuiltinIo;
  readonly #suffix: string;
  readonly #separator: number;
  #name: string | undefined;
  #channel: Channel | undefined;
  #store: TempStore | undefined;
  #reopen: (() => Promise<ByteSource | Chunk>) | undefined;

  /** Creates an editor that keeps backups with the suffix, unless it is empty. */
  constructor(
    options: { readonly inPlace: string | undefined; readonly separator: number },
    io: BuiltinIo,
  ) {
    this.#io = io;
    this.#suffix = options.inPlace ?? "";
    this.#separator = options.separator;
  }

  /** Begins a file; returns the output for its new contents. */
  async begin(name: string): Promise<SedOutput> {
    this.#name = name;
    const { sink, reopen } = await this.#makeTemporary();
    this.#reopen = reopen;
    this.#channel = channel(sink);
    return new SedOutput(this.#channel, this.#separator);
  }

  async #makeTemporary(): Promise<
    { sink: ByteSink; reopen: () => Promise<ByteSource | Chunk> }
  > {
    if (this.#io.temp !== undefined) {
      this.#store ??= await this.#io.temp();
      const { sink, open } = await this.#store.create();
      return { sink, reopen: open };
    }
    const held = new Space();
    const sink: ByteSink = {
      write: (chunk) => {
        if (held.length + chunk.length > MAX_IN_MEMORY) {
          const limit = { name: "size of a file edited in place", max: MAX_IN_MEMORY };
          return Promise.reject(new LimitError(limit));
        }
        held.append(chunk);
        return Promise.resolve();
      },
      close: () => Promise.resolve(),
    };
    return { sink, reopen: () => Promise.resolve(held.bytes.subarray(held.start, held.end)) };
  }

  /**
   * The error for a file that cannot be read. For a folder, sed reports that it is not a regular
   * file.
   */
  cannotEdit(error: SedError): SedError {
    if (!error.message.endsWith("Is a directory")) return error;
    return new SedError(`couldn't edit ${this.#name}: not a regular file`, 4);
  }

  /** Passes on the output so far. */
  async flush(): Promise<void> {
    if (this.#channel !== undefined) await flushChannel(this.#channel, this.#io, false);
  }

  /** Replaces the file's contents with the new ones. */
  async end(): Promise<void> {
    const name = this.#name;
    const reopen = this.#reopen;
    if (name === undefined || reopen === undefined) return;
    this.#name = undefined;
    await this.flush();
    if (typeof this.#channel?.to === "object") await this.#channel.to.close();
    try {
      if (this.#suffix !== "") await this.#backUp(name);
      await this.#copy(await reopen(), name);
    } catch (error) {
      if (isFatal(error, this.#io.signal) || error instanceof SedError) throw error;
      throw new SedError(`couldn't edit ${name}: ${errorText(error)}`, 4);
    }
  }

  async #backUp(name: string): Promise<void> {
    const original = await openFile(name, this.#io);
    try {
      await this.#copy(original, backupName(name, this.#suffix));
    } catch (error) {
      if (isFatal(error, this.#io.signal)) throw error;
      throw new SedError(`cannot rename ${name}: ${errorText(error)}`, 4);
    } finally {
      await original.return();
    }
  }

  async #copy(from: ByteSource | Chunk, to: string): Promise<void> {
    const sink = await createFile(to, this.#io);
    try {
      if (from instanceof Uint8Array) {
        if (from.length > 0) await sink.write(from);
      } else {
        for await (const chunk of from) await sink.write(chunk);
      }
    } finally {
      await sink.close();
    }
  }
}

/**
 * The name of a backup: each `*` in the suffix is replaced by the file's name; without `*` the
 * suffix is appended.
 */
export function backupName(name: string, suffix: string): string {
  return suffix.includes("*") ? suffix.replaceAll("*", name) : name + suffix;
}
