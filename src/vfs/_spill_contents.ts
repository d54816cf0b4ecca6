import type { Chunk } from "../streams/mod.ts";
import { type Contents, MemoryContents } from "./_contents.ts";
import { VfsError } from "./errors.ts";
import type { HostFile } from "./host_port.ts";

/** What the virtual files of one {@linkcode Vfs} may take together. */
export class Budget {
  readonly #total: number;
  readonly #memory: number;
  #used = 0;
  #held = 0;

  /** `total` bytes, `memory` of them in memory. */
  constructor(total: number, memory: number) {
    this.#total = total;
    this.#memory = memory;
  }

  /** Takes bytes, or gives them back where the number is negative. */
  take(bytes: number): void {
    if (bytes > 0 && this.#used + bytes > this.#total) {
      const why = `virtual files may have ${this.#total} bytes together`;
      throw new VfsError("EDQUOT", "", "grow the file", why);
    }
    this.#used += bytes;
  }

  /** Takes memory where there is enough. */
  hold(bytes: number): boolean {
    if (bytes > 0 && this.#held + bytes > this.#memory) return false;
    this.#held += bytes;
    return true;
  }
}

/**
 * The bytes of a virtual file: in memory while there is enough of it, then in a temporary file that
 * has no name, so that nothing is left of it whenever this process ends.
 */
export class SpillContents implements Contents {
  readonly #budget: Budget;
  readonly #scratch: () => Promise<HostFile>;
  #memory: MemoryContents | undefined = new MemoryContents();
  #file: Promise<HostFile> | undefined;
  #size = 0;
  /** One change at a time: each may move the bytes. */
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
      return await (await this.#file)?.read(at, most) ?? 0;
    });
  }

  write(at: number, chunk: Chunk): Promise<void> {
    return this.#inTurn(async () => {
      const before = this.#size;
      await this.#grow(at + chunk.length);
      if (this.#memory !== undefined) return await this.#memory.write(at, chunk);
      try {
        await (await this.#file)?.write(at, chunk);
      } catch (error) {
        // The disk is full: the file is as long as it was.
        this.#budget.take(before - this.#size);
        this.#size = before;
        throw error;
      }
    });
  }

  truncate(size: number): Promise<void> {
    return this.#inTurn(async () => {
      await this.#grow(size);
      await (this.#memory ?? await this.#file)?.truncate(size);
      this.#budget.take(size - this.#size);
      if (this.#memory !== undefined) this.#budget.hold(size - this.#size);
      this.#size = size;
    });
  }

  release(): Promise<void> {
    return this.#inTurn(async () => {
      if (this.#released) return;
      this.#released = true;
      this.#budget.take(-this.#size);
      if (this.#memory !== undefined) this.#budget.hold(-this.#size);
      this.#memory = undefined;
      this.#size = 0;
      await (await this.#file)?.close();
    });
  }

  /** Makes place for that many bytes, in a file if there is not enough memory. */
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
    const file = await this.#scratch();
    try {
      const bytes = new Uint8Array(memory.size);
      await memory.read(0, bytes);
      await file.write(0, bytes);
    } catch (error) {
      await file.close();
      throw error;
    }
    this.#file = Promise.resolve(file);
    this.#memory = undefined;
    this.#budget.hold(-memory.size);
    await memory.release();
  }

  #inTurn<Result>(action: () => Promise<Result>): Promise<Result> {
    const result = this.#last.then(action);
    this.#last = result.catch(() => {});
    return result;
  }
}
