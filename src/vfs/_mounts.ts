import { isWithin } from "../base/mod.ts";
import { joined } from "./_paths.ts";

/**
 * A folder of the host that is visible at another path, or at its own path inside another mount.
 */
export interface VfsMount {
  /** The visible path, absolute and without links. By default the path on the host. */
  readonly at?: string | undefined;
  /** The absolute path on the host. */
  readonly folder: string;
}

/** A mount whose paths are absolute and without links. */
type RealMount = Required<{ [Key in keyof VfsMount]: string }>;

/**
 * The mapping between visible paths and paths on the host: the host's root, and mounts over parts
 * of it.
 */
export class MountTable {
  /** The longest visible paths first. */
  readonly #mounts: readonly RealMount[];

  /** Makes the table. Of two mounts at one path the last one counts. */
  constructor(mounts: readonly RealMount[]) {
    const last = new Map(mounts.map((mount) => [mount.at, mount]));
    this.#mounts = [...last.values(), ...last.has("/") ? [] : [{ at: "/", folder: "/" }]]
      .sort((a, b) => b.at.length - a.at.length);
  }

  /** Converts a visible path to the path on the host. */
  toHost(path: string): string {
    const { at, folder } = this.#owner(path);
    return moved(path, at, folder);
  }

  /** Converts a path on the host to the visible path; `undefined` if a mount hides it. */
  toSeen(hostPath: string): string | undefined {
    for (const mount of this.#mounts) {
      if (!isWithin(hostPath, mount.folder)) continue;
      const path = moved(hostPath, mount.folder, mount.at);
      if (this.#owner(path) === mount) return path;
    }
    return undefined;
  }

  /** True if a mount is at the path or below it: the host may have no such folder. */
  holdsMount(path: string): boolean {
    return this.#mounts.some(({ at }) => isWithin(at, path));
  }

  #owner(path: string): RealMount {
    const owner = this.#mounts.find(({ at }) => isWithin(path, at));
    if (owner === undefined) throw new TypeError(`Not an absolute path: ${path}`);
    return owner;
  }
}

function moved(path: string, from: string, to: string): string {
  const rest = path.slice(from === "/" ? 1 : from.length + 1);
  return rest === "" ? to : joined(to, rest);
}
