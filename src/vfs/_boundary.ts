import { isWithin } from "../base/mod.ts";
import type { HostFs } from "../ports/mod.ts";
import type { BeyondRequest, HostVfsOptions, VfsAccess } from "./host_vfs_options.ts";
import { MountTable, type VfsMount } from "./_mounts.ts";
import { type Place, resolve, resolveMounted } from "./_resolve.ts";

/** The reason why a path is refused. */
export type Refusal = Pick<BeyondRequest, "reason" | "why">;

/** A place of the host. */
export interface HostPlace extends Place {
  /** Where it is on the host. */
  readonly host: string;
}

/**
 * For how many milliseconds it is known where hidden paths lead: there are many, and most of them
 * are missing, which is what takes longest to find out.
 */
const FRESH = 1000;

/** Which paths may be read and written, and where the host has them. */
export class Boundary {
  readonly #host: HostFs;
  readonly #allow: readonly string[] | undefined;
  readonly #allowed: string;
  readonly #writable: readonly string[] | undefined;
  readonly #hidden: readonly string[];
  readonly #visible: readonly string[];
  readonly #mounts: (() => Promise<readonly VfsMount[]>) | undefined;
  /** Folders as they were given, and where they lead. */
  readonly #folders: Map<string, Promise<string>> = new Map();
  /** Where hidden paths have ever led: a program may have made them lead elsewhere. */
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

  /** Whether paths have to be looked at at all before they are given to the host. */
  get confines(): boolean {
    return this.#allow !== undefined || this.#writable !== undefined ||
      this.#hidden.length > 0 || this.#mounts !== undefined;
  }

  /** Where an absolute path leads; see {@linkcode resolve}. */
  async locate(path: string, entry: boolean | "unseen"): Promise<HostPlace> {
    const table = await this.#table();
    if (table === undefined) {
      const place = await resolve(this.#host, path, entry);
      return { ...place, host: place.path };
    }
    const place = await resolveMounted(this.#host, table, path, entry !== false);
    return { ...place, host: table.toHost(place.path) };
  }

  /** Where a path of the host, without links, is seen; `undefined` if it is not. */
  async seen(hostPath: string): Promise<string | undefined> {
    const table = await this.#table();
    return table === undefined ? hostPath : table.toSeen(hostPath);
  }

  /** Why an access to a path without links is refused; `undefined` if it is not. */
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
   * Why a path that could not be resolved is refused: the error must not reveal what is hidden or
   * outside. `written` has `..` resolved by text alone.
   */
  async refusalOfText(written: string, access: VfsAccess): Promise<Refusal | undefined> {
    const refusal = await this.refusal(written, access);
    const given = [...this.#allow ?? [], ...this.#writable ?? []];
    const within = given.some((folder) => isWithin(written, folder));
    return refusal?.reason === "outside" && within ? undefined : refusal;
  }

  /** Whether a path is the top of what may be changed. */
  async isTop(path: string): Promise<boolean> {
    if (path === "/") return true;
    const tops = await Promise.all([this.#roots(this.#allow), this.#roots(this.#writable)]);
    return tops.flat().includes(path);
  }

  /** Whether something hidden is at a path or below. */
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

  /** Folders without links. */
  async #roots(folders: readonly string[] = []): Promise<string[]> {
    return await Promise.all(folders.map((folder) => this.#real(folder)));
  }

  #real(folder: string): Promise<string> {
    let real = this.#folders.get(folder);
    if (real === undefined) {
      // Where it is missing now, it is looked for again.
      real = this.locate(folder, false).then(({ path, exists }) => {
        if (!exists) this.#folders.delete(folder);
        return path;
      });
      real.catch(() => this.#folders.delete(folder));
      this.#folders.set(folder, real);
    }
    return real;
  }

  /** The hidden path, as it was given, that a path is in. */
  async #hiddenBy(path: string): Promise<string | undefined> {
    if (this.#hidden.length === 0) return undefined;
    if (this.#visible.some((folder) => isWithin(path, folder))) return undefined;
    const named = this.#hidden.find((hidden) => isWithin(path, hidden));
    if (named !== undefined) return named;
    await this.#look();
    for (const [place, hidden] of this.#places) if (isWithin(path, place)) return hidden;
    return undefined;
  }

  /** Finds out where the hidden paths lead, if that was not done just now. */
  async #look(): Promise<void> {
    const now = performance.now();
    if (this.#looked === undefined || now - this.#looked.at > FRESH) {
      this.#looked = { at: now, done: this.#findHidden() };
    }
    await this.#looked.done;
  }

  async #findHidden(): Promise<void> {
    const table = await this.#table();
    // Most of them are in a few folders, which are looked at once.
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

/** Nothing is mounted. */
const PLAIN = new MountTable([]);
