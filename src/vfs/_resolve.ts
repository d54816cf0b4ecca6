import type { HostFs } from "../ports/mod.ts";
import { isMissing, VfsError } from "./errors.ts";
import type { MountTable } from "./_mounts.ts";
import { absolute, joined, split } from "./_paths.ts";

/** How many links Linux follows before it reports a loop. */
const MOST_LINKS = 40;

/** Where a path leads. */
export interface Place {
  /**
   * Absolute, without links, `.` and `..`. If links are not followed, the last name may be a link.
   */
  readonly path: string;
  /** Whether something is there. */
  readonly exists: boolean;
}

/**
 * Where an absolute path leads when links are followed, even if the file at its end is missing.
 * With `entry` a link at the end of the path is not followed; where that is `unseen`, it is not even
 * looked whether something is there.
 *
 * The host's `realpath` resolves what exists; only the missing rest is resolved here.
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
  // A link whose target is missing: a file that is created through it is created at its target.
  if (links >= MOST_LINKS) throw new VfsError("ELOOP", path, "follow");
  const target = await host.readlink(candidate);
  return await resolve(host, absolute(parent.path, target), false, links + 1);
}

/**
 * As {@linkcode resolve}, where folders of the host are seen at other paths. Each name is looked at
 * by itself: the host's own `realpath` would follow links to where they lead on the host.
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

/** The names in a path, last one first. */
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
    // Where the runtime has no permission for the folders above those that it may read.
    if (error instanceof Error && "flag" in error && !last) return "folder";
    throw error;
  }
}

/** An error as the host would give it. */
export function hostError(code: string): Error {
  return Object.assign(new Error(code), { code });
}
