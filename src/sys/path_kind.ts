import { mayUse } from "./permissions.ts";

/** What a path is; `unknown` where the system or a missing permission doesn't tell. */
export type PathKind = "file" | "folder" | "missing" | "unknown";

/**
 * Tells what a path is, without a permission prompt. Everything that is there and no folder is a
 * `file`: FIFOs and devices, too.
 */
export function pathKind(path: string): PathKind {
  if (!mayUse("read", path)) return "unknown";
  try {
    return Deno.statSync(path).isDirectory ? "folder" : "file";
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    // No file can have a name that is too long, or be inside another one.
    return code === "ENOENT" || code === "ENOTDIR" || code === "ENAMETOOLONG"
      ? "missing"
      : "unknown";
  }
}
