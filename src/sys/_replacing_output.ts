import type { Chunk } from "../streams/mod.ts";
import { FileError, fileError, reasonOf } from "./errors.ts";
import { FileSink } from "./file_sink.ts";
import { OutputEnd } from "./_output_end.ts";
import type { OutputFile } from "./output_file.ts";
import { parentFolder } from "./_paths.ts";
import { onEndAtOnce } from "./signals.ts";

/** The system's error codes for a folder in which no file may be made. */
const CLOSED = new Set<unknown>(["EACCES", "EPERM", "EROFS"]);

/** A folder in which no file may be made, although the existing file may be written. */
export class ClosedFolderError extends FileError {
  /** The reason why no file can be made, with the folder. */
  readonly why: string;

  constructor(path: string, folder: string, cause: Error) {
    const reason = reasonOf(cause);
    super(`make a temporary file for ${path} in ${folder}`, path, reason, cause);
    this.why = `no file can be made in ${folder}: ${reason}`;
  }
}

/** The open temporary file, and facts about the file to replace. */
interface Made {
  readonly temp: string;
  readonly file: Deno.FsFile;
  readonly old: Deno.FileInfo | undefined;
  readonly partialName: string | undefined;
}

/** Writes to a temporary file, which replaces the target at the end. */
export class ReplacingOutput implements OutputFile {
  readonly concurrent = true;
  readonly path: string;
  readonly inPlace: undefined = undefined;
  readonly #target: string;
  readonly #temp: string;
  readonly #sink: FileSink;
  readonly #old: Deno.FileInfo | undefined;
  /** The name for partial output; without one it stays in the temporary file. */
  readonly #partialName: string | undefined;
  readonly #forget: () => void;
  #partial: string | undefined;
  readonly #end = new OutputEnd();

  static async open(
    path: string,
    target: string,
    old: Deno.FileInfo | undefined,
    partialName: string | undefined,
  ): Promise<ReplacingOutput> {
    // Renaming would also replace a file that its owner made read-only, so check for the right to
    // write it first.
    if (old !== undefined) (await Deno.open(target, { write: true })).close();
    const folder = parentFolder(target);
    const temp = `${folder}/.llmcmd-${crypto.randomUUID().slice(0, 13)}.tmp`;
    const mode = (old?.mode ?? 0o666) & 0o777;
    const file = await Deno.open(temp, { write: true, createNew: true, mode }).catch((error) => {
      if (old !== undefined && CLOSED.has(error.code)) {
        throw new ClosedFolderError(path, folder, error);
      }
      throw fileError(`make a temporary file for ${path} in ${folder}`, path, error);
    });
    return new ReplacingOutput(path, target, { temp, file, old, partialName });
  }

  private constructor(
    path: string,
    target: string,
    { temp, file, old, partialName }: Made,
  ) {
    this.path = path;
    this.#target = target;
    this.#temp = temp;
    this.#sink = new FileSink(file, { name: path });
    this.#old = old;
    this.#partialName = partialName;
    this.#forget = onEndAtOnce(() => {
      if (this.written === 0) Deno.removeSync(temp);
      else if (partialName !== undefined) Deno.renameSync(temp, partialName);
    });
  }

  get before(): number {
    return this.#old?.size ?? 0;
  }

  get written(): number {
    return this.#sink.written;
  }

  get partial(): string | undefined {
    return this.#partial;
  }

  write(chunk: Chunk): Promise<void> {
    return this.#sink.write(chunk);
  }

  close(): Promise<void> {
    return this.#end.close(() => this.#replace());
  }

  abort(): Promise<void> {
    return this.#end.abort(() => this.#giveUp());
  }

  async #replace(): Promise<void> {
    await this.#sink.close();
    try {
      if (this.#old !== undefined) await this.#copyMode(this.#old);
      await Deno.rename(this.#temp, this.#target);
    } catch (error) {
      await this.#keep();
      throw fileError(`replace ${this.path}`, this.path, error);
    }
    this.#forget();
  }

  async #copyMode(old: Deno.FileInfo): Promise<void> {
    if (old.mode === null) return;
    const own = await Deno.stat(this.#temp);
    if (own.uid !== old.uid || own.gid !== old.gid) {
      // Only root may change a file's owner; for all others the new file belongs to this user.
      await Deno.chown(this.#temp, old.uid, old.gid).catch(() => {});
    }
    await Deno.chmod(this.#temp, old.mode & 0o7777);
  }

  async #giveUp(): Promise<void> {
    await this.#sink.close();
    await this.#keep();
  }

  /** Keeps the partial output under the partial name, or if that fails under the temporary name. */
  async #keep(): Promise<void> {
    this.#forget();
    if (this.written === 0) return await Deno.remove(this.#temp);
    this.#partial = this.#temp;
    if (this.#partialName === undefined) return;
    try {
      await Deno.rename(this.#temp, this.#partialName);
      this.#partial = this.#partialName;
    } catch {
      // It stays under the temporary name.
    }
  }
}
