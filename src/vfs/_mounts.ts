import { isWithin } from "../base/mod.ts";
import { joined } from "./_paths.ts";

/** A folder of the host that is seen at another path, or at its own in a folder that is not. */
export interface VfsMount {
  /** Where it is seen: absolute, without links. Absent: where the host has it. */
  readonly at?: string | undefined;
  /** Where it is on the host, absolute. */
  readonly folder: string;
}

/** A mount whose paths are absolute and without links. */
type RealMount = Required<{ [Key in keyof VfsMount]: string }>;

/** What is seen where: the host's root, and what is mounted over parts of it. */
export class MountTable {
  /** The most specific ones first. */
  readonly #mounts: readonly RealMount[];

  /** Makes the table. Of two mounts at one path the last one counts. */
  constructor(mounts: readonly RealMount[]) {
    const last = new Map(mounts.map((mount) => [mount.at, mount]));
    this.#mounts = [...last.values(), ...last.has("/") ? [] : [{ at: "/", folder: "/" }]]
      .sort((a, b) => b.at.length - a.at.length);
  }

  /** Where the host has what is seen at a path. */
  toHost(path: string): string {
    const { at, folder } = this.#owner(path);
    return moved(path, at, folder);
  }

  /** Where something of the host is seen; `undefined` if something else is seen in its place. */
  toSeen(hostPath: string): string | undefined {
    for (const mount of this.#mounts) {
      if (!isWithin(hostPath, mount.folder)) continue;
      const path = moved(hostPath, mount.folder, mount.at);
      if (this.#owner(path) === mount) return path;
    }
    return undefined;
  }

  /** Whether something is mounted there or below: the host may have no such folder. */
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
