import type { BuiltinIo } from "./builtin.ts";
import { errorText, isFatal, openFile } from "./_operands.ts";
import { PatchError } from "./_patch_parse.ts";
import { byteLines, readWhole, textBytes } from "./_patch_text.ts";
import { quoteName } from "./_quote.ts";

/** The files that patches read and write, in the folder of `-d`. */
export class PatchFiles {
  readonly #io: BuiltinIo;
  readonly #place: (name: string) => string;
  /** What `-o` and `-r` have collected. */
  readonly #collected = new Map<string, string>();

  /** `place` puts a name into its folder. */
  constructor(io: BuiltinIo, place: (name: string) => string) {
    this.#io = io;
    this.#place = place;
  }

  /** The lines of a file, `undefined` if there is none. */
  async read(name: string): Promise<readonly string[] | undefined> {
    try {
      const source = await openFile(this.#place(name), this.#io);
      try {
        return byteLines(await readWhole(source, name));
      } finally {
        await source.return();
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

  /** Adds to a file that several patches write to. */
  async append(name: string, text: string): Promise<void> {
    const all = (this.#collected.get(name) ?? "") + text;
    this.#collected.set(name, all);
    await this.write(name, all);
  }

  /** Writes a file. */
  async write(name: string, text: string): Promise<void> {
    const { create } = this.#io;
    if (create === undefined) {
      throw new PatchError(`Can't create file ${quoteName(name)} : Files cannot be written here`);
    }
    try {
      const sink = await create(this.#place(name));
      if (text !== "") await sink.write(textBytes(text));
      await sink.close();
    } catch (error) {
      if (isFatal(error, this.#io.signal)) throw error;
      throw new PatchError(`Can't create file ${quoteName(name)} : ${errorText(error)}`);
    }
  }
}
