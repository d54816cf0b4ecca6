import type { HostFs } from "../ports/mod.ts";
import { isMissing, VfsError } from "./errors.ts";
import type { MountTable } from "./_mounts.ts";
import { absolute, joined, split } from "./_paths.ts";

/** Number of links that Linux follows before it reports a loop. */
const MOST_LINKS = 40;

/** The result of resolving a path. */
export interface Place {
  /**
   * Absolute, without links, `.` and `..`. If links are not followed, the last name may be a link.
   */
  readonly path: string;
  /** True if something exists there. */
  readonly exists: boolean;
}

/**
 * Resolves an absolute path with its links; the file at its end need not exist.
 *
 * `entry` keeps a link at the end of the path; `"unseen"` does not even check that the last name
 * exists. The host's `realpath` resolves the existing part; only a missing rest is resolved here.
 */
export async function resolve(
  host: HostFs,
  path: string,
  entry: boolean | "unseen" = false,
  links = 0,
): Promise<Place> {
  const { folder, name } = split(path);
  if (name === "" || name === "." || name === "..") {
    return { path: await host.realpath(path), exists: true };
  }
  if (!entry) {
    try {
      return { path: await host.realpath(path), exists: true };
    } catch (error) {
      if (!isMissing(error)) throw error;
    }
  }
  const parent = await resolve(host, folder, false, links);
  const candidate = joined(parent.path, name);
  if (!parent.exists) return { path: candidate, exists: false };
  if (entry === "unseen") return { path: candidate, exists: true };
  try {
    const { kind } = await host.lstat(candidate);
    if (kind !== "link" || entry) return { path: candidate, exists: true };
  } catch (error) {
    if (isMissing(error)) return { path: candidate, exists: false };
    throw error;
  }
  // A dangling link: a file that is created through it is created at its target.
  if (links >= MOST_LINKS) throw new VfsError("ELOOP", path, "follow");
  const target = await host.readlink(candidate);
  return await resolve(host, absolute(parent.path, target), false, links + 1);
}

/**
 * Like {@linkcode resolve}, for a table with mounts. It looks at each name separately: the host's
 * `realpath` would follow links to their targets on the host.
 */
export async function resolveMounted(
  host: Pick<HostFs, "lstat" | "readlink">,
  table: MountTable,
  path: string,
  entry = false,
): Promise<Place> {
  const rest = namesOf(path);
  let at = "/";
  let exists = true;
  let links = 0;
  for (let name = rest.pop(); name !== undefined; name = rest.pop()) {
    if (name === "..") {
      if (!exists) throw hostError("ENOENT");
      at = split(at).folder;
      continue;
    }
    const next = joined(at, name);
    const kind = exists ? await kindAt(host, table, next, rest.length === 0) : undefined;
    if (kind === "link" && !(entry && rest.length === 0)) {
      if (++links > MOST_LINKS) throw hostError("ELOOP");
      const target = await host.readlink(table.toHost(next));
      rest.push(...namesOf(target));
      if (target.startsWith("/")) at = "/";
      continue;
    }
    if (kind === undefined) exists = false;
    else if (kind !== "folder" && rest.length > 0) throw hostError("ENOTDIR");
    at = next;
  }
  return { path: at, exists };
}

/** The names in a path, the last one first. */
function namesOf(path: string): string[] {
  return path.split("/").filter((name) => name !== "" && name !== ".").reverse();
}

async function kindAt(
  host: Pick<HostFs, "lstat">,
  table: MountTable,
  path: string,
  last: boolean,
): Promise<string | undefined> {
  if (table.holdsMount(path)) return "folder";
  try {
    return (await host.lstat(table.toHost(path))).kind;
  } catch (error) {
    if (isMissing(error)) return undefined;
    // The runtime may lack permission for folders above those that it may read.
    if (error instanceof Error && "flag" in error && !last) return "folder";
    throw error;
  }
}

/** Makes an error as the host throws it. */
export function hostError(code: string): Error {
  return Object.assign(new Error(code), { code });
}
