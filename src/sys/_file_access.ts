import { type Chunk, noteTurn, type RandomAccess } from "../streams/mod.ts";
import { fileError } from "./errors.ts";
import { OwnOutput } from "./_own_output.ts";

/**
 * Random access to an open regular file. Several readers may share it: each read seeks and reads in
 * one step. Sequential reads do not seek.
 */
export class FileAccess implements RandomAccess {
  readonly size: number;
  readonly #file: Deno.FsFile;
  readonly #path: string;
  readonly #own: OwnOutput;
  #position = 0;
  #last: Promise<unknown> = Promise.resolve();
  #waiting = 0;

  constructor(file: Deno.FsFile, size: number, path: string) {
    this.#file = file;
    this.size = size;
    this.#path = path;
    this.#own = new OwnOutput(path, size);
  }

  async read(offset: number, into: Chunk): Promise<number> {
    if (into.length === 0) return 0;
    const turn = this.#waiting++ === 0
      ? this.#step(offset, into)
      : this.#last.then(() => this.#step(offset, into));
    this.#last = turn.catch(() => {});
    try {
      return await turn;
    } finally {
      this.#waiting--;
    }
  }

  async #step(offset: number, into: Chunk): Promise<number> {
    try {
      if (this.#position !== offset) {
        this.#file.seekSync(offset, Deno.SeekMode.Start);
        this.#position = offset;
      }
      const read = await this.#file.read(into) ?? 0;
      noteTurn();
      this.#position += read;
      return this.#own.limit(offset, read);
    } catch (error) {
      this.#position = -1;
      throw fileError(`read ${this.#path}`, this.#path, error);
    }
  }
}
