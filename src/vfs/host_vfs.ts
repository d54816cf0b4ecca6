import type { HostFile, HostFs, HostOutput } from "../ports/mod.ts";
import type { Chunk } from "../streams/mod.ts";
import { Boundary, type HostPlace } from "./_boundary.ts";
import { hasCode, isMissing, VfsError, vfsError } from "./errors.ts";
import { HostVfsOutput } from "./_host_output.ts";
import type { BeyondRequest, HostVfsOptions, VfsAccess } from "./host_vfs_options.ts";
import { vfsFile } from "./_vfs_file.ts";
import { vfsHandle } from "./_vfs_handle.ts";
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

/**
 * Number of comparisons of an open file with the file at its path, if the system does not tell the
 * open file's name. A program that swaps folders to escape must win the race each time: with six
 * rounds, one of about 12,000 attempts did (`bench/race.ts`).
 */
const ROUNDS = 12;

/** The host's files within a boundary. */
export interface BoundedVfs extends Vfs {
  /**
   * Checks whether a path may be accessed, and does nothing else.
   *
   * @throws {VfsError} `EACCES` if it may not.
   */
  check(path: string, access: VfsAccess): Promise<void>;
  /**
   * The same files, with a function that decides about accesses beyond the boundary.
   *
   * `ask` returns `undefined` to allow an access, or the reason to refuse it, which becomes part of
   * the error. One operation may ask several times: an answer must hold for all of them.
   */
  asking(ask: (request: BeyondRequest) => Promise<string | undefined>): BoundedVfs;
}

/**
 * The host's files, or only those below the allowed folders and outside the hidden ones.
 *
 * With a boundary, a path whose target (all links followed) is outside or hidden is refused with
 * `EACCES`, with the same message whether or not it exists. After a file was opened, it is compared
 * with the file that was allowed: by the open file's name if the system tells it (Linux, with
 * `--allow-all`), which excludes races, otherwise several times by device and inode.
 *
 * Operations act on the folder that was checked, even if something else takes its place meanwhile,
 * if the system supports that (Linux, with `--allow-all`). Elsewhere a risk remains: a program that
 * replaces a folder by a link between check and operation can cause an entry to be created, listed,
 * renamed or removed outside the allowed folders. Confine programs that run at the same time by
 * other means.
 *
 * A write is atomic: it replaces the file by a temporary file from the same folder. This separates
 * a file from its other hard links.
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
export function hostVfs(host: HostFs, options: HostVfsOptions): BoundedVfs {
  const { root } = options;
  if (!root.startsWith("/")) {
    throw new TypeError(`Cannot use ${JSON.stringify(root)}: give an absolute path`);
  }
  return new HostVfs(host, root.replace(/(?<=.)\/+$/, ""), new Boundary(host, options));
}

/** Decides about an access beyond the boundary: `undefined` allows it. */
type Ask = (request: BeyondRequest) => Promise<string | undefined>;

class HostVfs implements BoundedVfs {
  readonly root: string;
  readonly #host: HostFs;
  readonly #boundary: Boundary;
  readonly #ask: Ask | undefined;

  constructor(host: HostFs, root: string, boundary: Boundary, ask?: Ask) {
    this.root = root;
    this.#host = host;
    this.#boundary = boundary;
    this.#ask = ask;
  }

  asking(ask: Ask): BoundedVfs {
    return new HostVfs(this.#host, this.root, this.#boundary, ask);
  }

  check(path: string, access: VfsAccess): Promise<void> {
    return this.#do(access, path, async () => void await this.#place(path, access, access));
  }

  stat(path: string): Promise<VfsInfo> {
    return this.#do("look at", path, async () => {
      const host = await this.#existing(path, "look at");
      // The resolved path has no links: a link at its end was put there after the check.
      if (!this.#boundary.confines) return await this.#host.stat(host);
      return await this.#at(host, (held) => this.#host.lstat(held));
    });
  }

  lstat(path: string): Promise<VfsInfo> {
    return this.#do("look at", path, async () => {
      const { host, exists } = await this.#place(path, "look at", "read", "unseen");
      if (!exists) throw new VfsError("ENOENT", path, "look at");
      return await this.#at(host, (held) => this.#host.lstat(held));
    });
  }

  read(path: string): Promise<VfsFile> {
    return this.#do("read", path, async () => {
      const file = await this.#open((await this.#real(path, "read")).host, path, "r");
      try {
        const access = (offset: number, into: Chunk) =>
          this.#do("read", path, () => file.read(offset, into));
        return vfsFile(path, file.info, access, () => file.close());
      } catch (error) {
        await file.close();
        throw error;
      }
    });
  }

  open(path: string, mode: VfsMode): Promise<VfsHandle> {
    return this.#do("open", path, async () => {
      const file = await this.#openAtOnce(path, mode) ?? await this.#openPlace(path, mode);
      try {
        if (mode === "w" && file.info.size > 0) await file.truncate(0);
        const info = mode === "w" ? await file.stat() : file.info;
        return vfsHandle(path, mode, {
          info,
          stat: () => this.#do("look at", path, () => file.stat()),
          read: (at, into) => this.#do("read", path, () => file.read(at, into)),
          write: (at, chunk) => this.#do("write", path, () => file.write(at, chunk)),
          truncate: (size) => this.#do("cut", path, () => file.truncate(size)),
          close: () => file.close(),
        });
      } catch (error) {
        await file.close();
        throw error;
      }
    });
  }

  /**
   * Opens a regular file without resolving its path, if there is no boundary to check: a layer has
   * thousands of files. Returns `undefined` for every other case.
   */
  async #openAtOnce(path: string, mode: VfsMode): Promise<HostFile | undefined> {
    if (this.#boundary.confines || /^$|\/$|\0/.test(path)) return undefined;
    try {
      const file = await this.#host.open(absolute(this.root, path), mode);
      if (file.info.kind === "file") return file;
      await file.close();
    } catch {
      // The slower way finds the reason and reports it.
    }
    return undefined;
  }

  /** Opens a regular file at the place that its path leads to. */
  async #openPlace(path: string, mode: VfsMode): Promise<HostFile> {
    const place = await this.#place(path, "open", mode === "r" ? "read" : "write");
    if (!place.exists && (mode === "r" || path.endsWith("/"))) {
      throw new VfsError(mode === "r" ? "ENOENT" : "EISDIR", path, "open");
    }
    return await this.#open(place.host, path, mode);
  }

  /** Opens a regular file at its real path, and checks the opened file. */
  async #open(host: string, path: string, mode: VfsMode): Promise<HostFile> {
    const action = mode === "r" ? "read" : "open";
    const file = await this.#at(host, (held) => this.#host.open(held, mode));
    try {
      checkKind(file.info, path, action);
      await this.#checkOpened(file, path, action, mode === "r" ? "read" : "write");
      return file;
    } catch (error) {
      await file.close();
      throw error;
    }
  }

  write(path: string, options: VfsWriteOptions = {}): Promise<VfsOutput> {
    return this.#do("write", path, async () => {
      if (path === "" || path.endsWith("/")) throw new VfsError("EISDIR", path, "write");
      const place = await this.#place(path, "write", "write");
      const old = place.exists ? await this.#host.stat(place.host) : undefined;
      if (old !== undefined) checkKind(old, path, "write");
      const exclusive = options.exclusive === true;
      if (exclusive && old !== undefined) throw new VfsError("EEXIST", path, "write");
      const { folder } = split(place.host);
      const like = old === undefined ? undefined : place.host;
      const output = await this.#host.create(folder, like, options.mode);
      try {
        await this.#checkCreated(output, path, place);
      } catch (error) {
        await output.discard();
        throw error;
      }
      return new HostVfsOutput(output, {
        target: place.host,
        exclusive,
        sync: options.sync === true,
        report: (action) => this.#do("write", path, action),
      });
    });
  }

  mkdir(path: string, { parents = false, mode }: VfsMkdirOptions = {}): Promise<void> {
    return this.#do("make the folder", path, async () => {
      const { host: folder } = await this.#place(path, "make the folder", "write");
      await (parents ? this.#makeAll(folder, mode) : this.#host.mkdir(folder, mode));
    });
  }

  async #makeAll(folder: string, mode?: number): Promise<void> {
    try {
      await this.#host.mkdir(folder, mode);
    } catch (error) {
      if (isMissing(error) && folder !== "/") {
        await this.#makeAll(split(folder).folder);
        return await this.#makeAll(folder, mode);
      }
      const info = hasCode(error, "EEXIST") ? await this.#host.stat(folder) : undefined;
      if (info?.kind !== "folder") throw error;
    }
  }

  async *list(path: string): AsyncGenerator<VfsEntry, void, void> {
    try {
      const folder = await this.#existing(path, "list");
      const held = this.#boundary.confines ? await this.#host.hold(folder) : undefined;
      try {
        yield* this.#host.list(held === undefined ? folder : `${held.path}/`);
      } finally {
        held?.close();
      }
    } catch (error) {
      throw vfsError(error, path, "list");
    }
  }

  remove(path: string, { recursive = false } = {}): Promise<void> {
    return this.#do("remove", path, async () => {
      const entry = await this.#entry(path, "remove", "write");
      if (await this.#boundary.isTop(entry.path)) {
        throw new VfsError("EBUSY", path, "remove", "it is the top folder that may be changed");
      }
      await this.#checkHolds(entry, path, "remove");
      await this.#at(entry.host, (held) => this.#host.remove(held, { recursive }));
    });
  }

  rename(from: string, to: string): Promise<void> {
    return this.#do("rename", from, async () => {
      const source = await this.#entry(from, "rename", "write");
      await this.#checkHolds(source, from, "rename");
      const target = await this.#place(to, "rename to", "write", true);
      await this.#at(
        source.host,
        (held) => this.#at(target.host, (place) => this.#host.rename(held, place)),
      );
    });
  }

  readlink(path: string): Promise<string> {
    return this.#do("read the link", path, async () => {
      const { host } = await this.#entry(path, "read the link", "read");
      return await this.#at(host, (held) => this.#host.readlink(held));
    });
  }

  realpath(path: string): Promise<string> {
    return this.#do("find", path, async () => (await this.#real(path, "find")).path);
  }

  /**
   * Acts on an entry by its path on the host. With a boundary, the entry's folder is held open, if
   * the system supports that, so that a link put into the path meanwhile has no effect.
   */
  async #at<Result>(host: string, act: (path: string) => Promise<Result>): Promise<Result> {
    const { folder, name } = split(host);
    const held = name === "" || !this.#boundary.confines
      ? undefined
      : await this.#host.hold(folder);
    try {
      return await act(held === undefined ? host : joined(held.path, name));
    } finally {
      held?.close();
    }
  }

  /** Resolves an existing file or folder that may be read. */
  async #real(path: string, action: string): Promise<HostPlace> {
    const place = await this.#place(path, action, "read");
    if (!place.exists) throw new VfsError("ENOENT", path, action);
    return place;
  }

  /** Returns the path for the host: unchanged, or the real path if there is a boundary. */
  async #existing(path: string, action: string): Promise<string> {
    if (path === "") throw new VfsError("ENOENT", path, action);
    if (!this.#boundary.confines) return absolute(this.root, path);
    return (await this.#real(path, action)).host;
  }

  /** Resolves an existing entry without following a link at its end. */
  async #entry(path: string, action: string, access: VfsAccess): Promise<HostPlace> {
    const place = await this.#place(path, action, access, true);
    if (!place.exists) throw new VfsError("ENOENT", path, action);
    return place;
  }

  async #place(
    path: string,
    action: string,
    access: VfsAccess,
    entry: boolean | "unseen" = false,
  ): Promise<HostPlace> {
    if (path === "") throw new VfsError("ENOENT", path, action);
    if (path.includes("\0")) throw new VfsError("EINVAL", path, action);
    // A slash at the end demands a folder: a link there is followed.
    const place = await this.#found(path, action, access, !path.endsWith("/") && entry);
    await this.#allow(place.path, path, action, access);
    if (place.exists && path.endsWith("/") && !await this.#isFolder(place.host)) {
      throw new VfsError("ENOTDIR", path, action);
    }
    return place;
  }

  /** True if the place is a folder. One above a mount is, even if the host does not have it. */
  async #isFolder(host: string): Promise<boolean> {
    try {
      return (await this.#host.stat(host)).kind === "folder";
    } catch (error) {
      if (isMissing(error)) return true;
      throw error;
    }
  }

  async #found(
    path: string,
    action: string,
    access: VfsAccess,
    entry: boolean | "unseen",
  ): Promise<HostPlace> {
    try {
      return await this.#boundary.locate(absolute(this.root, path), entry);
    } catch (error) {
      if (error instanceof VfsError) throw error;
      const written = lexical(absolute(this.root, path));
      const refusal = await this.#boundary.refusalOfText(written, access);
      throw refusal === undefined ? error : new VfsError("EACCES", path, action, refusal.why);
    }
  }

  /** Checks an access to a path without links; asks if it is refused. */
  async #allow(real: string, path: string, action: string, access: VfsAccess): Promise<void> {
    const refusal = await this.#boundary.refusal(real, access);
    if (refusal === undefined) return;
    const no = this.#ask === undefined
      ? ""
      : await this.#ask({ ...refusal, access, given: path, path: real });
    if (no === undefined) return;
    const why = no === "" ? refusal.why : `${refusal.why}; ${no}`;
    throw new VfsError("EACCES", path, action, why);
  }

  /** Refuses to move or remove a folder with hidden files, which would become visible elsewhere. */
  async #checkHolds(entry: HostPlace, path: string, action: string): Promise<void> {
    if (!await this.#boundary.holdsHidden(entry.path)) return;
    throw new VfsError("EACCES", path, action, "it contains hidden files");
  }

  /**
   * With a boundary: checks that the opened file is the allowed one, even if its path has changed.
   */
  async #checkOpened(
    file: HostFile,
    path: string,
    action: string,
    access: VfsAccess,
  ): Promise<void> {
    if (!this.#boundary.confines) return;
    if (file.path !== undefined) {
      return await this.#allow(await this.#seen(file.path, path, action), path, action, access);
    }
    for (let round = 0; round < ROUNDS; round++) {
      const { host } = await this.#place(path, action, access);
      const { id } = await this.#host.lstat(host);
      if (id === undefined || id !== file.info.id) throw changed(path, action);
    }
  }

  async #checkCreated(output: HostOutput, path: string, place: HostPlace): Promise<void> {
    if (!this.#boundary.confines) return;
    if (output.path !== undefined) return await this.#checkFolder(output.path, path, place);
    const { folder, name } = split(output.temporary);
    for (let round = 0; round < ROUNDS; round++) {
      const real = joined(await this.#host.realpath(folder), name);
      await this.#checkFolder(real, path, place);
      const { id } = await this.#host.lstat(real);
      if (id === undefined || id !== output.info.id) throw changed(path, "write");
    }
  }

  /** Checks that a temporary file is in the folder of its target. */
  async #checkFolder(temporary: string, path: string, place: HostPlace): Promise<void> {
    const seen = await this.#seen(temporary, path, "write");
    const { folder } = split(seen);
    if (folder === split(place.path).folder) return;
    throw changed(path, "write");
  }

  /** Converts a path on the host to the visible path. */
  async #seen(hostPath: string, path: string, action: string): Promise<string> {
    const seen = await this.#boundary.seen(hostPath);
    if (seen === undefined) throw changed(path, action);
    return seen;
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
