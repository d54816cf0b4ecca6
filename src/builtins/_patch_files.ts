import type { Chunk, RandomAccess } from "../streams/mod.ts";
import type { BuiltinIo } from "./builtin.ts";
import { countLines } from "./_diff_ends.ts";
import { blocksOf, holdInput, Storage } from "./_held_bytes.ts";
import { LineFile } from "./_line_file.ts";
import { errorText, isFatal, openFile } from "./_operands.ts";
import { PatchError } from "./_patch_parse.ts";
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

/** The files that patches read and write, in the folder of `-d`. */
export class PatchFiles {
  /** Where results are held until their files may be overwritten. */
  readonly storage: Storage;
  readonly #io: BuiltinIo;
  readonly #place: (name: string) => string;
  /** What several patches write to, `-o` and `-r`, and was begun. */
  readonly #begun = new Set<string>();
  /** Files to remove at the end, if nothing writes to them before. */
  readonly #removed = new Set<string>();
  readonly #touched = new Set<string>();

  /** `place` puts a name into its folder. */
  constructor(io: BuiltinIo, place: (name: string) => string) {
    this.storage = new Storage(io);
    this.#io = io;
    this.#place = place;
  }

  /** Opens a file, `undefined` if there is none; `still` opens also one that is to be removed. */
  async open(name: string, still = false): Promise<PatchInput | undefined> {
    if (this.#removed.has(name) && !still) return undefined;
    try {
      const source = await openFile(this.#place(name), this.#io);
      try {
        const held = await holdInput(source, this.storage);
        const lines = await LineFile.of(held);
        await countLines([lines, lines], { ends: [0, 0], lines: [0, 0] });
        const close = async (): Promise<void> => {
          await held.close();
          await source.return();
        };
        return { bytes: held, lines, close };
      } catch (error) {
        await source.return();
        throw error;
      }
    } catch (error) {
      if (isFatal(error, this.#io.signal)) throw error;
      const why = errorText(error);
      if (why === "No such file or directory") return undefined;
      if (why === "Is a directory") {
        throw new PatchError(`File ${quoteName(name)} is not a regular file -- refusing to patch`);
      }
      throw new PatchError(`Can't open file ${quoteName(name)} : ${why}`);
    }
  }

  /** Whether a file has been written or removed before. */
  isTouched(name: string): boolean {
    return this.#touched.has(name);
  }

  /** Whether files can be removed here. */
  get canRemove(): boolean {
    return this.#io.remove !== undefined;
  }

  /** Removes a file once all patches are done: until then it only counts as missing. */
  remove(name: string): void {
    this.#removed.add(name);
    this.#touched.add(name);
  }

  /** Removes what is to be removed, and tells of each. */
  async *removals(): AsyncGenerator<string, void, void> {
    for (const name of this.#removed) {
      yield name;
      try {
        await this.#io.remove?.(this.#place(name));
      } catch (error) {
        if (isFatal(error, this.#io.signal)) throw error;
        throw new PatchError(`Can't remove file ${quoteName(name)} : ${errorText(error)}`);
      }
    }
  }

  /** Adds to a file that several patches write to. */
  async append(name: string, bytes: RandomAccess): Promise<void> {
    await this.#write(name, bytes, this.#begun.has(name));
    this.#begun.add(name);
  }

  /** Writes a file. */
  async write(name: string, bytes: RandomAccess): Promise<void> {
    await this.#write(name, bytes, false);
  }

  async #write(name: string, bytes: RandomAccess, append: boolean): Promise<void> {
    const { create } = this.#io;
    if (create === undefined) {
      throw new PatchError(`Can't create file ${quoteName(name)} : Files cannot be written here`);
    }
    this.#removed.delete(name);
    this.#touched.add(name);
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

/** No bytes, for what is written empty. */
export const NO_BYTES: RandomAccess = {
  size: 0,
  read: (_offset: number, _into: Chunk) => Promise.resolve(0),
};
