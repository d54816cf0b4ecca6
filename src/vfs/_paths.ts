/** The path below `root`, unless it is absolute. Links and `..` are left as they are. */
export function absolute(root: string, path: string): string {
  return path.startsWith("/") ? path : joined(root, path);
}

/** A name below a folder. */
export function joined(folder: string, name: string): string {
  return folder.endsWith("/") ? `${folder}${name}` : `${folder}/${name}`;
}

/** The folder and the last name of an absolute path; slashes at its end don't count. */
export function split(path: string): { folder: string; name: string } {
  const trimmed = path.replace(/\/+$/, "");
  const slash = trimmed.lastIndexOf("/");
  return { folder: slash <= 0 ? "/" : trimmed.slice(0, slash), name: trimmed.slice(slash + 1) };
}

/** An absolute path with `.` and `..` resolved by text alone: links are not followed. */
export function lexical(path: string): string {
  const parts: string[] = [];
  for (const part of path.split("/")) {
    if (part === "..") parts.pop();
    else if (part !== "" && part !== ".") parts.push(part);
  }
  return `/${parts.join("/")}`;
}
