import { errorText, isFatal } from "../../core/mod.ts";
import type { BuiltinIo } from "../../builtin.ts";

/** Makes and removes the folders of files, where there are ports for it. */
export class PatchFolders {
  readonly #io: BuiltinIo;
  readonly #place: (name: string) => string;
  /** Why the last folder could not be made. */
  #refusal: string | undefined;

  /** `place` puts a name into the folder of `-d`. */
  constructor(io: BuiltinIo, place: (name: string) => string) {
    this.#io = io;
    this.#place = place;
  }

  /**
   * Makes the missing folders of a file. As for GNU's, what fails here shows when the file is
   * written; {@linkcode reasonFor} then knows more.
   */
  async make(name: string): Promise<void> {
    const { mkdir } = this.#io;
    this.#refusal = undefined;
    if (mkdir === undefined) return;
    for (const folder of foldersOf(name)) {
      try {
        await mkdir(this.#place(folder));
      } catch (error) {
        if (isFatal(error, this.#io.signal)) throw error;
        const why = errorText(error);
        if (why !== "File exists") this.#refusal = why;
      }
    }
  }

  /** Why a file could not be written: a folder that is missing may have been refused. */
  reasonFor(why: string): string {
    return why === "No such file or directory" ? this.#refusal ?? why : why;
  }

  /** Removes the folders of a file that are empty now, the innermost first, and tells of each. */
  async *removeEmpty(name: string): AsyncGenerator<string, void, void> {
    const { rmdir } = this.#io;
    if (rmdir === undefined) return;
    for (const folder of foldersOf(name).reverse()) {
      try {
        await rmdir(this.#place(folder));
      } catch (error) {
        if (isFatal(error, this.#io.signal)) throw error;
        continue;
      }
      yield folder;
    }
  }
}

/** The folders in a name, the outermost first; not `.`, `..` and the root. */
function foldersOf(name: string): string[] {
  return [...name.matchAll(/\/+(?=[^/])/g)].map(({ index }) => name.slice(0, index))
    .filter((folder) => folder !== "" && !/(^|\/)\.\.?$/.test(folder));
}
