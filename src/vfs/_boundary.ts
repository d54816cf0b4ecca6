import { isWithin } from "../base/mod.ts";
import type { HostFs } from "../ports/mod.ts";
import type { BeyondRequest, HostVfsOptions, VfsAccess } from "./host_vfs_options.ts";
import { MountTable, type VfsMount } from "./_mounts.ts";
import { type Place, resolve, resolveMounted } from "./_resolve.ts";

/** Reason for which a path is refused. */
export type Refusal = Pick<BeyondRequest, "reason" | "why">;

/** A place in the host's file system. */
export interface HostPlace extends Place {
  /** Its path on the host. */
  readonly host: string;
}

/**
 * Milliseconds for which the targets of hidden paths are cached. There are many hidden paths, and
 * most do not exist, which takes longest to find out.
 */
const FRESH = 1000;

/** Decides which paths may be read and written, and maps them to the host's. */
export class Boundary {
  readonly #host: HostFs;
  readonly #allow: readonly string[] | undefined;
  readonly #allowed: string;
  readonly #writable: readonly string[] | undefined;
  readonly #hidden: readonly string[];
  readonly #visible: readonly string[];
  readonly #mounts: (() => Promise<readonly VfsMount[]>) | undefined;
  /** Given folders with their real paths. */
  readonly #folders: Map<string, Promise<string>> = new Map();
  /** All places that hidden paths have ever led to: a program may have changed a link since. */
  readonly #places: Map<string, string> = new Map();
  #looked: { at: number; done: Promise<void> } | undefined;

  /** Throws a `TypeError` for a path that is not absolute. */
  constructor(host: HostFs, options: Omit<HostVfsOptions, "root">) {
    const { allow, allowed = "the allowed folders", writable, hidden = [], visible = [], mounts } =
      options;
    for (const path of [...allow ?? [], ...writable ?? [], ...hidden, ...visible]) {
      if (!path.startsWith("/")) {
        throw new TypeError(`Cannot use ${JSON.stringify(path)}: give an absolute path`);
      }
    }
    this.#host = host;
    this.#allow = allow;
    this.#allowed = allowed;
    this.#writable = writable;
    this.#hidden = hidden;
    this.#visible = visible;
    this.#mounts = mounts;
  }

  /** True if paths must be checked before they are given to the host. */
  get confines(): boolean {
    return this.#allow !== undefined || this.#writable !== undefined ||
      this.#hidden.length > 0 || this.#mounts !== undefined;
  }

  /** Resolves an absolute path; see {@linkcode resolve}. */
  async locate(path: string, entry: boolean | "unseen"): Promise<HostPlace> {
    const table = await this.#table();
    if (table === undefined) {
      const place = await resolve(this.#host, path, entry);
      return { ...place, host: place.path };
    }
    const place = await resolveMounted(this.#host, table, path, entry !== false);
    return { ...place, host: table.toHost(place.path) };
  }

  /** Returns the visible path of a host path without links; `undefined` if it is not visible. */
  async seen(hostPath: string): Promise<string | undefined> {
    const table = await this.#table();
    return table === undefined ? hostPath : table.toSeen(hostPath);
  }

  /**
   * Returns the reason to refuse an access to a path without links; `undefined` if it is allowed.
   */
  async refusal(path: string, access: VfsAccess): Promise<Refusal | undefined> {
    const hidden = await this.#hiddenBy(path);
    if (hidden !== undefined) {
      return { reason: "hidden", why: `${hidden} is hidden from these tools` };
    }
    return await this.#outside(path, this.#allow, this.#allowed) ??
      (access === "read"
        ? undefined
        : await this.#outside(path, this.#writable, "the folders that may be written to"));
  }

  /**
   * Returns the reason to refuse a path that could not be resolved: the error must not reveal
   * hidden or outside files. `written` has `..` resolved by text alone.
   */
  async refusalOfText(written: string, access: VfsAccess): Promise<Refusal | undefined> {
    const refusal = await this.refusal(written, access);
    const given = [...this.#allow ?? [], ...this.#writable ?? []];
    const within = given.some((folder) => isWithin(written, folder));
    return refusal?.reason === "outside" && within ? undefined : refusal;
  }

  /** True if a path is a root of the allowed or writable folders. */
  async isTop(path: string): Promise<boolean> {
    if (path === "/") return true;
    const tops = await Promise.all([this.#roots(this.#allow), this.#roots(this.#writable)]);
    return tops.flat().includes(path);
  }

  /** True if a hidden file or folder is at a path or below it. */
  async holdsHidden(path: string): Promise<boolean> {
    await this.#look();
    return [...this.#hidden, ...this.#places.keys()].some((hidden) => isWithin(hidden, path));
  }

  async #outside(
    path: string,
    folders: readonly string[] | undefined,
    what: string,
  ): Promise<Refusal | undefined> {
    if (folders === undefined) return undefined;
    const roots = await this.#roots(folders);
    if (roots.some((folder) => isWithin(path, folder))) return undefined;
    return { reason: "outside", why: `it is outside ${what} (${roots.join(", ") || "none"})` };
  }

  /** Resolves the links in folders. */
  async #roots(folders: readonly string[] = []): Promise<string[]> {
    return await Promise.all(folders.map((folder) => this.#real(folder)));
  }

  #real(folder: string): Promise<string> {
    let real = this.#folders.get(folder);
    if (real === undefined) {
      // A missing folder is looked for again the next time.
      real = this.locate(folder, false).then(({ path, exists }) => {
        if (!exists) this.#folders.delete(folder);
        return path;
      });
      real.catch(() => this.#folders.delete(folder));
      this.#folders.set(folder, real);
    }
    return real;
  }

  /** Returns the hidden path, as given, that contains a path. */
  async #hiddenBy(path: string): Promise<string | undefined> {
    if (this.#hidden.length === 0) return undefined;
    if (this.#visible.some((folder) => isWithin(path, folder))) return undefined;
    const named = this.#hidden.find((hidden) => isWithin(path, hidden));
    if (named !== undefined) return named;
    await this.#look();
    for (const [place, hidden] of this.#places) if (isWithin(path, place)) return hidden;
    return undefined;
  }

  /** Resolves the hidden paths, unless that was done a moment ago. */
  async #look(): Promise<void> {
    const now = performance.now();
    if (this.#looked === undefined || now - this.#looked.at > FRESH) {
      this.#looked = { at: now, done: this.#findHidden() };
    }
    await this.#looked.done;
  }

  async #findHidden(): Promise<void> {
    const table = await this.#table();
    // Most hidden paths are in a few folders, which are looked up once.
    const known = new Map<string, ReturnType<HostFs["lstat"]>>();
    const host: Pick<HostFs, "lstat" | "readlink"> = {
      lstat: (path) => {
        const found = known.get(path) ?? this.#host.lstat(path);
        known.set(path, found);
        return found;
      },
      readlink: (path) => this.#host.readlink(path),
    };
    await Promise.all(this.#hidden.map(async (hidden) => {
      const place = await resolveMounted(host, table ?? PLAIN, hidden).catch(() => undefined);
      if (place !== undefined && place.path !== hidden) this.#places.set(place.path, hidden);
    }));
  }

  async #table(): Promise<MountTable | undefined> {
    if (this.#mounts === undefined) return undefined;
    const mounts = await this.#mounts();
    const real = await Promise.all(mounts.map(async ({ at, folder }) => {
      const path = await this.#realFolder(folder);
      return { at: at ?? path, folder: path };
    }));
    return new MountTable(real);
  }

  #realFolder(folder: string): Promise<string> {
    const key = `host ${folder}`;
    let real = this.#folders.get(key);
    if (real === undefined) {
      real = this.#host.realpath(folder);
      real.catch(() => this.#folders.delete(key));
      this.#folders.set(key, real);
    }
    return real;
  }
}

/** A table without mounts. */
const PLAIN = new MountTable([]);
