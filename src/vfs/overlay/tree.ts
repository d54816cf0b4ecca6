import { joined, split } from "../_paths.ts";
import type { VfsKind } from "../types.ts";

/** What a lower file or folder was when the layer first changed it. */
export interface Before {
  readonly kind: VfsKind;
  readonly size: number;
  readonly modified?: number | undefined;
  readonly mode?: number | undefined;
}

/** An open handle of a file whose bytes come into the layer. */
export interface Movable {
  /** Opens the copied bytes; `use` makes the handle go on with them. */
  reopen(content: string): Promise<{ use(): void; close(): Promise<void> }>;
}

/** A file, a link or a device that the layer has something to say about. */
export interface Leaf {
  readonly kind: Exclude<VfsKind, "folder">;
  /** The name of its bytes in the layer. Without, it is what the lower files have at `from`. */
  content: string | undefined;
  /** Where the lower files have it, if it is or was theirs. */
  readonly from: string | undefined;
  /** Its permission bits; those of the lower one if absent. */
  mode: number | undefined;
  /** Where it is in the tree; nowhere while it is only open. */
  parent: Folder | undefined;
  name: string;
  /** Nobody can reach it any more but by an open handle. */
  unlinked: boolean;
  /** The handles that it is open by. */
  readonly open: Set<Movable>;
  /** Settles when its bytes have been copied. */
  copying: Promise<void> | undefined;
}

/** A folder that the layer has something to say about. */
export interface Folder {
  readonly kind: "folder";
  /** Whether entries of the lower folder at the same path show through. */
  through: boolean;
  /** Its entries; `undefined` for one that was removed and must not show through. */
  readonly entries: Map<string, Node | undefined>;
  /** Its permission bits, where they are known. */
  mode: number | undefined;
  parent: Folder | undefined;
  name: string;
}

/** What the layer has at a path. */
export type Node = Leaf | Folder;

/**
 * What is at a path: something of the layer, what the lower files have there (`through`), nothing
 * (`gone`), or nothing because something above is no folder (`blocked`).
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
 * What a layer shows, in memory: a tree of what differs from the lower files, and what these were.
 * Paths are absolute and without links, `.` and `..`. Does nothing with files.
 */
export class LayerTree {
  /** The top. */
  readonly top: Folder = folder(true);
  /** What the lower files had where the layer shows something else; a missing path had nothing. */
  readonly before: Map<string, Before> = new Map();
  /** The names of these in each folder. */
  readonly #noted: Map<string, Set<string>> = new Map();

  /** What is at a path. */
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

  /** Notes what a lower file is, if nothing was noted for it before. */
  note(path: string, state: Before): void {
    if (this.before.has(path)) return;
    this.before.set(path, state);
    const { folder, name } = split(path);
    const names = this.#noted.get(folder) ?? new Set();
    this.#noted.set(folder, names.add(name));
  }

  /** Puts something at a path, in place of what was there; what is above it are folders. */
  put(path: string, node: Node): void {
    const { folder, name } = this.#above(path);
    detach(node);
    const old = folder.entries.get(name);
    if (old !== undefined && old !== node) detach(old);
    folder.entries.set(name, node);
    node.parent = folder;
    node.name = name;
  }

  /** Puts a folder at a path; one that is there and shows the lower one stays, with what is in it. */
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

  /** Moves something of the layer. What a folder has no longer shows through from anywhere. */
  rename(from: string, to: string): void {
    const spot = this.find(from);
    if (spot.is !== "node") throw new Error(`${from} is not in the layer`);
    this.remove(from);
    close(spot.node);
    this.put(to, spot.node);
  }

  /** Forgets a path: the lower files have there what it shows. */
  drop(path: string): void {
    this.before.delete(path);
    const place = split(path);
    this.#noted.get(place.folder)?.delete(place.name);
    const spot = this.find(path);
    if (spot.is === "node" && spot.node.kind === "folder") {
      const { node } = spot;
      // What still has to be removed from the lower folder must not show through.
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

  /** Forgets all. */
  clear(): void {
    this.before.clear();
    this.#noted.clear();
    this.top.entries.clear();
  }

  /**
   * All paths at which the layer differs from the lower files, or did so when they were first
   * changed, sorted; a folder comes before what is in it.
   */
  touched(): string[] {
    const paths = new Set(this.before.keys());
    for (const path of pathsBelow(this.top, "/")) paths.add(path);
    const blind = [...paths].filter((path) => this.find(path).is === "through");
    for (const path of blind) paths.delete(path);
    return [...paths].sort(compareNames);
  }

  /** The folder above a path; those that are missing are made, and let everything through. */
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

/** The path of something that is in the tree. */
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

/** Whether two states of a lower file are the same, as far as can be told without reading it. */
export function isSame(before: Before | undefined, now: Before | undefined): boolean {
  if (before === undefined || now === undefined) return before === now;
  if (before.kind !== now.kind) return false;
  if (before.kind === "folder") return true;
  // The ways to ask the system differ in how exact times are.
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

/** Paths of the nodes below a folder, but for folders that are only on the way to something. */
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

/** Sorts by the names in the paths, so that all in a folder follows it. */
function compareNames(a: string, b: string): number {
  const [left, right] = [a.replaceAll("/", "\0"), b.replaceAll("/", "\0")];
  return left < right ? -1 : left > right ? 1 : 0;
}
