import { joined, split } from "../_paths.ts";
import type { VfsKind } from "../types.ts";

/** State of a lower file or folder when the layer first changed it. */
export interface Before {
  readonly kind: VfsKind;
  readonly size: number;
  readonly modified?: number | undefined;
  readonly mode?: number | undefined;
}

/** An open handle of a file that is being copied into the layer. */
export interface Movable {
  /** Opens the copy; `use` switches the handle to it. */
  reopen(content: string): Promise<{ use(): void; close(): Promise<void> }>;
}

/** A file, a link or a device that the layer has an entry for. */
export interface Leaf {
  readonly kind: Exclude<VfsKind, "folder">;
  /** Name of its bytes in the layer. Absent if its bytes are those of the lower file at `from`. */
  content: string | undefined;
  /** Its path in the lower files, if it is or was one of them. */
  readonly from: string | undefined;
  /** Its permission bits; by default those of the lower file. */
  mode: number | undefined;
  /** Its folder in the tree; absent if it is only open. */
  parent: Folder | undefined;
  name: string;
  /** True if only open handles can still reach it. */
  unlinked: boolean;
  /** Its open handles. */
  readonly open: Set<Movable>;
  /** Settles when its bytes have been copied. */
  copying: Promise<void> | undefined;
}

/** A folder that the layer has an entry for. */
export interface Folder {
  readonly kind: "folder";
  /** True if entries of the lower folder at the same path are visible through it. */
  through: boolean;
  /** Its entries; `undefined` for one that was removed and hides the lower one. */
  readonly entries: Map<string, Node | undefined>;
  /** Its permission bits, if known. */
  mode: number | undefined;
  parent: Folder | undefined;
  name: string;
}

/** An entry of the layer. */
export type Node = Leaf | Folder;

/**
 * The state of a path: an entry of the layer, visible from the lower files (`through`), removed
 * (`gone`), or below something that is not a folder (`blocked`).
 */
export type Spot =
  | { readonly is: "node"; readonly node: Node }
  | { readonly is: "through" | "gone" | "blocked" };

/** Makes a file, link or device. */
export function leaf(
  kind: Leaf["kind"],
  parts: { content?: string | undefined; from?: string | undefined; mode?: number | undefined },
): Leaf {
  const { content, from, mode } = parts;
  const open = new Set<Movable>();
  const place = { parent: undefined, name: "", unlinked: false };
  return { kind, content, from, mode, ...place, open, copying: undefined };
}

/** Makes a folder without entries. */
export function folder(through: boolean, mode?: number): Folder {
  return { kind: "folder", through, entries: new Map(), mode, parent: undefined, name: "" };
}

/**
 * The layer in memory: a tree of its differences from the lower files, and the former states of
 * these. Paths are absolute and without links, `.` and `..`. It does not access any files.
 */
export class LayerTree {
  /** The root folder. */
  readonly top: Folder = folder(true);
  /** Former states of lower files that the layer changes; a missing path had no file. */
  readonly before: Map<string, Before> = new Map();
  /** The names of these files in each folder. */
  readonly #noted: Map<string, Set<string>> = new Map();

  /** Returns the state of a path. */
  find(path: string): Spot {
    let at: Node = this.top;
    for (const name of namesOf(path)) {
      if (at.kind !== "folder") return { is: "blocked" };
      if (!at.entries.has(name)) return { is: at.through ? "through" : "gone" };
      const next: Node | undefined = at.entries.get(name);
      if (next === undefined) return { is: "gone" };
      at = next;
    }
    return { is: "node", node: at };
  }

  /** Records the state of a lower file, unless it was recorded before. */
  note(path: string, state: Before): void {
    if (this.before.has(path)) return;
    this.before.set(path, state);
    const { folder, name } = split(path);
    const names = this.#noted.get(folder) ?? new Set();
    this.#noted.set(folder, names.add(name));
  }

  /** Puts a node at a path, in place of the old one. Everything above it must be folders. */
  put(path: string, node: Node): void {
    const { folder, name } = this.#above(path);
    detach(node);
    const old = folder.entries.get(name);
    if (old !== undefined && old !== node) detach(old);
    folder.entries.set(name, node);
    node.parent = folder;
    node.name = name;
  }

  /**
   * Puts a folder at a path. An existing one that shows its lower folder stays, with its entries.
   */
  putFolder(path: string, through: boolean, mode?: number): void {
    const spot = this.find(path);
    const old = spot.is === "node" && spot.node.kind === "folder" ? spot.node : undefined;
    if (through && old?.through) old.mode = mode;
    else this.put(path, folder(through, mode));
  }

  /** Makes a path show nothing. */
  remove(path: string): void {
    const { folder, name } = this.#above(path);
    const old = folder.entries.get(name);
    if (old !== undefined) detach(old);
    if (folder.through && this.before.has(path)) folder.entries.set(name, undefined);
    else folder.entries.delete(name);
  }

  /** Moves a node of the layer. Lower files are no longer visible through its folders. */
  rename(from: string, to: string): void {
    const spot = this.find(from);
    if (spot.is !== "node") throw new Error(`${from} is not in the layer`);
    this.remove(from);
    close(spot.node);
    this.put(to, spot.node);
  }

  /** Forgets a path: the lower files match the layer there. */
  drop(path: string): void {
    this.before.delete(path);
    const place = split(path);
    this.#noted.get(place.folder)?.delete(place.name);
    const spot = this.find(path);
    if (spot.is === "node" && spot.node.kind === "folder") {
      const { node } = spot;
      // Entries that still have to be removed from the lower folder must not be visible.
      for (const name of node.through ? [] : this.#noted.get(path) ?? []) {
        if (!node.entries.has(name)) node.entries.set(name, undefined);
      }
      node.through = true;
    } else {
      const above = this.find(place.folder);
      if (above.is !== "node" || above.node.kind !== "folder") return;
      if (spot.is === "node") detach(spot.node);
      above.node.entries.delete(place.name);
    }
  }

  /** Forgets everything. */
  clear(): void {
    this.before.clear();
    this.#noted.clear();
    this.top.entries.clear();
  }

  /**
   * All paths at which the layer differs from the lower files, or did when they were first changed,
   * sorted; a folder comes before its entries.
   */
  touched(): string[] {
    const paths = new Set(this.before.keys());
    for (const path of pathsBelow(this.top, "/")) paths.add(path);
    const blind = [...paths].filter((path) => this.find(path).is === "through");
    for (const path of blind) paths.delete(path);
    return [...paths].sort(compareNames);
  }

  /** Returns the folder above a path. Missing ones are created, and show their lower folders. */
  #above(path: string): { folder: Folder; name: string } {
    const place = split(path);
    let at = this.top;
    for (const name of namesOf(place.folder)) {
      let next = at.entries.get(name);
      if (next?.kind !== "folder") {
        next = folder(at.through && !at.entries.has(name));
        at.entries.set(name, next);
        next.parent = at;
        next.name = name;
      }
      at = next;
    }
    return { folder: at, name: place.name };
  }
}

/** Returns the path of a node in the tree. */
export function pathOf(node: Node): string {
  const names: string[] = [];
  for (let at: Node = node; at.parent !== undefined; at = at.parent) names.unshift(at.name);
  return `/${names.join("/")}`;
}

/** All files, links and devices at a node and below. */
export function* leavesOf(node: Node): Generator<Leaf> {
  if (node.kind !== "folder") yield node;
  else for (const entry of node.entries.values()) if (entry !== undefined) yield* leavesOf(entry);
}

/** True if two states of a lower file are the same, judged by its properties without reading it. */
export function isSame(before: Before | undefined, now: Before | undefined): boolean {
  if (before === undefined || now === undefined) return before === now;
  if (before.kind !== now.kind) return false;
  if (before.kind === "folder") return true;
  // The precision of times depends on the way in which the system was asked.
  const apart = Math.abs((before.modified ?? 0) - (now.modified ?? 0));
  return before.size === now.size && apart <= 1;
}

function detach(node: Node): void {
  const { parent, name } = node;
  if (parent?.entries.get(name) === node) parent.entries.delete(name);
  node.parent = undefined;
}

function close(node: Node): void {
  if (node.kind !== "folder") return;
  node.through = false;
  for (const [name, entry] of [...node.entries]) {
    if (entry === undefined) node.entries.delete(name);
    else close(entry);
  }
}

/** Paths of the nodes below a folder, without folders that only lead to other nodes. */
function* pathsBelow(folder: Folder, path: string): Generator<string> {
  for (const [name, node] of folder.entries) {
    const below = joined(path, name);
    if (node === undefined) continue;
    if (node.kind !== "folder" || !node.through) yield below;
    if (node.kind === "folder") yield* pathsBelow(node, below);
  }
}

function namesOf(path: string): string[] {
  return path.split("/").filter((name) => name !== "");
}

/** Compares paths name by name, so that a folder's entries follow it. */
function compareNames(a: string, b: string): number {
  const [left, right] = [a.replaceAll("/", "\0"), b.replaceAll("/", "\0")];
  return left < right ? -1 : left > right ? 1 : 0;
}
