import { pathKind } from "../../sys/mod.ts";

/** Where the programs are that a sandbox with the system's files alone shows. */
export const SYSTEM_PATH = "/usr/local/bin:/usr/bin:/bin:/usr/local/sbin:/usr/sbin:/sbin";

/**
 * The file of a program by its name or path, if it is one that such a sandbox would not show:
 * nothing where it is a part of the system, or where it isn't found. `path` has the folders to look
 * in, those of the system first: what stands before them on many PATHs are scripts that choose
 * among versions below the home folder, which is not shown.
 */
export function programIn(
  program: string,
  path: string,
  below: (path: string) => string,
): string[] {
  const folders = path.split(":").filter((folder) => folder.startsWith("/"));
  const places = program.includes("/")
    ? [below(program)]
    : folders.map((folder) => `${folder}/${program}`);
  const found = places.find((place) => pathKind(place) === "file");
  return found === undefined || /^\/(usr|bin|sbin|lib\d*)\//.test(found) ? [] : [found];
}
