import type { Chunk } from "../streams/mod.ts";
import { type Contents, MemoryContents } from "./_contents.ts";
import { VfsError, vfsError } from "./errors.ts";
import { absolute, joined, lexical, split } from "./_paths.ts";
import type {
  Vfs,
  VfsEntry,
  VfsFile,
  VfsHandle,
  VfsInfo,
  VfsMkdirOptions,
  VfsMode,
  VfsOutput,
  VfsWriteOptions,
} from "./types.ts";
import { vfsFile } from "./_vfs_file.ts";
import { vfsHandle } from "./_vfs_handle.ts";

/** Files in memory. */
export interface MemoryVfs extends Vfs {
  /** Makes a link at `path` to `target`, which need not exist. */
  symlink(target: string, path: string): Promise<void>;
}

/** Options of {@linkcode memoryVfs}. */
export interface MemoryVfsOptions {
  /** The folder that relative paths start from, absolute. It is created. Default `/`. */
  readonly root?: string | undefined;
  /** Initial files by path; their folders are created. */
  readonly files?: Readonly<Record<string, string | Chunk>> | undefined;
  /** The clock for modification times, in milliseconds since the epoch. Default `Date.now`. */
  readonly now?: (() => number) | undefined;
}

type Node =
  & { id: number; modified: number; mode: number }
  & (
    | { kind: "file"; contents: Contents; opened: number; linked: boolean }
    | { kind: "folder"; entries: Map<string, Node> }
    | { kind: "link"; target: string }
  );
type Folder = Extract<Node, { kind: "folder" }>;
type File = Extract<Node, { kind: "file" }>;

/** Options that determine the storage of a {@linkcode memoryVfs}. */
export interface MemoryVfsInternals extends MemoryVfsOptions {
  /** Makes the contents of an empty file; in memory by default. */
  readonly contents?: (() => Contents) | undefined;
  /** Most files, folders and links; `EDQUOT` beyond. No limit by default. */
  readonly most?: number | undefined;
}

/** A resolved path: its folder, its name in that folder, and the node there. */
interface Found {
  folder: Folder;
  name: string;
  /** The path without links. */
  path: string;
  node: Node | undefined;
}

const MOST_LINKS = 40;

/** Most bytes of a name, as in the usual file systems. */
const MOST_NAME = 255;

/**
 * Files in memory, with the behaviour of the host's.
 *
 * @example
 * ```ts
 * import { memoryVfs, readFile } from "@llmcmd/llmcmd/vfs";
 *
 * const vfs = memoryVfs({ root: "/work", files: { "a/b.txt": "hello" } });
 * const text = new TextDecoder().decode(await readFile(vfs, "/work/a/b.txt"));
 * if (text !== "hello") throw new Error(text);
 * ```
 */
export function memoryVfs(options: MemoryVfsOptions = {}): MemoryVfs {
  return new Memory(options);
}

/** Makes files in memory whose bytes may be stored elsewhere. */
export function memoryVfsWith(options: MemoryVfsInternals): MemoryVfs {
  return new Memory(options);
}

class Memory implements MemoryVfs {
  readonly root: string;
  readonly #now: () => number;
  readonly #contents: () => Contents;
  readonly #most: number;
  #count = 0;
  #nextId = 1;
  readonly #top: Folder;

  constructor(options: MemoryVfsInternals) {
    const { root = "/", files = {}, now = Date.now, contents, most = Infinity } = options;
    if (!root.startsWith("/")) throw new TypeError(`Cannot use ${root}: give an absolute path`);
    this.root = lexical(root);
    this.#now = now;
    this.#contents = contents ?? (() => new MemoryContents());
    this.#most = most;
    this.#top = this.#folder();
    this.#makeAll(this.root);
    for (const [path, content] of Object.entries(files)) {
      this.#makeAll(split(absolute(this.root, path)).folder);
      const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
      this.#put(this.#find(path, "write"), this.#file(new MemoryContents(bytes)), path, "write");
    }
  }

  stat(path: string): Promise<VfsInfo> {
    return attempt(() => info(this.#node(path, "look at")));
  }

  lstat(path: string): Promise<VfsInfo> {
    return attempt(() => info(this.#node(path, "look at", true)));
  }

  read(path: string): Promise<VfsFile> {
    return attempt(() => {
      const node = this.#node(path, "read");
      if (node.kind !== "file") throw new VfsError("EISDIR", path, "read");
      const { contents } = node;
      node.opened++;
      const close = once(() => this.#letGo(node));
      const readAt = (at: number, into: Chunk) => named(path, "read", contents.read(at, into));
      return vfsFile(path, info(node), readAt, close);
    });
  }

  open(path: string, mode: VfsMode): Promise<VfsHandle> {
    return attempt(async () => {
      if (mode !== "r" && path.endsWith("/")) throw new VfsError("EISDIR", path, "open");
      const found = this.#find(path, "open");
      if (found.node === undefined && mode === "r") throw new VfsError("ENOENT", path, "open");
      const node = found.node ?? this.#file(this.#contents());
      if (node.kind !== "file") throw new VfsError("EISDIR", path, "open");
      if (found.node === undefined) this.#put(found, node, path, "open");
      const { contents } = node;
      node.opened++;
      if (mode === "w") await contents.truncate(0);
      return vfsHandle(path, mode, {
        info: info(node),
        stat: () => attempt(() => info(node)),
        read: (at, into) => named(path, "read", contents.read(at, into)),
        write: (at, chunk) => {
          node.modified = this.#now();
          return named(path, "write", contents.write(at, chunk));
        },
        truncate: (size) => {
          node.modified = this.#now();
          return named(path, "cut", contents.truncate(size));
        },
        close: () => this.#letGo(node),
      });
    });
  }

  /** Closes one handle of a file. Releases the file if it has neither a handle nor a name left. */
  async #letGo(file: File): Promise<void> {
    file.opened--;
    if (file.opened === 0 && !file.linked) await file.contents.release();
  }

  /** Handles the loss of a name: releases files without an open handle. */
  async #unlinked(node: Node | undefined): Promise<void> {
    if (node !== undefined) this.#count--;
    if (node?.kind === "folder") {
      for (const entry of node.entries.values()) await this.#unlinked(entry);
    } else if (node?.kind === "file") {
      node.linked = false;
      if (node.opened === 0) await node.contents.release();
    }
  }

  write(path: string, { exclusive = false, mode }: VfsWriteOptions = {}): Promise<VfsOutput> {
    return attempt(() => {
      if (path === "" || path.endsWith("/")) throw new VfsError("EISDIR", path, "write");
      this.#writable(path, exclusive);
      const contents = this.#contents();
      let ended = false;
      return {
        write: (chunk) =>
          ended
            ? Promise.reject(new TypeError("Cannot write: the file is closed"))
            : named(path, "write", contents.write("end", chunk)),
        close: () =>
          attempt(async () => {
            if (ended) return;
            ended = true;
            try {
              const found = this.#writable(path, exclusive);
              this.#put(found, this.#file(contents, mode ?? found.node?.mode), path, "write");
              await this.#unlinked(found.node);
            } catch (error) {
              await contents.release();
              throw error;
            }
          }),
        abort: async () => {
          if (ended) return;
          ended = true;
          await contents.release();
        },
      };
    });
  }

  #writable(path: string, exclusive: boolean): Found {
    const found = this.#find(path, "write");
    const { node } = found;
    if (node?.kind === "folder") throw new VfsError("EISDIR", path, "write");
    if (node !== undefined && exclusive) throw new VfsError("EEXIST", path, "write");
    return found;
  }

  mkdir(path: string, { parents = false, mode }: VfsMkdirOptions = {}): Promise<void> {
    return attempt(() => {
      const action = "make the folder";
      if (parents) return this.#makeAll(absolute(this.root, path), path, mode);
      const found = this.#find(path, action, true);
      if (found.node !== undefined) throw new VfsError("EEXIST", path, action);
      this.#put(found, this.#folder(mode), path, action);
    });
  }

  /** Creates the folders of an absolute path; `shown` is the path for error messages. */
  #makeAll(path: string, shown: string = path, mode = 0o755): void {
    if (split(path).name === "") return;
    this.#makeAll(split(path).folder, shown, mode);
    const found = this.#find(path, "make the folder");
    const { node } = found;
    if (node === undefined) this.#put(found, this.#folder(mode), shown, "make the folder");
    else if (node.kind !== "folder") {
      const code = lexical(path) === lexical(absolute(this.root, shown)) ? "EEXIST" : "ENOTDIR";
      throw new VfsError(code, shown, "make the folder");
    }
  }

  async *list(path: string): AsyncGenerator<VfsEntry, void, void> {
    const node = await attempt(() => this.#node(path, "list"));
    if (node.kind !== "folder") throw new VfsError("ENOTDIR", path, "list");
    for (const [name, { kind }] of [...node.entries]) yield { name, kind };
  }

  remove(path: string, { recursive = false } = {}): Promise<void> {
    return attempt(async () => {
      const { folder, name, node } = this.#find(path, "remove", true);
      if (node === undefined) throw new VfsError("ENOENT", path, "remove");
      if (node === this.#top) throw new VfsError("EBUSY", path, "remove");
      if (node.kind === "folder" && node.entries.size > 0 && !recursive) {
        throw new VfsError("ENOTEMPTY", path, "remove");
      }
      folder.entries.delete(name);
      await this.#unlinked(node);
    });
  }

  rename(from: string, to: string): Promise<void> {
    return attempt(async () => {
      const source = this.#find(from, "rename", true);
      const target = this.#find(to, "rename to", true);
      const { node } = source;
      if (node === undefined) throw new VfsError("ENOENT", from, "rename");
      if (node === target.node) return;
      if (node.kind === "folder" && joined(target.path, "").startsWith(joined(source.path, ""))) {
        throw new VfsError("EINVAL", from, "rename");
      }
      if (target.node?.kind === "folder") {
        if (node.kind !== "folder") throw new VfsError("EISDIR", from, "rename");
        if (target.node.entries.size > 0) throw new VfsError("ENOTEMPTY", from, "rename");
      } else if (target.node !== undefined && node.kind === "folder") {
        throw new VfsError("ENOTDIR", from, "rename");
      }
      checkName(target.name, to, "rename to");
      source.folder.entries.delete(source.name);
      target.folder.entries.set(target.name, node);
      await this.#unlinked(target.node);
    });
  }

  readlink(path: string): Promise<string> {
    return attempt(() => {
      const node = this.#node(path, "read the link", true);
      if (node.kind === "link") return node.target;
      throw new VfsError("EINVAL", path, "read the link");
    });
  }

  realpath(path: string): Promise<string> {
    return attempt(() => {
      const found = this.#find(path, "find");
      if (found.node === undefined) throw new VfsError("ENOENT", path, "find");
      return found.path;
    });
  }

  symlink(target: string, path: string): Promise<void> {
    return attempt(() => {
      const found = this.#find(path, "make the link", true);
      if (found.node !== undefined) throw new VfsError("EEXIST", path, "make the link");
      const link: Node = { ...this.#common(0o777), kind: "link", target };
      this.#put(found, link, path, "make the link");
    });
  }

  #node(path: string, action: string, entry = false): Node {
    const { node } = this.#find(path, action, entry);
    if (node === undefined) throw new VfsError("ENOENT", path, action);
    return node;
  }

  /** Resolves a path; everything but its last name must exist. */
  #find(path: string, action: string, entry = false): Found {
    if (path === "") throw new VfsError("ENOENT", path, action);
    if (path.includes("\0")) throw new VfsError("EINVAL", path, action);
    const rest = absolute(this.root, path).split("/").filter((part) => part !== "").reverse();
    const walked: { folder: Folder; name: string }[] = [];
    let folder = this.#top;
    let links = 0;
    for (let name = rest.pop(); name !== undefined; name = rest.pop()) {
      if (name === ".") continue;
      if (name === "..") {
        folder = walked.pop()?.folder ?? this.#top;
        continue;
      }
      const node = folder.entries.get(name);
      const last = rest.length === 0;
      const slash = path.endsWith("/");
      if (node?.kind === "link" && !(last && entry && !slash)) {
        if (++links > MOST_LINKS) throw new VfsError("ELOOP", path, action);
        if (node.target.startsWith("/")) {
          walked.length = 0;
          folder = this.#top;
        }
        rest.push(...node.target.split("/").filter((part) => part !== "").reverse());
        continue;
      }
      if (node?.kind === "folder") {
        walked.push({ folder, name });
        folder = node;
        continue;
      }
      if (node === undefined && !last) throw new VfsError("ENOENT", path, action);
      if (node !== undefined && (!last || slash)) throw new VfsError("ENOTDIR", path, action);
      return { folder, name, node, path: pathOf([...walked, { name }]) };
    }
    const own = walked.at(-1);
    return own === undefined
      ? { folder: this.#top, name: "", node: this.#top, path: "/" }
      : { ...own, node: folder, path: pathOf(walked) };
  }

  /** Puts a new node at a path, in place of the old one. */
  #put({ folder, name, node }: Found, made: Node, path: string, action: string): void {
    checkName(name, path, action);
    if (node === undefined && this.#count >= this.#most) {
      const why = `the limit is ${this.#most} virtual files and folders: remove some`;
      throw new VfsError("EDQUOT", path, action, why);
    }
    this.#count++;
    folder.entries.set(name, made);
  }

  #file(contents: Contents, mode = 0o644): File {
    return { ...this.#common(mode), kind: "file", contents, opened: 0, linked: true };
  }

  #folder(mode = 0o755): Folder {
    return { ...this.#common(mode), kind: "folder", entries: new Map() };
  }

  #common(mode: number): { id: number; modified: number; mode: number } {
    return { id: this.#nextId++, modified: this.#now(), mode };
  }
}

function checkName(name: string, path: string, action: string): void {
  if (new TextEncoder().encode(name).length <= MOST_NAME) return;
  throw new VfsError("ENAMETOOLONG", path, action);
}

function info(node: Node): VfsInfo {
  const { kind, modified, mode, id } = node;
  const size = node.kind === "file"
    ? node.contents.size
    : node.kind === "link"
    ? node.target.length
    : 0;
  return { kind, size, modified, mode, id: String(id) };
}

function pathOf(walked: readonly { name: string }[]): string {
  return `/${walked.map(({ name }) => name).join("/")}`;
}

/** Calls the action only once. */
function once(action: () => Promise<void>): () => Promise<void> {
  let called: Promise<void> | undefined;
  return () => called ??= action();
}

/** Converts an error to one that names the path. */
async function named<Result>(path: string, action: string, result: Promise<Result>) {
  try {
    return await result;
  } catch (error) {
    if (error instanceof VfsError) {
      const why = error.code === "EDQUOT" ? error.message.replace(/^[^:]*: /, "") : undefined;
      throw new VfsError(error.code, path, action, why, { cause: error });
    }
    throw vfsError(error, path, action);
  }
}

function attempt<Result>(action: () => Result | Promise<Result>): Promise<Result> {
  return new Promise((resolve) => resolve(action()));
}
