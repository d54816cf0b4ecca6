import type { ByteSource, Chunk, RandomAccess } from "../streams/mod.ts";
import type { BuiltinIo } from "./builtin.ts";
import { countLines } from "./_diff_ends.ts";
import { blocksOf, type HeldInput, holdInput, Storage } from "./_held_bytes.ts";
import { LineFile } from "./_line_file.ts";
import { errorText, isFatal, openFile } from "./_operands.ts";
import { PatchError } from "./_patch_talk.ts";
import { quoteName } from "./_quote.ts";

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
  readonly backUp: boolean;
}

/** The files that patches read and write, in the folder of `-d`. */
export class PatchFiles {
  /** Where results are held until their files may be overwritten. */
  readonly storage: Storage;
  readonly #io: BuiltinIo;
  readonly #place: (name: string) => string;
  readonly #backupName: (name: string) => string;
  readonly #removals: Removal[] = [];
  /** Files that patches have written, and those to remove unless one is written before the end. */
  readonly #states = new Map<string, "written" | "doomed">();

  /** `place` puts a name into its folder, `backupName` makes the name of a backup. */
  constructor(
    io: BuiltinIo,
    { place, backupName }: {
      place(name: string): string;
      backupName(name: string): string;
    },
  ) {
    this.storage = new Storage(io);
    this.#io = io;
    this.#place = place;
    this.#backupName = backupName;
  }

  /** Opens a file; `doomed` opens also one that is to be removed. */
  async open(name: string, doomed = false): Promise<PatchInput | "missing" | "folder"> {
    if (!doomed && this.#states.get(keyOf(name)) === "doomed") return "missing";
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
      if (why === "No such file or directory") return "missing";
      if (why === "Is a directory") return "folder";
      throw new PatchError(`Can't open file ${quoteName(name)} : ${why}`);
    }
  }

  /** Writes a file; the first time that patches do, it may be backed up before. */
  async replace(name: string, bytes: RandomAccess, backUp: boolean): Promise<void> {
    if (backUp && this.#states.get(keyOf(name)) !== "written") await this.#backUp(name);
    await this.#write(name, bytes, false);
    this.#states.set(keyOf(name), "written");
  }

  /** Writes the backup of a file, an empty one if the file is missing. */
  async #backUp(name: string): Promise<"missing" | "done"> {
    const held = await this.#hold(name);
    const backup = this.#backupName(name);
    if (held === "missing") {
      await this.#write(backup, NO_BYTES, false);
      return held;
    }
    if (held === "folder") {
      throw new PatchError(
        `File ${quoteName(name)} is not a regular file -- refusing to create backup`,
      );
    }
    try {
      await this.#write(backup, held, false);
    } finally {
      await held.close();
    }
    return "done";
  }

  /** Writes the backup of a file that stays as it is, also if there is one. */
  async backUpUnchanged(name: string): Promise<void> {
    if (await this.#backUp(name) === "done") return;
    throw new PatchError(`Can't reopen file ${quoteName(name)} : No such file or directory`);
  }

  /** Removes a file once all patches are done: until then it only counts as missing. */
  removeLater(name: string, backUp: boolean): void {
    this.#removals.push({ name, backUp });
    this.#states.set(keyOf(name), "doomed");
  }

  /**
   * Removes what is to be removed, and tells of each; `left` is called with what stays, empty,
   * because files cannot be removed here.
   */
  async *removals(left: (name: string) => void): AsyncGenerator<string, void, void> {
    const { remove } = this.#io;
    for (const { name, backUp } of this.#removals) {
      const key = keyOf(name);
      if (this.#states.get(key) !== "doomed") continue;
      yield name;
      if (backUp && await this.#backUp(name) === "missing") continue;
      this.#states.delete(key);
      if (remove === undefined) {
        await this.#write(name, NO_BYTES, false);
        left(name);
        continue;
      }
      try {
        await remove(this.#place(name));
      } catch (error) {
        if (isFatal(error, this.#io.signal)) throw error;
        const why = errorText(error);
        if (why === "No such file or directory") continue;
        throw new PatchError(`Can't remove file ${quoteName(name)} : ${why}`);
      }
    }
  }

  /** Writes a file that several patches write to, or adds to it. */
  async append(name: string, bytes: RandomAccess): Promise<void> {
    await this.#write(name, bytes, this.#states.get(keyOf(name)) === "written");
    this.#states.set(keyOf(name), "written");
  }

  async #write(name: string, bytes: RandomAccess, append: boolean): Promise<void> {
    const { create } = this.#io;
    if (create === undefined) {
      throw new PatchError(`Can't create file ${quoteName(name)} : Files cannot be written here`);
    }
    try {
      const sink = await create(this.#place(name), append);
      for await (const piece of blocksOf(bytes)) await sink.write(piece);
      await sink.close();
    } catch (error) {
      if (isFatal(error, this.#io.signal)) throw error;
      throw new PatchError(`Can't create file ${quoteName(name)} : ${errorText(error)}`);
    }
  }
}

/** The same for all ways to write a name. */
function keyOf(name: string): string {
  const parts = name.split("/").filter((part) => part !== "" && part !== ".");
  return (name.startsWith("/") ? "/" : "") + parts.join("/");
}

/** No bytes, for what is written empty. */
export const NO_BYTES: RandomAccess = {
  size: 0,
  read: (_offset: number, _into: Chunk) => Promise.resolve(0),
};
