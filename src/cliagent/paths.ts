/**
 * Joins two POSIX paths, and removes `.`, `..` and doubled slashes. An absolute second path
 * replaces the first. Does not follow links.
 */
export function joinPath(folder: string, path: string): string {
  const parts: string[] = [];
  for (const part of (path.startsWith("/") ? path : `${folder}/${path}`).split("/")) {
    if (part === "..") parts.pop();
    else if (part !== "" && part !== ".") parts.push(part);
  }
  return `/${parts.join("/")}`;
}

/** True if an absolute path without `..` is the folder or inside it. */
export function isInside(folder: string, path: string): boolean {
  const base = joinPath("/", folder);
  return path === base || path.startsWith(base === "/" ? "/" : `${base}/`);
}

/** The parent folder of a path. */
export function parentOf(path: string): string {
  return joinPath(path, "..");
}
