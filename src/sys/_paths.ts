import { descriptorOf } from "./_descriptor_output.ts";

/** Number of links that Linux follows before it reports a loop. */
const MOST_LINKS = 40;

/** The folder that a path's last name is in. */
export function parentFolder(path: string): string {
  const slash = path.lastIndexOf("/");
  return slash < 0 ? "." : slash === 0 ? "/" : path.slice(0, slash);
}

/**
 * Follows symbolic links to the end of a path, even if no file exists there. Names of this
 * process's descriptors are not followed: those links lead to no path.
 */
export async function followLinks(path: string): Promise<string> {
  let target = path;
  for (let links = 0; links < MOST_LINKS; links++) {
    if (descriptorOf(target) !== undefined) return target;
    const next = await linkTarget(target);
    if (next === undefined) return target;
    target = next.startsWith("/") ? next : `${parentFolder(target)}/${next}`;
  }
  throw Object.assign(new Error("Too many symbolic links"), { code: "ELOOP" });
}

async function linkTarget(path: string): Promise<string | undefined> {
  try {
    if (!(await Deno.lstat(path)).isSymlink) return undefined;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
  return await Deno.readLink(path);
}

/** Name of the file that keeps partial output. */
export function partialNameOf(path: string): string {
  return `${path}.partial`;
}

/** A path's last name. */
export function baseName(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}
