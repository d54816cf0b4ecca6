import type { Chunk } from "../streams/mod.ts";
import { VfsError } from "./errors.ts";
import type { VfsHandle, VfsInfo, VfsMode } from "./types.ts";

/** The operations of a handle, without checks of mode, arguments and closing. */
export interface HandleAccess {
  readonly info: VfsInfo;
  stat(): Promise<VfsInfo>;
  read(at: number, into: Chunk): Promise<number>;
  write(at: number | "end", chunk: Chunk): Promise<void>;
  truncate(size: number): Promise<void>;
  close(): Promise<void>;
}

/**
 * Makes a handle that refuses operations its mode does not allow, invalid numbers, and use after
 * `close`.
 */
export function vfsHandle(path: string, mode: VfsMode, access: HandleAccess): VfsHandle {
  return new CheckedHandle(path, mode, access);
}

class CheckedHandle implements VfsHandle {
  readonly info: VfsInfo;
  readonly mode: VfsMode;
  readonly #path: string;
  readonly #access: HandleAccess;
  #closed: Promise<void> | undefined;

  constructor(path: string, mode: VfsMode, access: HandleAccess) {
    this.info = access.info;
    this.mode = mode;
    this.#path = path;
    this.#access = access;
  }

  async stat(): Promise<VfsInfo> {
    this.#check("look at", true);
    return await this.#access.stat();
  }

  async read(at: number, into: Chunk): Promise<number> {
    this.#check("read", this.mode === "r" || this.mode === "rw");
    this.#checkNumber("read", at);
    return into.length === 0 ? 0 : await this.#access.read(at, into);
  }

  async write(at: number | "end", chunk: Chunk): Promise<void> {
    this.#check("write", this.mode !== "r");
    if (at !== "end") this.#checkNumber("write", at);
    if (chunk.length > 0) await this.#access.write(this.mode === "a" ? "end" : at, chunk);
  }

  async truncate(size: number): Promise<void> {
    this.#check("cut", this.mode !== "r");
    this.#checkNumber("cut", size);
    await this.#access.truncate(size);
  }

  close(): Promise<void> {
    return this.#closed ??= this.#access.close();
  }

  #check(action: string, allowed: boolean): void {
    if (this.#closed !== undefined) {
      throw new VfsError("EBADF", this.#path, action, "it is closed");
    }
    if (!allowed) {
      throw new VfsError("EBADF", this.#path, action, `it was opened with mode ${this.mode}`);
    }
  }

  #checkNumber(action: string, number: number): void {
    if (Number.isSafeInteger(number) && number >= 0) return;
    throw new VfsError("EINVAL", this.#path, action, `${number} is not a valid offset`);
  }
}
