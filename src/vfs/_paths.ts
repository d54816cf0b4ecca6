/** Makes a path absolute, relative to `root`. Keeps links and `..`. */
export function absolute(root: string, path: string): string {
  return path.startsWith("/") ? path : joined(root, path);
}

/** Joins a folder and a name in it. */
export function joined(folder: string, name: string): string {
  return folder.endsWith("/") ? `${folder}${name}` : `${folder}/${name}`;
}

/** Splits an absolute path into its folder and its last name. Ignores slashes at the end. */
export function split(path: string): { folder: string; name: string } {
  const trimmed = path.replace(/\/+$/, "");
  const slash = trimmed.lastIndexOf("/");
  return { folder: slash <= 0 ? "/" : trimmed.slice(0, slash), name: trimmed.slice(slash + 1) };
}

/** Resolves `.` and `..` in an absolute path by text alone, without following links. */
export function lexical(path: string): string {
  const parts: string[] = [];
  for (const part of path.split("/")) {
    if (part === "..") parts.pop();
    else if (part !== "" && part !== ".") parts.push(part);
  }
  return `/${parts.join("/")}`;
}
