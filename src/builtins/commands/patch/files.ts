import type { ByteSource, Chunk, RandomAccess } from "../../../streams/mod.ts";
import type { BuiltinIo } from "../../builtin.ts";
import {
  blocksOf,
  countLines,
  type HeldInput,
  holdInput,
  LineFile,
  Storage,
} from "../../hold/mod.ts";
import { errorText, isFatal, openFile } from "../../core/mod.ts";
import { inFolder, type PatchSettings } from "./command.ts";
import { type PatchResult, ResultQueue } from "./queue.ts";
import { PatchError } from "./talk.ts";
import { quoteName } from "../../text/mod.ts";

const ABSENT = "No such file or directory";

/** A file to patch, read on demand. */
export interface PatchInput {
  /** The bytes. */
  readonly bytes: RandomAccess;
  /** The lines, already counted. */
  readonly lines: LineFile;
  /** Closes it. */
  close(): Promise<void>;
}

/**
 * The files that patches read and write, in the folder of `-d`. All patches of one git diff refer
 * to the files before that diff, so their results are queued until {@linkcode flush}. Files are
 * removed after all patches, and count as missing until then.
 */
export class PatchFiles {
  /** Holds results until their files may be overwritten. */
  readonly storage: Storage;
  readonly #io: BuiltinIo;
  readonly #settings: PatchSettings;
  readonly #queue: ResultQueue;
  /** Files that this run has written; see {@linkcode keyOf}. */
  readonly #written = new Set<string>();
  /** Files to remove at the end; `backUp` creates a backup first. */
  readonly #removals = new Map<string, { readonly name: string; readonly backUp: boolean }>();

  /** Accesses no file yet. */
  constructor(io: BuiltinIo, settings: PatchSettings) {
    this.storage = new Storage(io);
    this.#io = io;
    this.#settings = settings;
    this.#queue = new ResultQueue(this.storage);
  }

  /**
   * Opens a file. A queued file that does not exist yet is written first. A file to be removed
   * counts as missing, unless `always`.
   */
  async open(name: string, always = false): Promise<PatchInput | "missing" | "folder"> {
    let held = await this.#hold(name);
    if (held === "missing" && this.isQueued(name)) {
      await this.flush();
      held = await this.#hold(name);
    }
    if (typeof held === "string") return held;
    if (!always && this.#removals.has(keyOf(name))) {
      await held.close();
      return "missing";
    }
    try {
      const lines = await LineFile.of(held);
      await countLines(lines);
      return { bytes: held, lines, close: held.close };
    } catch (error) {
      await held.close();
      throw error;
    }
  }

  async #hold(name: string): Promise<HeldInput | "missing" | "folder"> {
    try {
      return await holdFile(this.#place(name), this.#io, this.storage);
    } catch (error) {
      if (isFatal(error, this.#io.signal)) throw error;
      const why = errorText(error);
      if (why === ABSENT || why === "Not a directory") return "missing";
      if (why === "Is a directory") return "folder";
      throw new PatchError(`Can't open file ${quoteName(name)} : ${why}`);
    }
  }

  #place(name: string): string {
    return inFolder(this.#settings.folder, name);
  }

  /** True if permission bits can be set. */
  get setsModes(): boolean {
    return this.#io.chmod !== undefined;
  }

  /** The permission bits of a file, if available. */
  async modeOf(name: string): Promise<number | undefined> {
    return this.setsModes ? await this.#io.mode?.(this.#place(name)) : undefined;
  }

  /** True if a result for a file is queued. */
  isQueued(name: string): boolean {
    return this.#queue.has((each) => keyOf(each) === keyOf(name));
  }

  /** Writes a result to its file; with `later`, on the next {@linkcode flush}. */
  async put(result: PatchResult, later: boolean): Promise<void> {
    if (later) await this.#queue.add(result);
    else await this.#putNow(result);
  }

  /** Writes the queued results. */
  async flush(): Promise<void> {
    for await (const result of this.#queue.take()) await this.#putNow(result);
  }

  async #putNow({ name, bytes, backUp, mode }: PatchResult): Promise<void> {
    if (backUp && await this.#backUp(name) === "missing" && bytes === undefined) {
      throw new PatchError(`Can't reopen file ${quoteName(name)} : ${ABSENT}`);
    }
    if (bytes === undefined) return;
    await this.#write(name, bytes, { folders: true });
    this.#removals.delete(keyOf(name));
    if (mode !== undefined) await this.#io.chmod?.(this.#place(name), mode);
  }

  /** Backs up a file as it was before this run; the backup of a missing file is empty. */
  async #backUp(name: string): Promise<"missing" | "done"> {
    if (this.#written.has(keyOf(name))) return "done";
    const held = await this.#hold(name);
    if (held === "folder") {
      throw new PatchError(
        `File ${quoteName(name)} is not a regular file -- refusing to create backup`,
      );
    }
    const backup = name + this.#settings.suffix;
    if (held === "missing") {
      await this.#write(backup, NO_BYTES, { folders: true });
      return held;
    }
    try {
      await this.#write(backup, held);
    } finally {
      await held.close();
    }
    const mode = await this.modeOf(name);
    if (mode !== undefined) await this.#io.chmod?.(this.#place(backup), mode);
    return "done";
  }

  /** Removes a file after all patches; until then it only counts as missing. */
  removeLater(name: string, backUp: boolean): void {
    this.#removals.set(keyOf(name), { name, backUp });
  }

  /**
   * Removes the files to be removed, and folders that become empty. If files cannot be removed
   * here, they are emptied and `left` is called for each.
   */
  async remove(left: (name: string) => void): Promise<void> {
    for (const { name, backUp } of this.#removals.values()) {
      if (backUp) await this.#backUp(name);
      if (this.#io.remove === undefined) {
        await this.#write(name, NO_BYTES);
        left(name);
        continue;
      }
      try {
        await this.#io.remove(this.#place(name));
      } catch (error) {
        if (isFatal(error, this.#io.signal)) throw error;
        const why = errorText(error);
        if (why === ABSENT) continue;
        throw new PatchError(`Can't remove file ${quoteName(name)} : ${why}`);
      }
      await this.#removeFolders(name);
    }
  }

  /** Removes the folders of a file, from the innermost on, if they are empty. */
  async #removeFolders(name: string): Promise<void> {
    for (const folder of foldersOf(name).reverse()) {
      try {
        await this.#io.rmdir?.(this.#place(folder));
      } catch (error) {
        if (isFatal(error, this.#io.signal)) throw error;
        return;
      }
    }
  }

  /**
   * Writes a file that several patches may write to, or appends to it; `folders` creates its
   * folders.
   */
  async append(name: string, bytes: RandomAccess, folders = false): Promise<void> {
    await this.#write(name, bytes, { append: this.#written.has(keyOf(name)), folders });
  }

  async #write(
    name: string,
    bytes: RandomAccess,
    { append = false, folders = false } = {},
  ): Promise<void> {
    const { create } = this.#io;
    if (create === undefined) {
      throw new PatchError(`Can't create file ${quoteName(name)} : Files cannot be written here`);
    }
    const path = this.#place(name);
    try {
      const sink = await create(path, append).catch(async (error) => {
        if (!folders || isFatal(error, this.#io.signal) || errorText(error) !== ABSENT) throw error;
        await this.#makeFolders(name);
        return await create(path, append);
      });
      for await (const piece of blocksOf(bytes)) await sink.write(piece);
      await sink.close();
    } catch (error) {
      if (isFatal(error, this.#io.signal)) throw error;
      throw new PatchError(`Can't create file ${quoteName(name)} : ${errorText(error)}`);
    }
    this.#written.add(keyOf(name));
  }

  async #makeFolders(name: string): Promise<void> {
    for (const folder of foldersOf(name)) {
      try {
        await this.#io.mkdir?.(this.#place(folder));
      } catch (error) {
        if (errorText(error) !== "File exists") throw error;
      }
    }
  }
}

/** Opens a file for random access; closing it closes its source. */
export async function holdFile(
  path: string,
  io: BuiltinIo,
  storage: Storage,
): Promise<HeldInput> {
  const source: ByteSource = await openFile(path, io);
  try {
    const held = await holdInput(source, storage);
    return {
      size: held.size,
      read: (offset, into) => held.read(offset, into),
      close: async () => {
        await held.close();
        await source.return();
      },
    };
  } catch (error) {
    await source.return();
    throw error;
  }
}

/** A key that is the same for all spellings of a name. */
function keyOf(name: string): string {
  const parts = name.split("/").filter((part) => part !== "" && part !== ".");
  return (name.startsWith("/") ? "/" : "") + parts.join("/");
}

/** The folders in a name, the outermost first, without `.`, `..` and the root. */
function foldersOf(name: string): string[] {
  return [...name.matchAll(/\/+(?=[^/])/g)].map(({ index }) => name.slice(0, index))
    .filter((folder) => folder !== "" && !/(^|\/)\.\.?$/.test(folder));
}

/** Empty contents. */
export const NO_BYTES: RandomAccess = {
  size: 0,
  read: (_offset: number, _into: Chunk) => Promise.resolve(0),
};
