import type { ByteSource, Chunk, RandomAccess } from "../../../streams/mod.ts";
import { errorText, isFatal, openFile } from "../../core/mod.ts";
import type { BuiltinIo } from "../../builtin.ts";
import {
  blocksOf,
  countLines,
  type HeldInput,
  holdInput,
  LineFile,
  Storage,
} from "../../hold/mod.ts";
import { PatchFolders } from "./folders.ts";
import { FileHistory } from "./history.ts";
import { type PatchResult, ResultQueue } from "./queue.ts";
import { PatchError } from "./talk.ts";
import { quoteName } from "../../text/mod.ts";

const ABSENT = "No such file or directory";

/** A file to patch, which is read where it is looked at. */
export interface PatchInput {
  /** The bytes. */
  readonly bytes: RandomAccess;
  /** The lines, which have been counted. */
  readonly lines: LineFile;
  /** Closes it. */
  close(): Promise<void>;
}

/** A file that is to be removed at the end, and whether it is backed up then. */
interface Removal {
  readonly name: string;
  readonly id: number;
  readonly backUp: boolean;
}

/** The files that patches read and write, in the folder of `-d`. */
export class PatchFiles {
  /** Where results are held until their files may be overwritten. */
  readonly storage: Storage;
  /** What patches have done to files. */
  readonly history: FileHistory = new FileHistory();
  /** The folders of the files. */
  readonly folders: PatchFolders;
  readonly #io: BuiltinIo;
  readonly #place: (name: string) => string;
  readonly #backupName: (name: string) => string;
  readonly #backupFolders: (name: string) => boolean;
  readonly #removals: Removal[] = [];
  readonly #queue: ResultQueue;
  /** Files that all patches write to, which have been begun. */
  readonly #begun = new Set<string>();

  /** Takes the settings that tell where files and backups are. */
  constructor(
    io: BuiltinIo,
    { place, backupName, makesBackupFolders }: {
      place(name: string): string;
      backupName(name: string): string;
      makesBackupFolders(name: string): boolean;
    },
  ) {
    this.storage = new Storage(io);
    this.folders = new PatchFolders(io, place);
    this.#queue = new ResultQueue(this.storage);
    this.#io = io;
    this.#place = place;
    this.#backupName = backupName;
    this.#backupFolders = makesBackupFolders;
  }

  /** Opens a file; `doomed` opens also one that is to be removed. */
  async open(name: string, doomed = false): Promise<PatchInput | "missing" | "folder"> {
    if (!doomed && this.history.stateOf(name) === "doomed") return "missing";
    const held = await this.#hold(name);
    if (typeof held === "string") return held;
    try {
      const lines = await LineFile.of(held);
      await countLines([lines, lines], { ends: [0, 0], lines: [0, 0] });
      return { bytes: held, lines, close: () => held.close() };
    } catch (error) {
      await held.close();
      throw error;
    }
  }

  /** Whether there is such a file or folder. */
  async exists(name: string): Promise<boolean> {
    const held = await this.#hold(name);
    if (typeof held === "object") await held.close();
    return held !== "missing";
  }

  /** Whether there is such a folder. */
  async isFolder(name: string): Promise<boolean> {
    const held = await this.#hold(name);
    if (typeof held === "object") await held.close();
    return held === "folder";
  }

  async #hold(name: string): Promise<HeldInput | "missing" | "folder"> {
    let source: ByteSource | undefined;
    try {
      const opened = source = await openFile(this.#place(name), this.#io);
      const held = await holdInput(opened, this.storage);
      return {
        size: held.size,
        read: (offset, into) => held.read(offset, into),
        close: async () => {
          await held.close();
          await opened.return();
        },
      };
    } catch (error) {
      await source?.return();
      if (isFatal(error, this.#io.signal)) throw error;
      const why = errorText(error);
      if (why === ABSENT || why === "Not a directory") return "missing";
      if (why === "Is a directory") return "folder";
      throw new PatchError(`Can't open file ${quoteName(name)} : ${why}`);
    }
  }

  /** Whether permission bits can be set. */
  get setsModes(): boolean {
    return this.#io.chmod !== undefined;
  }

  /** The permission bits of a file, if there are such. */
  async modeOf(name: string): Promise<number | undefined> {
    return this.setsModes ? await this.#io.mode?.(this.#place(name)) : undefined;
  }

  /** Puts a result into its file; with `later` when {@linkcode flush} is called. */
  async put(result: PatchResult, later: boolean): Promise<void> {
    if (later) await this.#queue.add(result);
    else await this.#putNow(result);
  }

  /** Writes what waits to be written. */
  async flush(): Promise<void> {
    for await (const result of this.#queue.take()) await this.#putNow(result);
  }

  /** Releases what waits to be written. */
  async close(): Promise<void> {
    await this.#queue.close();
  }

  async #putNow({ name, bytes, backUp, mode }: PatchResult): Promise<void> {
    if (bytes === undefined) {
      if (!backUp || await this.#backUp(name, true) !== "missing") return;
      throw new PatchError(`Can't reopen file ${quoteName(name)} : ${ABSENT}`);
    }
    if (backUp) await this.#backUp(name);
    this.history.overwrite(name);
    await this.#write(name, bytes, { folders: true });
    this.history.create(name);
    if (mode === undefined) return;
    await this.#io.chmod?.(this.#place(name), mode);
  }

  /**
   * Writes the backup of a file, an empty one if the file is missing. What a patch has made needs
   * none, unless `always`.
   */
  async #backUp(name: string, always = false): Promise<"missing" | "done"> {
    const held = await this.#hold(name);
    const backup = this.#backupName(name);
    const folders = this.#backupFolders(name);
    if (held === "missing") {
      await this.#write(backup, NO_BYTES, { folders: true });
      return held;
    }
    if (held === "folder") {
      throw new PatchError(
        `File ${quoteName(name)} is not a regular file -- refusing to create backup`,
      );
    }
    try {
      if (!always && this.history.stateOf(name) === "created") return "done";
      await this.#write(backup, held, { folders });
    } finally {
      await held.close();
    }
    const mode = await this.modeOf(name);
    if (mode !== undefined) await this.#io.chmod?.(this.#place(backup), mode);
    return "done";
  }

  /** Removes a file once all patches are done: until then it only counts as missing. */
  removeLater(name: string, id: number, backUp: boolean): void {
    this.#removals.push({ name, id, backUp });
    this.history.doom(id);
  }

  /**
   * Removes what is to be removed, and tells of each, also of folders that were left empty; `left`
   * is called with what stays, empty, because files cannot be removed here.
   */
  async *removals(
    left: (name: string) => void,
  ): AsyncGenerator<{ readonly kind: "file" | "folder"; readonly name: string }, void, void> {
    for (const { name, id, backUp } of this.#removals) {
      if (!this.history.isDoomed(id)) continue;
      yield { kind: "file", name };
      // As for GNU's, the backup takes the file away: what a patch has made needs none, and stays.
      const stays = backUp && this.history.stateOf(name) === "created";
      if (backUp && await this.#backUp(name) === "missing") continue;
      this.history.overwrite(name);
      if (!stays) await this.#remove(name, left);
      for await (const folder of this.folders.removeEmpty(name)) {
        yield { kind: "folder", name: folder };
      }
    }
  }

  async #remove(name: string, left: (name: string) => void): Promise<void> {
    const { remove } = this.#io;
    if (remove === undefined) {
      await this.#write(name, NO_BYTES);
      left(name);
      return;
    }
    try {
      await remove(this.#place(name));
    } catch (error) {
      if (isFatal(error, this.#io.signal)) throw error;
      const why = errorText(error);
      if (why === ABSENT) return;
      throw new PatchError(`Can't remove file ${quoteName(name)} : ${why}`);
    }
  }

  /** Writes a file that all patches write to, or adds to it. */
  async append(name: string, bytes: RandomAccess): Promise<void> {
    await this.#write(name, bytes, { append: this.#begun.has(name) });
    this.#begun.add(name);
  }

  /** Writes the rejects of one file, or adds to what was written there before. */
  async reject(name: string, bytes: RandomAccess): Promise<void> {
    await this.#write(name, bytes, { append: this.history.stateOf(name) === "created" });
    this.history.create(name);
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
    try {
      const sink = await create(this.#place(name), append).catch(async (error) => {
        if (!folders || isFatal(error, this.#io.signal) || errorText(error) !== ABSENT) throw error;
        await this.folders.make(name);
        return await create(this.#place(name), append);
      });
      for await (const piece of blocksOf(bytes)) await sink.write(piece);
      await sink.close();
    } catch (error) {
      if (isFatal(error, this.#io.signal)) throw error;
      const why = this.folders.reasonFor(errorText(error));
      throw new PatchError(`Can't create file ${quoteName(name)} : ${why}`);
    }
  }
}

/** No bytes, for what is written empty. */
export const NO_BYTES: RandomAccess = {
  size: 0,
  read: (_offset: number, _into: Chunk) => Promise.resolve(0),
};
