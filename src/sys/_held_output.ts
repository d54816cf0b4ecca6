import type { Chunk } from "../streams/mod.ts";
import { aborted } from "./_aborted.ts";
import { FileError, fileError, PermissionError } from "./errors.ts";
import { FileSink } from "./file_sink.ts";
import type { OutputFile } from "./output_file.ts";
import { parentFolder, partialName } from "./_paths.ts";

/** Most bytes to hold in memory. */
const MOST = 64 * 1024 * 1024;

/**
 * Holds the output in memory and writes it into the file at the end. Used where the permissions
 * allow writing the file but not renaming another one to it.
 */
export class HeldOutput implements OutputFile {
  readonly path: string;
  readonly before: number;
  readonly #file: Deno.FsFile;
  readonly #created: boolean;
  readonly #chunks: Chunk[] = [];
  #written = 0;
  #partial: string | undefined;
  #ended: Promise<void> | undefined;

  static async open(path: string, signal: AbortSignal | undefined): Promise<HeldOutput> {
    const open = (create: boolean) =>
      aborted(Deno.open(path, { write: true, create }), signal, (file) => file.close());
    try {
      return new HeldOutput(path, await open(false), false);
    } catch (error) {
      if (!(error instanceof Deno.errors.NotFound)) throw error;
      return new HeldOutput(path, await open(true), true);
    }
  }

  private constructor(path: string, file: Deno.FsFile, created: boolean) {
    this.path = path;
    this.#file = file;
    this.#created = created;
    this.before = created ? 0 : file.statSync().size;
  }

  get written(): number {
    return this.#written;
  }

  get partial(): string | undefined {
    return this.#partial;
  }

  write(chunk: Chunk): Promise<void> {
    if (this.#ended !== undefined) {
      return Promise.reject(new TypeError(`Cannot write to ${this.path}: it is closed`));
    }
    if (this.#written + chunk.length > MOST) {
      const flag = `--allow-read=${parentFolder(this.path)}`;
      return Promise.reject(new PermissionError(`write more than ${MOST} bytes safely`, flag));
    }
    this.#chunks.push(chunk.slice());
    this.#written += chunk.length;
    return Promise.resolve();
  }

  close(): Promise<void> {
    return this.#ended ??= this.#replace();
  }

  abort(): Promise<void> {
    return this.#ended ??= this.#giveUp();
  }

  async #replace(): Promise<void> {
    const sink = new FileSink(this.#file, { name: this.path });
    try {
      await this.#file.truncate(0).catch((error) => {
        // A FIFO or a device has no length.
        if (!(error instanceof Error && "code" in error && error.code === "EINVAL")) throw error;
      });
      for (const chunk of this.#chunks) await sink.write(chunk);
    } catch (error) {
      await this.#keep();
      throw fileError(`write ${this.path}`, this.path, error);
    } finally {
      await sink.close();
    }
  }

  async #giveUp(): Promise<void> {
    this.#file.close();
    // Try to remove the file that was made here; even that may not be permitted.
    if (this.#created) await Deno.remove(this.path).catch(() => {});
    await this.#keep();
  }

  async #keep(): Promise<void> {
    if (this.#written === 0) return;
    const name = partialName(this.path);
    try {
      const file = await Deno.open(name, { write: true, create: true, truncate: true });
      const sink = new FileSink(file, { name });
      try {
        for (const chunk of this.#chunks) await sink.write(chunk);
      } finally {
        await sink.close();
      }
      this.#partial = name;
    } catch (error) {
      if (!(error instanceof FileError || error instanceof Deno.errors.NotCapable)) throw error;
    }
  }
}
