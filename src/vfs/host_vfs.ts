import type { Chunk } from "../streams/mod.ts";
import { VfsError, vfsError } from "./errors.ts";
import { HostVfsOutput } from "./_host_output.ts";
import { vfsFile } from "./_vfs_file.ts";
import type { HostFile, HostFs, HostOutput } from "./host_port.ts";
import { absolute, isWithin, joined, lexical, split } from "./_paths.ts";
import { type Place, resolve } from "./_resolve.ts";
import type { Vfs, VfsEntry, VfsFile, VfsInfo, VfsOutput, VfsWriteOptions } from "./types.ts";

/**
 * How often an open file is compared with what is at its path, where the system does not tell its
 * name. A program that swaps folders to escape must win the race every time.
 */
const ROUNDS = 6;

/** Options of {@linkcode hostVfs}. */
export interface HostVfsOptions {
  /** The folder that relative paths start from, absolute. */
  readonly root: string;
  /**
   * Folders to confine everything to, absolute; they must exist. Absent: no confinement. The root
   * itself is only allowed if it is in one of them.
   */
  readonly allow?: readonly string[] | undefined;
  /**
   * Files and folders that are refused, also below the allowed folders; absolute. They need not
   * exist.
   */
  readonly hidden?: readonly string[] | undefined;
}

/**
 * The host's files, or those below the allowed folders and outside the hidden ones.
 *
 * Confined, a path is refused with `EACCES` when what it leads to, all links followed, is outside
 * or hidden, and the same message comes whether or not something is there. After a file was opened, what was
 * opened is compared with what was allowed: by the name that the system gives to the open file
 * where it tells (Linux, with `--allow-all`), which no race can change, else several times by
 * device and inode.
 *
 * One risk remains: a program that replaces a folder by a link between the check and the operation
 * can cause a folder to be made, an entry to be listed, renamed or removed, or a new file to be
 * created and removed again outside the allowed folders. Programs that run at the same time must be
 * confined by other means.
 *
 * Writing is atomic by a temporary file in the same folder, so a file that has several hard links
 * is no longer the same file as the others afterwards.
 *
 * @example
 * ```ts
 * import { hostVfs, readFile, writeFile } from "@llmcmd/llmcmd/vfs";
 * import { hostFs } from "@llmcmd/llmcmd/sys";
 *
 * const root = await Deno.makeTempDir();
 * const vfs = hostVfs(hostFs(), { root, allow: [root] });
 * await writeFile(vfs, "a.txt", new TextEncoder().encode("hello"));
 * const text = new TextDecoder().decode(await readFile(vfs, "a.txt"));
 * if (text !== "hello") throw new Error(text);
 * const refused = await vfs.stat("/etc/passwd").catch((error) => error.code);
 * if (refused !== "EACCES") throw new Error("it is outside");
 * await Deno.remove(root, { recursive: true });
 * ```
 */
export function hostVfs(host: HostFs, options: HostVfsOptions): Vfs {
  return new HostVfs(host, options);
}

class HostVfs implements Vfs {
  readonly root: string;
  readonly #host: HostFs;
  readonly #allow: readonly string[] | undefined;
  readonly #hidden: readonly string[];
  #allowed: Promise<readonly string[]> | undefined;

  constructor(host: HostFs, { root, allow, hidden = [] }: HostVfsOptions) {
    for (const path of [root, ...allow ?? [], ...hidden]) {
      if (!path.startsWith("/")) {
        throw new TypeError(`Cannot use ${JSON.stringify(path)}: give an absolute path`);
      }
    }
    this.root = root.replace(/(?<=.)\/+$/, "");
    this.#host = host;
    this.#allow = allow;
    this.#hidden = hidden;
  }

  /** Whether there is a path that is refused. */
  get #confined(): boolean {
    return this.#allow !== undefined || this.#hidden.length > 0;
  }

  stat(path: string): Promise<VfsInfo> {
    return this.#do("look at", path, async () => {
      return await this.#host.stat(await this.#existing(path, "look at"));
    });
  }

  lstat(path: string): Promise<VfsInfo> {
    return this.#do("look at", path, async () => {
      return await this.#host.lstat(await this.#entry(path, "look at"));
    });
  }

  read(path: string): Promise<VfsFile> {
    return this.#do("read", path, async () => {
      const file = await this.#host.open(await this.#real(path, "read"));
      try {
        checkKind(file.info, path, "read");
        await this.#checkOpened(file, path);
        const access = (offset: number, into: Chunk) =>
          this.#do("read", path, () => file.read(offset, into));
        return vfsFile(path, file.info, access, () => file.close());
      } catch (error) {
        await file.close();
        throw error;
      }
    });
  }

  write(path: string, options: VfsWriteOptions = {}): Promise<VfsOutput> {
    return this.#do("write", path, async () => {
      if (path === "" || path.endsWith("/")) throw new VfsError("EISDIR", path, "write");
      const place = await this.#place(path, "write");
      const old = place.exists ? await this.#host.stat(place.path) : undefined;
      if (old !== undefined) checkKind(old, path, "write");
      const exclusive = options.exclusive === true;
      if (exclusive && old !== undefined) throw new VfsError("EEXIST", path, "write");
      const { folder } = split(place.path);
      const like = old === undefined ? undefined : place.path;
      const output = await this.#host.create(folder, like);
      try {
        await this.#checkCreated(output, path);
      } catch (error) {
        await output.discard();
        throw error;
      }
      return new HostVfsOutput(output, {
        target: place.path,
        exclusive,
        report: (action) => this.#do("write", path, action),
      });
    });
  }

  mkdir(path: string, { parents = false } = {}): Promise<void> {
    return this.#do("make the folder", path, async () => {
      const { path: folder } = await this.#place(path, "make the folder");
      await (parents ? this.#makeAll(folder) : this.#host.mkdir(folder));
    });
  }

  async #makeAll(folder: string): Promise<void> {
    try {
      await this.#host.mkdir(folder);
    } catch (error) {
      const code = error instanceof Error && "code" in error ? error.code : undefined;
      if (code === "ENOENT" && folder !== "/") {
        await this.#makeAll(split(folder).folder);
        return await this.#makeAll(folder);
      }
      const info = code === "EEXIST" ? await this.#host.stat(folder) : undefined;
      if (info?.kind !== "folder") throw error;
    }
  }

  async *list(path: string): AsyncGenerator<VfsEntry, void, void> {
    try {
      yield* this.#host.list(await this.#existing(path, "list"));
    } catch (error) {
      throw vfsError(error, path, "list");
    }
  }

  remove(path: string, { recursive = false } = {}): Promise<void> {
    return this.#do("remove", path, async () => {
      const entry = await this.#entry(path, "remove");
      if (entry === "/" || (await this.#roots())?.includes(entry) === true) {
        throw new VfsError("EBUSY", path, "remove", "it is the top of what may be changed");
      }
      await this.#checkHolds(entry, path, "remove");
      await this.#host.remove(entry, { recursive });
    });
  }

  rename(from: string, to: string): Promise<void> {
    return this.#do("rename", from, async () => {
      const source = await this.#entry(from, "rename");
      await this.#checkHolds(source, from, "rename");
      const target = await this.#place(to, "rename to", true);
      await this.#host.rename(source, target.path);
    });
  }

  readlink(path: string): Promise<string> {
    return this.#do("read the link", path, async () => {
      return await this.#host.readlink(await this.#entry(path, "read the link"));
    });
  }

  realpath(path: string): Promise<string> {
    return this.#do("find", path, () => this.#real(path, "find"));
  }

  /** The real path of an existing file or folder, which is checked if the Vfs is confined. */
  async #real(path: string, action: string): Promise<string> {
    const place = await this.#place(path, action);
    if (!place.exists) throw new VfsError("ENOENT", path, action);
    return place.path;
  }

  /** The path to give to the host: as it is, or the real one if the Vfs is confined. */
  async #existing(path: string, action: string): Promise<string> {
    if (path === "") throw new VfsError("ENOENT", path, action);
    return this.#confined ? await this.#real(path, action) : absolute(this.root, path);
  }

  /** The path of an entry that is not followed if it is a link. */
  async #entry(path: string, action: string): Promise<string> {
    const place = await this.#place(path, action, true);
    if (!place.exists) throw new VfsError("ENOENT", path, action);
    return place.path;
  }

  async #place(path: string, action: string, entry = false): Promise<Place> {
    if (path === "") throw new VfsError("ENOENT", path, action);
    if (path.includes("\0")) throw new VfsError("EINVAL", path, action);
    // A slash at the end asks for a folder: a link there is followed.
    const place = await this.#found(path, action, entry && !path.endsWith("/"));
    await this.#check(place.path, path, action);
    if (place.exists && path.endsWith("/")) {
      const { kind } = await this.#host.stat(place.path);
      if (kind !== "folder") throw new VfsError("ENOTDIR", path, action);
    }
    return place;
  }

  async #found(path: string, action: string, entry: boolean): Promise<Place> {
    try {
      return await resolve(this.#host, absolute(this.root, path), entry);
    } catch (error) {
      if (error instanceof VfsError) throw error;
      // The error must not reveal what is hidden or outside the allowed folders.
      await this.#checkHidden(lexical(absolute(this.root, path)), path, action);
      const outside = this.#allow !== undefined && !await this.#isLexicallyWithin(path);
      throw outside ? await this.#outside(path, action) : error;
    }
  }

  async #isLexicallyWithin(path: string): Promise<boolean> {
    const written = lexical(absolute(this.root, path));
    const roots = [...await this.#roots() ?? [], ...this.#allow ?? []];
    return roots.some((folder) => isWithin(written, folder));
  }

  async #check(real: string, path: string, action: string): Promise<void> {
    await this.#checkHidden(real, path, action);
    const roots = await this.#roots();
    if (roots === undefined || roots.some((folder) => isWithin(real, folder))) return;
    throw await this.#outside(path, action);
  }

  async #checkHidden(real: string, path: string, action: string): Promise<void> {
    for (const hidden of this.#hidden) {
      if (!isWithin(real, hidden) && !isWithin(real, await this.#placeOf(hidden))) continue;
      throw new VfsError("EACCES", path, action, `${hidden} is hidden from these tools`);
    }
  }

  /** Refuses to take away a folder that something hidden is in, which would be visible elsewhere. */
  async #checkHolds(entry: string, path: string, action: string): Promise<void> {
    for (const hidden of this.#hidden) {
      if (!isWithin(hidden, entry) && !isWithin(await this.#placeOf(hidden), entry)) continue;
      throw new VfsError("EACCES", path, action, "something hidden is in it");
    }
  }

  /**
   * Where a hidden path leads. That is looked for each time: it may come into being later, or be
   * reached by another link.
   */
  async #placeOf(hidden: string): Promise<string> {
    const place = await resolve(this.#host, hidden).catch(() => undefined);
    return place?.path ?? hidden;
  }

  async #outside(path: string, action: string): Promise<VfsError> {
    const roots = await this.#roots() ?? [];
    const why = `it is outside the allowed folders (${roots.join(", ") || "none"})`;
    return new VfsError("EACCES", path, action, why);
  }

  /** The allowed folders without links. */
  #roots(): Promise<readonly string[] | undefined> {
    if (this.#allow === undefined) return Promise.resolve(undefined);
    const allow = this.#allow;
    return this.#allowed ??= Promise.all(
      allow.map((folder) => this.#do("allow", folder, () => this.#host.realpath(folder))),
    ).catch((error) => {
      this.#allowed = undefined;
      throw error;
    });
  }

  /**
   * If the Vfs is confined: checks that the opened file is the one that was allowed, whatever has
   * changed in between.
   */
  async #checkOpened(file: HostFile, path: string): Promise<void> {
    if (!this.#confined) return;
    if (file.path !== undefined) return await this.#check(file.path, path, "read");
    for (let round = 0; round < ROUNDS; round++) {
      const real = await this.#real(path, "read");
      const { id } = await this.#host.lstat(real);
      if (id === undefined || id !== file.info.id) throw changed(path, "read");
    }
  }

  async #checkCreated(output: HostOutput, path: string): Promise<void> {
    if (!this.#confined) return;
    if (output.path !== undefined) return await this.#check(output.path, path, "write");
    const { folder, name } = split(output.temporary);
    for (let round = 0; round < ROUNDS; round++) {
      const real = joined(await this.#host.realpath(folder), name);
      await this.#check(real, path, "write");
      const { id } = await this.#host.lstat(real);
      if (id === undefined || id !== output.info.id) throw changed(path, "write");
    }
  }

  async #do<Result>(action: string, path: string, run: () => Promise<Result>): Promise<Result> {
    try {
      return await run();
    } catch (error) {
      throw vfsError(error, path, action);
    }
  }
}

function checkKind({ kind }: VfsInfo, path: string, action: string): void {
  if (kind === "folder") throw new VfsError("EISDIR", path, action);
  if (kind !== "file") throw new VfsError("EINVAL", path, action, "it is not a regular file");
}

function changed(path: string, action: string): VfsError {
  return new VfsError("EACCES", path, action, "its path changed meanwhile");
}
