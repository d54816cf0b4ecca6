import type { HeldFolder, HostFile, HostFs, HostOutput } from "../../ports/mod.ts";
import { ifThere, isMissing } from "../errors.ts";
import { MountTable } from "../_mounts.ts";
import { joined, lexical, split } from "../_paths.ts";
import { hostError, resolveMounted } from "../_resolve.ts";
import type { Vfs, VfsEntry, VfsInfo, VfsMode } from "../types.ts";
import { type Change, CONTENTS } from "./log.ts";
import { infoOf, OpenFile } from "./open_file.ts";
import type { LayerState } from "./layer_state.ts";
import { type Leaf, leaf, leavesOf, type Node } from "./tree.ts";

/** Prefix of a held path, in which no link is followed. Other paths cannot contain a NUL. */
const HELD = "/\0";

/** Most bytes of a name, as in the usual file systems. */
const MOST_NAME = 255;

/** A table without mounts. */
const PLAIN = new MountTable([]);

/** An entry: of the layer, or a lower one that is visible through it (without a node). */
interface Seen {
  readonly info: VfsInfo;
  readonly node: Node | undefined;
}

/**
 * Lower files with a layer over them, in the form of a host: `hostVfs` adds paths, boundaries and
 * errors. Changes are made one at a time, and each is logged before it is visible.
 */
export class OverlayHost implements HostFs {
  readonly #state: LayerState;

  constructor(state: LayerState) {
    this.#state = state;
  }

  get #layer(): Vfs {
    return this.#state.layer;
  }

  async stat(path: string): Promise<VfsInfo> {
    return await this.lstat(await this.realpath(path));
  }

  async lstat(given: string): Promise<VfsInfo> {
    const { path, held } = parse(given);
    return (await this.#look(path, held)).info;
  }

  async readlink(given: string): Promise<string> {
    const { path, held } = parse(given);
    const { node, info } = await this.#look(path, held);
    if (info.kind !== "link") throw hostError("EINVAL");
    const from = node?.kind === "link" ? node.from : undefined;
    return await this.#state.lower.readlink(from ?? path, held);
  }

  async realpath(given: string): Promise<string> {
    const { path, held } = parse(given);
    if (held) return path;
    if (await this.#isReal(path)) return path;
    // The layer decides here, without a look at the lower files: this helps programs that create
    // many files.
    if (path === lexical(path) && this.#state.tree.find(path).is === "gone") {
      throw hostError("ENOENT");
    }
    const place = await resolveMounted(this, PLAIN, path);
    if (!place.exists) throw hostError("ENOENT");
    if (/.\/\.?$/.test(given)) {
      const { kind } = (await this.#look(place.path, false)).info;
      if (kind !== "folder") throw hostError("ENOTDIR");
    }
    return place.path;
  }

  hold(path: string): Promise<HeldFolder> {
    return Promise.resolve({ path: `${HELD}${path}`, close: () => {} });
  }

  async *list(given: string): AsyncGenerator<VfsEntry, void, void> {
    const { held } = parse(given);
    const path = held ? parse(given).path : await this.realpath(given);
    const { node, info } = await this.#look(path, held);
    if (info.kind !== "folder") throw hostError("ENOTDIR");
    yield* this.#entries(path, node, held);
  }

  async open(given: string, mode: VfsMode): Promise<HostFile> {
    const { path, held } = parse(given);
    const found = await this.#lookFor(path, held);
    if (found === undefined && mode !== "r") return await this.#make(path, mode, held);
    if (found === undefined) throw hostError("ENOENT");
    const { kind } = found.info;
    if (kind === "folder") throw hostError("EISDIR");
    if (kind === "link") throw hostError("ELOOP");
    if (kind === "other") throw hostError("EINVAL");
    const node = found.node?.kind === "file" ? found.node : this.#state.lowerLeaf(path);
    return await OpenFile.open(this.#state, node, mode, path);
  }

  async create(folder: string, like: string | undefined, mode?: number): Promise<HostOutput> {
    await this.#requireFolder(folder, false);
    const copied = mode ?? (like === undefined ? undefined : (await this.lstat(like)).mode);
    const { content, handle } = await this.#state.newContent();
    const temporary = joined(folder, `.llmcmd-layer-${content}`);
    let ended = false;
    const discard = async () => {
      if (ended) return;
      ended = true;
      await handle.close();
      await this.#state.removeContent(content);
    };
    return {
      temporary,
      path: temporary,
      info: handle.info,
      write: (chunk) => handle.write("end", chunk),
      discard,
      commit: async (path, { exclusive }) => {
        await handle.close();
        await this.#state.exclusive(async () => {
          const found = await this.#place(path, false);
          if (found?.info.kind === "folder") throw hostError("EISDIR");
          if (found !== undefined && exclusive) throw hostError("EEXIST");
          const permissions = (copied ?? handle.info.mode ?? 0o644) & 0o777;
          await this.#replace(path, found, [{ file: path, content, mode: permissions }]);
          ended = true;
        });
      },
    };
  }

  async mkdir(given: string, mode = 0o755): Promise<void> {
    const { path, held } = parse(given);
    await this.#state.exclusive(async () => {
      if (await this.#place(path, held) !== undefined) throw hostError("EEXIST");
      this.#state.requireRoom();
      await this.#state.change([{ folder: path, through: false, mode: mode & 0o777 }]);
    });
  }

  async remove(given: string, { recursive }: { recursive: boolean }): Promise<void> {
    const { path, held } = parse(given);
    await this.#state.exclusive(async () => {
      const found = await this.#look(path, held);
      if (found.info.kind === "folder" && !recursive) await this.#requireEmpty(path, found, held);
      await this.#replace(path, found, [{ gone: path }], held);
    });
  }

  async rename(givenFrom: string, givenTo: string): Promise<void> {
    const { path: from, held } = parse(givenFrom);
    const { path: to } = parse(givenTo);
    await this.#state.exclusive(async () => {
      const source = await this.#look(from, held);
      const target = await this.#place(to, held);
      if (from === to) return;
      const isFolder = source.info.kind === "folder";
      if (isFolder && to.startsWith(joined(from, ""))) throw hostError("EINVAL");
      if (target?.info.kind === "folder") {
        if (!isFolder) throw hostError("EISDIR");
        await this.#requireEmpty(to, target, held);
      } else if (target !== undefined && isFolder) throw hostError("ENOTDIR");
      await this.#takeOver(from, held);
      await this.#replace(to, target, [{ rename: from, to }], held);
    });
  }

  /** True if a path exists and certainly has no links, without looking up each name. */
  async #isReal(path: string): Promise<boolean> {
    if (path !== lexical(path)) return false;
    const { tree, lower } = this.#state;
    const spot = tree.find(path);
    // Paths in the tree are real paths.
    if (spot.is === "node") return spot.node.kind !== "link";
    if (spot.is !== "through") return false;
    const { folder } = split(path);
    if (tree.find(folder).is === "through") {
      if (await lower.realpath(folder).catch(() => undefined) !== folder) return false;
    }
    return (await lower.lstat(path, false)).kind !== "link";
  }

  /** Returns the entry at a path without links. */
  async #look(path: string, held: boolean): Promise<Seen> {
    const spot = this.#state.tree.find(path);
    if (spot.is === "node") {
      return { info: await this.#infoOf(spot.node, path, held), node: spot.node };
    }
    if (spot.is === "gone") throw hostError("ENOENT");
    if (spot.is === "blocked") throw hostError("ENOTDIR");
    return { info: await this.#state.lower.lstat(path, held), node: undefined };
  }

  async #lookFor(path: string, held: boolean): Promise<Seen | undefined> {
    try {
      return await this.#look(path, held);
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw error;
    }
  }

  /** Returns the entry at a path for something new; the folder above must exist. */
  async #place(path: string, held: boolean): Promise<Seen | undefined> {
    const { folder, name } = split(path);
    if (name === "") return await this.#look(path, held);
    if (new TextEncoder().encode(name).length > MOST_NAME) throw hostError("ENAMETOOLONG");
    const found = await this.#lookFor(path, held);
    if (found === undefined) await this.#requireFolder(folder, held);
    return found;
  }

  async #requireFolder(path: string, held: boolean): Promise<void> {
    const { kind } = (await this.#look(path, held)).info;
    if (kind !== "folder") throw hostError("ENOTDIR");
  }

  async #infoOf(node: Node, path: string, held: boolean): Promise<VfsInfo> {
    const { lower } = this.#state;
    if (node.kind === "folder") {
      if (node.through) return await lower.lstat(path, held);
      return { kind: "folder", size: 0, mode: node.mode ?? 0o755, id: `layer:${path}` };
    }
    const { content, from } = node;
    if (content !== undefined) {
      return infoOf(node, await this.#layer.stat(`${CONTENTS}/${content}`));
    }
    return await lower.lstat(from ?? path, true);
  }

  async *#entries(
    path: string,
    node: Node | undefined,
    held: boolean,
  ): AsyncGenerator<VfsEntry, void, void> {
    const own = node?.kind === "folder" ? new Map(node.entries) : new Map<string, Node>();
    const through = node === undefined || node.kind === "folder" && node.through;
    if (through) {
      for await (const entry of this.#state.lower.list(path, held)) {
        if (!own.has(entry.name)) yield entry;
      }
    }
    for (const [name, entry] of own) if (entry !== undefined) yield { name, kind: entry.kind };
  }

  async #requireEmpty(path: string, { node }: Seen, held: boolean): Promise<void> {
    for await (const _ of this.#entries(path, node, held)) throw hostError("ENOTEMPTY");
  }

  /** Creates an empty file, unless another call just did. */
  async #make(path: string, mode: VfsMode, held: boolean): Promise<HostFile> {
    const made = await this.#state.exclusive(async () => {
      if (await this.#place(path, held) !== undefined) return undefined;
      const { content, handle } = await this.#state.newContent(mode);
      try {
        const permissions = (handle.info.mode ?? 0o644) & 0o777;
        const file = leaf("file", { content, mode: permissions });
        await this.#state.change([{ file: path, content, mode: permissions }], () => {
          this.#state.tree.put(path, file);
        });
        return await OpenFile.open(this.#state, file, mode, path, handle);
      } catch (error) {
        await handle.close();
        throw error;
      }
    });
    return made ?? await this.open(path, mode);
  }

  /** Makes changes that replace the old entry of a path, and everything below it. */
  async #replace(
    path: string,
    old: Seen | undefined,
    changes: readonly Change[],
    held = false,
  ): Promise<void> {
    const lines: Change[] = [];
    for await (const { path: at, info } of this.#lowerAt(path, held)) lines.push(noted(at, info));
    const leaves = old?.node === undefined ? [] : [...leavesOf(old.node)];
    await this.#state.change([...lines, ...changes]);
    for (const line of lines) if ("before" in line) this.#state.forgetLower(line.before);
    for (const gone of leaves) await this.#state.unlink(gone);
  }

  /** Adds the visible lower files at a path and below to the layer, so that they can be moved. */
  async #takeOver(path: string, held: boolean): Promise<void> {
    const lines: Change[] = [];
    const leaves = new Map<string, Leaf>();
    for await (const { path: at, info } of this.#lowerAt(path, held)) {
      lines.push(noted(at, info));
      const mode = modeOf(info);
      if (info.kind === "folder") {
        lines.push({ folder: at, through: true, ...mode });
      } else {
        lines.push({ moved: at, kind: info.kind, from: at, ...mode });
        const open = this.#state.openLower.get(at);
        if (open !== undefined) leaves.set(at, open);
      }
    }
    await this.#state.change(lines);
    // Open handles keep using the same file.
    for (const [at, open] of leaves) {
      this.#state.tree.put(at, open);
      this.#state.openLower.delete(at);
    }
  }

  /** The visible lower files at a path and below; a folder before its entries. */
  async *#lowerAt(
    path: string,
    held: boolean,
  ): AsyncGenerator<{ path: string; info: VfsInfo }, void, void> {
    const { lower, tree } = this.#state;
    const spot = tree.find(path);
    if (spot.is === "gone" || spot.is === "blocked") return;
    const node = spot.is === "node" ? spot.node : undefined;
    if (node !== undefined && node.kind !== "folder") return;
    if (node === undefined || node.through && !tree.before.has(path)) {
      const info = await ifThere(lower.lstat(path, held));
      if (info === undefined) return;
      yield { path, info };
      if (info.kind !== "folder") return;
    }
    for await (const { name } of this.#entries(path, node, held)) {
      yield* this.#lowerAt(joined(path, name), held);
    }
  }
}

/** The line of the log that records a lower file's state. */
function noted(path: string, { kind, size, modified, ...info }: VfsInfo): Change {
  return {
    ...{ before: path, kind, size: kind === "folder" ? 0 : size },
    ...(modified === undefined ? {} : { modified }),
    ...modeOf(info),
  };
}

function modeOf({ mode }: { mode?: number | undefined }): { mode?: number } {
  return mode === undefined ? {} : { mode: mode & 0o777 };
}

/** Parses a path, which `hold` may have made, and removes slashes at its end. */
function parse(given: string): { path: string; held: boolean } {
  const held = given.startsWith(HELD);
  const path = held ? given.slice(HELD.length) : given;
  const trimmed = path.replace(/\/{2,}/g, "/").replace(/(?<=.)\/$/, "");
  return { path: trimmed, held };
}
