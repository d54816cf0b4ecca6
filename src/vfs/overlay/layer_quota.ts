import { eachAtOnce } from "../../base/mod.ts";
import type { Vfs, VfsHandle, VfsMode } from "../types.ts";
import { CONTENTS } from "./log.ts";

/** Number of files or paths that are processed at a time. */
export const AT_ONCE = 16;

/** The size of a file, which counts while it has a name or an open handle. */
interface Counted {
  size: number;
  open: number;
  named: boolean;
}

/**
 * Limits the total size of a layer's files and its log. Shrinking a file and writing to the log
 * always work, so that files can be removed from a full layer.
 */
export class LayerQuota {
  readonly #layer: Vfs;
  readonly #most: number;
  readonly #files: Map<string, Counted> = new Map();
  #used = 0;

  private constructor(layer: Vfs, most: number) {
    this.#layer = layer;
    this.#most = most;
  }

  /** Counts the sizes of a layer's files. Without `most` there is no limit. */
  static async of(
    layer: Vfs,
    names: readonly string[],
    most = Infinity,
  ): Promise<LayerQuota> {
    const quota = new LayerQuota(layer, most);
    if (most === Infinity) return quota;
    await eachAtOnce(names, AT_ONCE, async (name) => {
      const { size } = await layer.stat(`${CONTENTS}/${name}`);
      quota.#files.set(name, { size, open: 0, named: true });
      quota.#used += size;
    });
    return quota;
  }

  /** Adds bytes, or subtracts them if the number is negative, without checking the limit. */
  count(bytes: number): void {
    this.#used += bytes;
  }

  /** Throws if there is no room for `bytes` more. */
  requireRoom(bytes = 1): void {
    if (this.#used + bytes <= this.#most) return;
    // The path is empty here: the caller adds the file's.
    const why = `the layer is limited to ${this.#most} bytes`;
    throw Object.assign(new Error(why), { code: "EDQUOT", why });
  }

  /** Opens a file of the layer, whose growth then counts. */
  async open(name: string, mode: VfsMode): Promise<VfsHandle> {
    const path = `${CONTENTS}/${name}`;
    if (this.#most === Infinity) return await this.#layer.open(path, mode);
    if (!this.#files.has(name)) this.requireRoom();
    const handle = await this.#layer.open(path, mode);
    const file = this.#files.get(name) ?? { size: 0, open: 0, named: true };
    this.#files.set(name, file);
    file.open++;
    return this.#counting(handle, file);
  }

  /** Removes the name of a file. */
  async remove(name: string): Promise<void> {
    await this.#layer.remove(`${CONTENTS}/${name}`);
    this.#forget(name);
  }

  /** Removes the names of all files. */
  clear(): void {
    for (const name of [...this.#files.keys()]) this.#forget(name);
  }

  #forget(name: string): void {
    const file = this.#files.get(name);
    if (file === undefined) return;
    this.#files.delete(name);
    file.named = false;
    this.#free(file);
  }

  #counting(handle: VfsHandle, file: Counted): VfsHandle {
    const grow = async (size: number, action: () => Promise<void>) => {
      const before = file.size;
      if (size > before) this.requireRoom(size - before);
      this.#resize(file, size);
      try {
        await action();
      } catch (error) {
        // It is unknown how much was written: counting too much is harmless.
        this.#resize(file, Math.max(before, await handle.stat().then(({ size }) => size, () => 0)));
        throw error;
      }
    };
    let closed = false;
    return {
      info: handle.info,
      mode: handle.mode,
      stat: () => handle.stat(),
      read: (at, into) => handle.read(at, into),
      write: (at, chunk) => {
        const end = (at === "end" ? file.size : at) + chunk.length;
        return grow(Math.max(file.size, end), () => handle.write(at, chunk));
      },
      truncate: (size) => grow(size, () => handle.truncate(size)),
      close: async () => {
        if (!closed) file.open--;
        closed = true;
        this.#free(file);
        await handle.close();
      },
    };
  }

  #resize(file: Counted, size: number): void {
    this.#used += size - file.size;
    file.size = size;
  }

  #free(file: Counted): void {
    if (!file.named && file.open === 0) this.#resize(file, 0);
  }
}
