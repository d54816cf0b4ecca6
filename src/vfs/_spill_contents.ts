import type { HostFile } from "../ports/mod.ts";
import type { Chunk } from "../streams/mod.ts";
import { type Contents, MemoryContents } from "./_contents.ts";
import { VfsError, vfsError } from "./errors.ts";

/** The space that all virtual files of a {@linkcode Vfs} share. */
export class Budget {
  readonly #total: number;
  readonly #memory: number;
  #used = 0;
  #held = 0;

  /** Allows `total` bytes, of which `memory` may be in memory. */
  constructor(total: number, memory: number) {
    this.#total = total;
    this.#memory = memory;
  }

  /** Takes bytes, or returns them if the number is negative. */
  take(bytes: number): void {
    if (bytes > 0 && this.#used + bytes > this.#total) {
      const why = `all virtual files together may have ${this.#total} bytes`;
      throw new VfsError("EDQUOT", "", "grow the file", why);
    }
    this.#used += bytes;
  }

  /** Takes memory; returns `false` if there is not enough. */
  hold(bytes: number): boolean {
    if (bytes > 0 && this.#held + bytes > this.#memory) return false;
    this.#held += bytes;
    return true;
  }
}

/** The storage of the bytes. */
type Store = Pick<HostFile, "write" | "truncate">;

/**
 * The bytes of a virtual file: in memory while the budget allows, then in a temporary file without
 * a name. The system deletes that file, however this process ends.
 */
export class SpillContents implements Contents {
  readonly #budget: Budget;
  readonly #scratch: () => Promise<HostFile>;
  #memory: MemoryContents | undefined = new MemoryContents();
  #file: HostFile | undefined;
  #size = 0;
  /** Runs one change at a time: each may move the bytes. */
  #last: Promise<unknown> = Promise.resolve();
  #released = false;

  constructor(budget: Budget, scratch: () => Promise<HostFile>) {
    this.#budget = budget;
    this.#scratch = scratch;
  }

  get size(): number {
    return this.#size;
  }

  read(at: number, into: Chunk): Promise<number> {
    return this.#inTurn(async () => {
      if (this.#memory !== undefined) return await this.#memory.read(at, into);
      const most = into.subarray(0, Math.max(0, this.#size - at));
      return await this.#file?.read(at, most) ?? 0;
    });
  }

  write(at: number | "end", chunk: Chunk): Promise<void> {
    return this.#inTurn(async () => {
      const begin = at === "end" ? this.#size : at;
      await this.#growing(begin + chunk.length, (contents) => contents.write(begin, chunk));
    });
  }

  truncate(size: number): Promise<void> {
    return this.#inTurn(async () => {
      await this.#growing(size, (contents) => contents.truncate(size));
      this.#setSize(size);
    });
  }

  release(): Promise<void> {
    return this.#inTurn(async () => {
      if (this.#released) return;
      this.#released = true;
      this.#setSize(0);
      this.#memory = undefined;
      await this.#file?.close();
    });
  }

  /** Reserves room for that many bytes and runs the action; if it fails, restores the old size. */
  async #growing(size: number, action: (contents: Store) => Promise<void>): Promise<void> {
    if (this.#released) throw new VfsError("EBADF", "", "write", "it is closed");
    const before = this.#size;
    await this.#grow(size);
    const contents = this.#memory ?? this.#file;
    try {
      if (contents !== undefined) await action(contents);
    } catch (error) {
      if (this.#size > before) {
        // A part may have been written; it must not show when the file grows again.
        await contents?.truncate(before).catch(() => {});
        this.#setSize(before);
      }
      throw error;
    }
  }

  /** Sets a size that is not above the old one, and returns what that frees. */
  #setSize(size: number): void {
    this.#budget.take(size - this.#size);
    if (this.#memory !== undefined) this.#budget.hold(size - this.#size);
    this.#size = size;
  }

  /** Reserves room for that many bytes; moves them to a file if there is not enough memory. */
  async #grow(size: number): Promise<void> {
    const more = size - this.#size;
    if (more <= 0) return;
    this.#budget.take(more);
    try {
      if (this.#memory !== undefined && !this.#budget.hold(more)) await this.#spill(this.#memory);
    } catch (error) {
      this.#budget.take(-more);
      throw error;
    }
    this.#size = size;
  }

  async #spill(memory: MemoryContents): Promise<void> {
    const file = await this.#makeFile();
    try {
      const bytes = new Uint8Array(memory.size);
      await memory.read(0, bytes);
      await file.write(0, bytes);
    } catch (error) {
      await file.close();
      throw error;
    }
    this.#file = file;
    this.#memory = undefined;
    this.#budget.hold(-memory.size);
    await memory.release();
  }

  async #makeFile(): Promise<HostFile> {
    try {
      return await this.#scratch();
    } catch (error) {
      const failure = vfsError(error, "", "make a temporary file");
      if (failure instanceof VfsError) throw failure;
      throw new VfsError("EIO", "", "make a temporary file", undefined, { cause: error });
    }
  }

  #inTurn<Result>(action: () => Promise<Result>): Promise<Result> {
    const result = this.#last.then(action);
    this.#last = result.catch(() => {});
    return result;
  }
}
