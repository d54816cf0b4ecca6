import type { HostFile } from "../../ports/mod.ts";
import type { Chunk } from "../../streams/mod.ts";
import { hostError } from "../_resolve.ts";
import type { Vfs, VfsHandle, VfsInfo, VfsMode } from "../types.ts";
import { hostFile, type LowerFiles } from "./lower.ts";
import type { Leaf, Movable } from "./tree.ts";

/** A handle of the layer, or a lower file. */
type Side = Pick<HostFile, "stat" | "read" | "write" | "truncate" | "close" | "path">;

/** The parts of an overlay that an open file uses. */
export interface OpenFileFiles {
  readonly layer: Vfs;
  readonly lower: LowerFiles;
  /** Opens a file of the layer. */
  openContent(content: string, mode: VfsMode): Promise<VfsHandle>;
  /** Copies the first bytes of a file from `source` into the layer, unless it has a copy. */
  copyUp(leaf: Leaf, keep: number, source: Side): Promise<void>;
  /** Called when an open file was closed. */
  closed(leaf: Leaf): void;
}

/**
 * An open file of an overlay. It reads the lower file until any of its handles writes; then the
 * bytes are copied, and all handles use the copy.
 */
export class OpenFile implements HostFile, Movable {
  readonly #files: OpenFileFiles;
  readonly #leaf: Leaf;
  readonly #mode: VfsMode;
  readonly #path: string;
  #side: Side | undefined;
  #info: VfsInfo | undefined;
  /** Sides used before the copy, from which a read may still be in progress. */
  readonly #earlier: Side[] = [];

  private constructor(files: OpenFileFiles, leaf: Leaf, mode: VfsMode, path: string) {
    this.#files = files;
    this.#leaf = leaf;
    this.#mode = mode;
    this.#path = path;
  }

  /**
   * Opens the file at `path` of the overlay. `made` is an open handle of its bytes in the layer.
   */
  static async open(
    files: OpenFileFiles,
    leaf: Leaf,
    mode: VfsMode,
    path: string,
    made?: VfsHandle,
  ): Promise<OpenFile> {
    const file = new OpenFile(files, leaf, mode, path);
    leaf.open.add(file);
    try {
      if (made === undefined) await file.#begin();
      else file.#use(hostFile(made));
      file.#info = await file.stat();
      return file;
    } catch (error) {
      await file.close();
      throw error;
    }
  }

  get info(): VfsInfo {
    if (this.#info === undefined) throw new Error("It is not open yet");
    return this.#info;
  }

  get path(): string | undefined {
    const { content, from } = this.#leaf;
    // The system tells the path of a lower file at its own place; a moved file has its new path.
    return content === undefined && from === this.#path ? this.#side?.path : this.#path;
  }

  async stat(): Promise<VfsInfo> {
    return infoOf(this.#leaf, await this.#now().stat());
  }

  async read(offset: number, into: Chunk): Promise<number> {
    return await this.#now().read(offset, into);
  }

  async write(offset: number | "end", chunk: Chunk): Promise<void> {
    await this.#files.copyUp(this.#leaf, Infinity, this.#now());
    await this.#now().write(offset, chunk);
  }

  async truncate(size: number): Promise<void> {
    await this.#files.copyUp(this.#leaf, size, this.#now());
    await this.#now().truncate(size);
  }

  async close(): Promise<void> {
    this.#leaf.open.delete(this);
    this.#files.closed(this.#leaf);
    for (const side of [...this.#earlier, this.#side]) await side?.close();
  }

  async reopen(content: string): Promise<{ use(): void; close(): Promise<void> }> {
    const side = await this.#open(content);
    return { use: () => this.#use(side), close: () => side.close() };
  }

  #now(): Side {
    if (this.#side === undefined) throw new Error("It is not open yet");
    return this.#side;
  }

  async #begin(): Promise<void> {
    for (;;) {
      const { content } = this.#leaf;
      const side = await this.#open(content);
      // Another handle may have made a copy and given it to this file, too.
      if (this.#side === undefined && this.#leaf.content === content) return this.#use(side);
      await side.close();
      if (this.#side !== undefined) return;
    }
  }

  #use(side: Side): void {
    if (this.#side !== undefined) this.#earlier.push(this.#side);
    this.#side = side;
  }

  async #open(content: string | undefined): Promise<Side> {
    const { lower } = this.#files;
    if (content === undefined) return await openLower(lower, this.#leaf);
    const mode = this.#mode === "w" ? "rw" : this.#mode;
    return hostFile(await this.#files.openContent(content, mode));
  }
}

/** Opens the lower file of a leaf, and checks that it is at the expected path. */
export async function openLower(lower: LowerFiles, { from }: Leaf): Promise<HostFile> {
  if (from === undefined) throw hostError("EIO");
  const file = await lower.open(from);
  if (file.path === undefined || file.path === from) return file;
  await file.close();
  throw hostError("EACCES");
}

/** Combines the properties of a file's bytes with those that the layer sets. */
export function infoOf({ content, mode }: Leaf, info: VfsInfo): VfsInfo {
  if (content === undefined) return info;
  return { ...info, mode: mode ?? info.mode, id: `layer:${content}`, links: 1 };
}
