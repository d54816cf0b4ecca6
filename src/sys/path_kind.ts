import { mayUse } from "./permissions.ts";

/** The kind of a path; `unknown` if the system or a missing permission does not reveal it. */
export type PathKind = "file" | "folder" | "missing" | "unknown";

/**
 * The kind of a path, without a permission prompt. Everything that exists and is not a folder
 * counts as `file`, also FIFOs and devices.
 */
export function pathKind(path: string): PathKind {
  if (!mayUse("read", path)) return "unknown";
  try {
    return Deno.statSync(path).isDirectory ? "folder" : "file";
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    // No file can have a name that is too long, or be inside a file.
    return code === "ENOENT" || code === "ENOTDIR" || code === "ENAMETOOLONG"
      ? "missing"
      : "unknown";
  }
}
