import { isWithin } from "../base/mod.ts";
import type { HostFile, HostFs } from "../ports/mod.ts";
import { Budget, SpillContents } from "./_spill_contents.ts";
import { hasCode, VfsError } from "./errors.ts";
import { hostVfs } from "./host_vfs.ts";
import { memoryVfsWith } from "./memory_vfs.ts";
import { absolute, lexical, split } from "./_paths.ts";
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

/** Permissions for a file or folder of the host, including everything in it. */
export interface AllowEntry {
  /** Its path, which may be relative to the root. It need not exist. */
  readonly path: string;
  /** True to allow reading. */
  readonly read: boolean;
  /** True to allow writing, creating, renaming and removing. */
  readonly write: boolean;
}

/** Options of {@linkcode allowedVfs}. */
export interface AllowedVfsOptions {
  /** The folder that relative paths start from, absolute. */
  readonly root: string;
  /** The accessible files and folders of the host. */
  readonly entries: readonly AllowEntry[];
  /** Absolute paths of files and folders of the host that are refused, even inside an entry. */
  readonly hidden?: readonly string[] | undefined;
  /** Most bytes of all virtual files together; `EDQUOT` beyond. Default 1 GiB. */
  readonly quota?: number | undefined;
  /** Most bytes of virtual files in memory; the rest is in temporary files. Default 16 MiB. */
  readonly memory?: number | undefined;
  /** Most virtual files and folders; `EDQUOT` beyond. Default 100,000. */
  readonly files?: number | undefined;
  /**
   * Paths that are virtual even inside an entry or outside the root: outputs, which the creator of
   * this Vfs reads at the end.
   */
  readonly outputs?: readonly string[] | undefined;
  /** Makes a temporary file without a name. If absent, all virtual files are in memory. */
  readonly scratch?: (() => Promise<HostFile>) | undefined;
}

/** Defaults of the limits. */
const QUOTA = 2 ** 30;
const MEMORY = 16 * 2 ** 20;
const FILES = 100_000;

/** The files that {@linkcode allowedVfs} returns. */
export interface AllowedVfs extends Vfs, AsyncDisposable {
  /** Paths, relative to the root, of the virtual files that are not empty, without `outputs`. */
  virtualFiles(): AsyncGenerator<string, void, void>;
}

/**
 * Combines allowed files of the host with virtual files.
 *
 * - A path inside an entry is the host's, and may be read or written as the entry says. If it
 *   contains links, their target must be inside such an entry, too.
 * - Any other relative path below the root is virtual: it starts empty, whatever the host has
 *   there, and is discarded at the end. Missing folders above a new virtual file are created.
 * - All other paths, absolute ones and those that leave the root, are refused with `EACCES`,
 *   whether or not something exists there.
 *
 * Disposing removes the virtual files, and closes the temporary files that are not open.
 *
 * @example
 * ```ts
 * import { allowedVfs, writeFile } from "@llmcmd/llmcmd/vfs";
 * import { hostFs } from "@llmcmd/llmcmd/sys";
 *
 * await using vfs = allowedVfs(hostFs(), { root: "/", entries: [] });
 * await writeFile(vfs, "notes/a.txt", new TextEncoder().encode("hello"));
 * if ((await vfs.stat("notes/a.txt")).size !== 5) throw new Error("it is virtual");
 * const refused = await vfs.open("/etc/passwd", "r").catch((error) => error.code);
 * if (refused !== "EACCES") throw new Error("it is not allowed");
 * ```
 */
export function allowedVfs(host: HostFs, options: AllowedVfsOptions): AllowedVfs {
  return new AllowedFiles(host, options);
}

class AllowedFiles implements AllowedVfs {
  readonly root: string;
  /** The entries' paths, resolved by text alone. */
  readonly #paths: readonly string[];
  readonly #outputs: readonly string[];
  readonly #any: Vfs;
  readonly #readable: Vfs;
  readonly #writable: Vfs;
  readonly #both: Vfs;
  readonly #virtual: Vfs;
  #foldersMade: Promise<void> | undefined;

  constructor(host: HostFs, options: AllowedVfsOptions) {
    const { root, entries, hidden } = options;
    const { quota = QUOTA, memory = MEMORY, files = FILES, scratch } = options;
    this.root = lexical(root);
    const all = entries.map((entry) => ({ ...entry, path: this.#lexical(entry.path) }));
    this.#paths = all.map(({ path }) => path);
    this.#outputs = (options.outputs ?? []).map((path) => this.#lexical(path));
    const of = (allowed: string, is: (entry: AllowEntry) => boolean) =>
      hostVfs(host, {
        ...{ root: this.root, hidden, allowed },
        allow: all.filter(is).map(({ path }) => path),
      });
    this.#any = of("what is allowed", () => true);
    this.#readable = of("what may be read", ({ read }) => read);
    this.#writable = of("what may be written", ({ write }) => write);
    this.#both = of("what may be read and written", ({ read, write }) => read && write);
    const budget = new Budget(quota, scratch === undefined ? quota : memory);
    const none = () => Promise.reject(new VfsError("EDQUOT", "", "make a temporary file"));
    const contents = () => new SpillContents(budget, scratch ?? none);
    this.#virtual = memoryVfsWith({ root: this.root, contents, most: files });
  }

  async stat(path: string): Promise<VfsInfo> {
    return await (await this.#at(path, "look at", this.#any)).stat(path);
  }

  async lstat(path: string): Promise<VfsInfo> {
    return await (await this.#at(path, "look at", this.#any)).lstat(path);
  }

  async read(path: string): Promise<VfsFile> {
    return await (await this.#at(path, "read", this.#readable)).read(path);
  }

  async open(path: string, mode: VfsMode): Promise<VfsHandle> {
    const host = mode === "r" ? this.#readable : mode === "rw" ? this.#both : this.#writable;
    const vfs = await this.#at(path, "open", host);
    if (mode !== "r") await this.#makeAbove(vfs, path, "open");
    return await vfs.open(path, mode);
  }

  async write(path: string, options?: VfsWriteOptions): Promise<VfsOutput> {
    const vfs = await this.#at(path, "write", this.#writable);
    await this.#makeAbove(vfs, path, "write");
    return await vfs.write(path, options);
  }

  async mkdir(path: string, options?: VfsMkdirOptions): Promise<void> {
    await (await this.#at(path, "make the folder", this.#writable)).mkdir(path, options);
  }

  async *list(path: string): AsyncGenerator<VfsEntry, void, void> {
    const vfs = await this.#at(path, "list", this.#readable);
    if (vfs !== this.#virtual) return yield* vfs.list(path);
    const seen = new Set<string>();
    for await (const entry of vfs.list(path)) {
      seen.add(entry.name);
      yield entry;
    }
    // Entries of the host inside a virtual folder.
    const folder = this.#lexical(path);
    for (const allowed of this.#paths) {
      const { folder: above, name } = split(allowed);
      if (above !== folder || seen.has(name)) continue;
      const info = await this.#any.lstat(allowed).catch(() => undefined);
      if (info !== undefined) yield { name, kind: info.kind };
    }
  }

  async remove(path: string, options?: { recursive?: boolean | undefined }): Promise<void> {
    const vfs = await this.#at(path, "remove", this.#writable);
    if (vfs === this.#virtual && this.#holdsEntry(path)) {
      throw new VfsError("EBUSY", path, "remove", "it contains files of the host");
    }
    await vfs.remove(path, options);
  }

  async rename(from: string, to: string): Promise<void> {
    const source = await this.#at(from, "rename", this.#writable);
    const target = await this.#at(to, "rename to", this.#writable);
    if (source !== target) throw new VfsError("EXDEV", from, "rename");
    if (source === this.#virtual && this.#holdsEntry(from)) {
      throw new VfsError("EBUSY", from, "rename", "it contains files of the host");
    }
    if (source === this.#virtual) await this.#makeAbove(source, to, "rename to");
    await source.rename(from, to);
  }

  async readlink(path: string): Promise<string> {
    return await (await this.#at(path, "read the link", this.#any)).readlink(path);
  }

  async realpath(path: string): Promise<string> {
    return await (await this.#at(path, "find", this.#any)).realpath(path);
  }

  virtualFiles(): AsyncGenerator<string, void, void> {
    return this.#filesBelow("");
  }

  async *#filesBelow(folder: string): AsyncGenerator<string, void, void> {
    for await (const { name, kind } of this.#virtual.list(`${this.root}/${folder}`)) {
      const path = folder + name;
      if (kind === "folder") yield* this.#filesBelow(`${path}/`);
      else if (this.#outputs.includes(this.#lexical(path))) continue;
      else if ((await this.#virtual.lstat(`${this.root}/${path}`)).size > 0) yield path;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for await (const { name } of this.#virtual.list(this.root)) {
      await this.#virtual.remove(`${this.root}/${name}`, { recursive: true });
    }
    for (const path of this.#outputs) await this.#virtual.remove(path).catch(() => {});
  }

  #lexical(path: string): string {
    return lexical(absolute(this.root, path));
  }

  /** Returns the Vfs of a path: `host`, or the virtual files. */
  async #at(path: string, action: string, host: Vfs): Promise<Vfs> {
    if (path === "") throw new VfsError("ENOENT", path, action);
    if (path.includes("\0")) throw new VfsError("EINVAL", path, action);
    const place = this.#lexical(path);
    const output = this.#outputs.includes(place);
    if (!output && this.#paths.some((allowed) => isWithin(place, allowed))) return host;
    if (!output && (path.startsWith("/") || !isWithin(place, this.root))) {
      throw new VfsError("EACCES", path, action, "it is outside what is allowed");
    }
    await (this.#foldersMade ??= this.#makeFolders());
    return this.#virtual;
  }

  /** Creates the virtual folders above entries below the root, so that a listing shows these. */
  async #makeFolders(): Promise<void> {
    for (const path of this.#paths) {
      const { folder } = split(path);
      if (isWithin(folder, this.root)) await this.#virtual.mkdir(folder, { parents: true });
    }
  }

  #holdsEntry(path: string): boolean {
    const place = this.#lexical(path);
    return this.#paths.some((allowed) => isWithin(allowed, place));
  }

  async #makeAbove(vfs: Vfs, path: string, action: string): Promise<void> {
    if (vfs !== this.#virtual) return;
    const { folder } = split(absolute(this.root, path));
    try {
      await vfs.mkdir(folder, { parents: true });
    } catch (error) {
      // The caller did not ask for the folder: reports the error for its own path.
      if (!hasCode(error, "EEXIST") && !hasCode(error, "ENOTDIR")) throw error;
      throw new VfsError("ENOTDIR", path, action, undefined, { cause: error });
    }
  }
}
