import { pathKind } from "../../sys/mod.ts";

/** The folders of programs in a sandbox that shows only the system's files. */
export const SYSTEM_PATH = "/usr/local/bin:/usr/bin:/bin:/usr/local/sbin:/usr/sbin:/sbin";

/**
 * Finds the file of a program, by its name or path, that such a sandbox would not show. Empty if
 * the file belongs to the system or is not found. `path` lists the folders to search, those of the
 * system first: folders that many PATHs put before them hold version switchers, which need files in
 * the home folder, and that is not shown.
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
