import { eachAtOnce } from "../../base/mod.ts";
import type { Vfs, VfsHandle, VfsMode } from "../types.ts";
import { CONTENTS } from "./log.ts";

/** How many files of a layer, or paths, are worked on at a time. */
export const AT_ONCE = 16;

/** The bytes of a file, as long as it has a name or someone has it open. */
interface Counted {
  size: number;
  open: number;
  named: boolean;
}

/**
 * Bounds what the files of a layer and its log have together. What makes it smaller, and the log, is
 * never refused: so what was made can be removed from a full layer.
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

  /** Counts what the files of a layer have. Without `most`, nothing is bounded. */
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

  /** Takes bytes, or gives them back where the number is negative; refuses none. */
  count(bytes: number): void {
    this.#used += bytes;
  }

  /** Throws where there is no room for anything more. */
  requireRoom(bytes = 1): void {
    if (this.#used + bytes <= this.#most) return;
    // The path is for whoever knows which file is written.
    const why = `the layer may have ${this.#most} bytes`;
    throw Object.assign(new Error(why), { code: "EDQUOT", why });
  }

  /** Opens bytes of the layer, so that their growth counts. */
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

  /** The bytes have no name any more. */
  async remove(name: string): Promise<void> {
    await this.#layer.remove(`${CONTENTS}/${name}`);
    this.#forget(name);
  }

  /** All is gone. */
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
        // What of it was done is not known; that it was counted once too often is harmless.
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
