import type { Chunk } from "../streams/mod.ts";
import { FileError, fileError, PermissionError } from "./errors.ts";
import { FileSink } from "./file_sink.ts";
import { OutputEnd } from "./_output_end.ts";
import type { OutputFile } from "./output_file.ts";
import { baseName, partialNameOf } from "./_paths.ts";

/** Most bytes to hold in memory. */
const MOST = 64 * 1024 * 1024;

/** Facts about a file that is written in place. */
export interface HeldFile {
  /** Size of the file in bytes; `undefined` if it was created just now. */
  readonly before: number | undefined;
  /** The reason why no new file takes its place. */
  readonly why: string;
  /** The flag of `deno run` that would allow a new file. */
  readonly flag?: string;
  /** The name for partial output; without one it goes to the temporary folder. */
  readonly partialName: string | undefined;
}

/**
 * Holds the output in memory and writes it to the file at the end. Used if the file may be written,
 * but no new file can be made beside it and renamed.
 */
export class HeldOutput implements OutputFile {
  readonly path: string;
  readonly before: number;
  readonly inPlace: string;
  readonly #file: Deno.FsFile;
  readonly #held: HeldFile;
  readonly #chunks: Chunk[] = [];
  #written = 0;
  #partial: string | undefined;
  readonly #end = new OutputEnd();

  constructor(path: string, file: Deno.FsFile, held: HeldFile) {
    this.path = path;
    this.#file = file;
    this.#held = held;
    this.before = held.before ?? 0;
    this.inPlace = held.why;
  }

  get written(): number {
    return this.#written;
  }

  get partial(): string | undefined {
    return this.#partial;
  }

  write(chunk: Chunk): Promise<void> {
    if (this.#end.begun) {
      return Promise.reject(new TypeError(`Cannot write to ${this.path}: it is closed`));
    }
    if (this.#written + chunk.length > MOST) return Promise.reject(this.#tooMuch());
    this.#chunks.push(chunk.slice());
    this.#written += chunk.length;
    return Promise.resolve();
  }

  #tooMuch(): Error {
    const { flag, why } = this.#held;
    if (flag !== undefined) {
      return new PermissionError(`write more than ${MOST} bytes safely`, flag);
    }
    const action = `write more than ${MOST} bytes to ${this.path}`;
    return new FileError(
      action,
      this.path,
      `they are held in memory until the end, because ${why}`,
    );
  }

  close(): Promise<void> {
    return this.#end.close(() => this.#replace());
  }

  abort(): Promise<void> {
    return this.#end.abort(() => this.#giveUp());
  }

  async #replace(): Promise<void> {
    const sink = new FileSink(this.#file, { name: this.path });
    try {
      // Old contents are overwritten before truncating: that needs no space on a full disk.
      for (const chunk of this.#chunks) await sink.write(chunk);
      await this.#file.truncate(this.#written).catch((error) => {
        // A device has no length.
        if (!(error instanceof Error && "code" in error && error.code === "EINVAL")) throw error;
      });
    } catch (error) {
      await this.#keep();
      throw fileError(`write ${this.path}`, this.path, error);
    } finally {
      await sink.close();
    }
  }

  async #giveUp(): Promise<void> {
    this.#file.close();
    // Remove the new file; even that may not be permitted.
    if (this.#held.before === undefined) await Deno.remove(this.path).catch(() => {});
    await this.#keep();
  }

  /** Saves the output beside the file, or in the temporary folder if that fails. */
  async #keep(): Promise<void> {
    if (this.#written === 0) return;
    const { partialName: name } = this.#held;
    if (name !== undefined) {
      const options = { create: true, truncate: true };
      this.#partial = await this.#keepAs(() => Promise.resolve(name), options);
    }
    this.#partial ??= await this.#keepAs(() => {
      const suffix = `-${partialNameOf(baseName(this.path)).slice(-100)}`;
      return Deno.makeTempFile({ prefix: "llmcmd-", suffix });
    });
  }

  /**
   * Writes the output to the file that `make` names. Returns its name, or `undefined` if that
   * failed.
   */
  async #keepAs(
    make: () => Promise<string>,
    options: Deno.OpenOptions = {},
  ): Promise<string | undefined> {
    try {
      const name = await make();
      const sink = new FileSink(await Deno.open(name, { ...options, write: true }), { name });
      try {
        for (const chunk of this.#chunks) await sink.write(chunk);
      } finally {
        await sink.close();
      }
      return name;
    } catch (error) {
      // Only errors of the system or of missing permissions are ignored.
      if (fileError("keep", this.path, error) === error && !(error instanceof FileError)) {
        throw error;
      }
      return undefined;
    }
  }
}
