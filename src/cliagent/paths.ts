/**
 * Joins two POSIX paths and takes `.`, `..` and doubled slashes out. An absolute second path stands
 * for itself. Links are not followed.
 */
export function joinPath(folder: string, path: string): string {
  const parts: string[] = [];
  for (const part of (path.startsWith("/") ? path : `${folder}/${path}`).split("/")) {
    if (part === "..") parts.pop();
    else if (part !== "" && part !== ".") parts.push(part);
  }
  return `/${parts.join("/")}`;
}

/** Whether an absolute path without `..` is the folder or lies in it. */
export function isInside(folder: string, path: string): boolean {
  const base = joinPath("/", folder);
  return path === base || path.startsWith(base === "/" ? "/" : `${base}/`);
}

/** The folder that a path lies in. */
export function parentOf(path: string): string {
  return joinPath(path, "..");
}
