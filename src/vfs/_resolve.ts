import { isMissing, VfsError } from "./errors.ts";
import type { HostFs } from "./host_port.ts";
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
 * With `entry` a link at the end of the path is not followed.
 *
 * The host's `realpath` resolves what exists; only the missing rest is resolved here.
 */
export async function resolve(
  host: HostFs,
  path: string,
  entry = false,
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
