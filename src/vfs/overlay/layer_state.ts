import { eachAtOnce, KeyedLock } from "../../base/mod.ts";
import type { HostFile } from "../../ports/mod.ts";
import { isMissing } from "../errors.ts";
import { hostError } from "../_resolve.ts";
import type { Vfs, VfsHandle, VfsInfo, VfsMode } from "../types.ts";
import { type Change, CONTENTS, LayerLog, LOG, readLog, replay } from "./log.ts";
import { AT_ONCE, LayerQuota } from "./layer_quota.ts";
import type { LowerFiles } from "./lower.ts";
import { type OpenFileFiles, openLower } from "./open_file.ts";
import { isSame, LayerTree, type Leaf, leaf, leavesOf, type Movable, pathOf } from "./tree.ts";

/** Number of attempts to copy a file that changes at the same time. */
const ROUNDS = 3;

/** Beginning of the names of temporary files, which get their final names when complete. */
const UNFINISHED = ".llmcmd-";

/** Bytes that are copied at once. */
const BLOCK = 256 * 1024;

/** The source of a copy. */
type Origin = Pick<HostFile, "stat" | "read">;

/** A layer over lower files: its tree, its log and its files. */
export class LayerState implements OpenFileFiles {
  readonly lower: LowerFiles;
  readonly layer: Vfs;
  readonly tree: LayerTree;
  /** Lower files that are open and not in the tree. */
  readonly openLower: Map<string, Leaf> = new Map();
  #log: LayerLog;
  readonly #lock = new KeyedLock();
  readonly #quota: LayerQuota;
  #next: number;

  private constructor(parts: {
    lower: LowerFiles;
    layer: Vfs;
    tree: LayerTree;
    log: LayerLog;
    quota: LayerQuota;
    next: number;
  }) {
    this.lower = parts.lower;
    this.layer = parts.layer;
    this.tree = parts.tree;
    this.#log = parts.log;
    this.#quota = parts.quota;
    this.#next = parts.next;
  }

  /** Opens a layer, or creates one in an empty folder. `most` limits its bytes. */
  static async open(lower: LowerFiles, layer: Vfs, most?: number): Promise<LayerState> {
    const tree = new LayerTree();
    const size = await readLog(layer, tree);
    await layer.mkdir(CONTENTS, { parents: true });
    const names = await namesIn(layer, CONTENTS);
    const next = names.reduce((most, name) => Math.max(most, Number(name) + 1), 1);
    const quota = await LayerQuota.of(layer, names, most);
    const log = new LayerLog(layer, size, (bytes) => quota.count(bytes));
    return new LayerState({ lower, layer, tree, log, quota, next });
  }

  /** Runs an action that changes the tree, after all earlier ones. */
  exclusive<Result>(action: () => Promise<Result>): Promise<Result> {
    return this.#lock.run("", action);
  }

  /**
   * Writes changes to the log, then applies them to the tree; `last` replaces the last one's
   * effect.
   */
  async change(changes: readonly Change[], last?: () => void): Promise<void> {
    await this.#log.append(changes);
    for (const change of last === undefined ? changes : changes.slice(0, -1)) {
      replay(this.tree, change);
    }
    last?.();
    await this.#log.compact(this.tree);
  }

  /** Throws if there is no room for anything new. */
  requireRoom(): void {
    this.#quota.requireRoom();
  }

  /** Creates and opens a file for new bytes, readable unless the mode is `a`. */
  async newContent(mode?: VfsMode): Promise<{ content: string; handle: VfsHandle }> {
    const content = String(this.#next++);
    return { content, handle: await this.openContent(content, mode === "a" ? "a" : "rw") };
  }

  /** Opens a file of the layer. */
  openContent(content: string, mode: VfsMode): Promise<VfsHandle> {
    return this.#quota.open(content, mode);
  }

  /** Removes a file of the layer; open handles keep its bytes. */
  async removeContent(content: string): Promise<void> {
    await this.#quota.remove(content);
  }

  /** Returns the lower file at a path, which is about to be opened. */
  lowerLeaf(path: string): Leaf {
    const found = this.openLower.get(path) ?? leaf("file", { from: path });
    this.openLower.set(path, found);
    return found;
  }

  closed({ from, open, parent }: Leaf): void {
    if (open.size > 0 || from === undefined || parent !== undefined) return;
    this.openLower.delete(from);
  }

  /** Hides a lower file; only its open handles still refer to it. */
  forgetLower(path: string): void {
    const open = this.openLower.get(path);
    if (open !== undefined) open.unlinked = true;
    this.openLower.delete(path);
  }

  /** Handles a file of the layer that has lost its name. */
  async unlink(gone: Leaf): Promise<void> {
    gone.unlinked = true;
    const { content } = gone;
    if (content !== undefined) await this.removeContent(content);
  }

  async copyUp(file: Leaf, keep: number, source: Origin): Promise<void> {
    if (file.copying === undefined && file.content !== undefined) return;
    file.copying ??= this.#copyUp(file, keep, source).finally(() => file.copying = undefined);
    await file.copying;
  }

  /** Copies a file without open handles into the layer. */
  async copyUpClosed(file: Leaf): Promise<void> {
    if (file.content !== undefined) return;
    const source = await openLower(this.lower, file);
    try {
      await this.copyUp(file, Infinity, source);
    } finally {
      await source.close();
    }
  }

  /** Size of a file of the layer. */
  async sizeOf(content: string): Promise<number> {
    return (await this.layer.stat(`${CONTENTS}/${content}`)).size;
  }

  /**
   * Forgets paths at which the lower files now match the layer. Their bytes stay in the layer until
   * {@linkcode sweep}.
   */
  async forget(paths: readonly string[]): Promise<void> {
    await this.exclusive(() => this.change(paths.map((path) => ({ applied: path }))));
  }

  /** Removes unused bytes from the layer, also those that a killed program left. */
  async sweep(): Promise<void> {
    await this.exclusive(async () => {
      const used = new Set([...leavesOf(this.tree.top)].map(({ content }) => content));
      const unused = (await namesIn(this.layer, CONTENTS)).filter((name) => !used.has(name));
      for (const name of await namesIn(this.layer, ".")) {
        if (name.startsWith(UNFINISHED)) await this.layer.remove(name);
      }
      await eachAtOnce(unused, AT_ONCE, (content) => this.removeContent(content));
    });
  }

  /** Discards all changes. */
  async discard(): Promise<void> {
    await this.exclusive(async () => {
      await this.#log.close();
      await this.layer.remove(LOG).catch(unlessMissing);
      this.#log = this.#log.begun();
      for (const file of leavesOf(this.tree.top)) file.unlinked = true;
      this.tree.clear();
      await this.layer.remove(CONTENTS, { recursive: true });
      await this.layer.mkdir(CONTENTS);
      this.#quota.clear();
    });
  }

  /** Closes the log. Files stay open. */
  async close(): Promise<void> {
    await this.exclusive(() => this.#log.close());
  }

  async #copyUp(file: Leaf, keep: number, source: Origin): Promise<void> {
    const { content, handle } = await this.newContent();
    const moved = new Map<Movable, Awaited<ReturnType<Movable["reopen"]>>>();
    let installed = false;
    try {
      const state = await this.#copy(source, handle, keep);
      await handle.close();
      await this.exclusive(async () => {
        const reopen = async () => {
          for (;;) {
            const others = [...file.open].filter((open) => !moved.has(open));
            if (others.length === 0) return;
            for (const open of others) moved.set(open, await open.reopen(content));
          }
        };
        await reopen();
        await this.#install(file, content, state);
        installed = true;
        await reopen();
        file.content = content;
        file.mode = (state.mode ?? 0o644) & 0o777;
        for (const { use } of moved.values()) use();
      });
      if (file.unlinked) await this.removeContent(content);
    } catch (error) {
      if (file.content === undefined) {
        for (const { close } of moved.values()) await close();
        await handle.close();
        if (!installed) await this.removeContent(content);
      }
      throw error;
    }
  }

  /** Copies the first bytes of a file; resolves to the file's properties. */
  async #copy(source: Origin, target: VfsHandle, keep: number): Promise<VfsInfo> {
    const block = new Uint8Array(BLOCK);
    for (let round = 0; round < ROUNDS; round++) {
      const before = await source.stat();
      await target.truncate(0);
      for (let at = 0; at < keep;) {
        const count = await source.read(at, block.subarray(0, Math.min(BLOCK, keep - at)));
        if (count === 0) break;
        await target.write(at, block.subarray(0, count));
        at += count;
      }
      if (keep === 0 || isSame(before, await source.stat())) return before;
    }
    throw hostError("EBUSY");
  }

  /** Puts the copy into the tree. */
  async #install(file: Leaf, content: string, state: VfsInfo): Promise<void> {
    if (file.unlinked) return;
    const path = file.parent === undefined ? file.from : pathOf(file);
    if (path === undefined) return;
    const mode = (state.mode ?? 0o644) & 0o777;
    const { size, modified } = state;
    const note: Change = {
      ...{ before: path, kind: "file", size, mode },
      ...(modified === undefined ? {} : { modified }),
    };
    const lines = file.parent === undefined ? [note] : [];
    await this.change([...lines, { file: path, content, mode }], () => {
      this.tree.put(path, file);
      this.openLower.delete(path);
    });
  }
}

function unlessMissing(error: unknown): void {
  if (!isMissing(error)) throw error;
}

async function namesIn(vfs: Vfs, folder: string): Promise<string[]> {
  const names: string[] = [];
  for await (const { name } of vfs.list(folder)) names.push(name);
  return names;
}
