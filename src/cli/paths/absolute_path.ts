import { currentFolder } from "../../sys/mod.ts";

/** A path that may be relative, from a folder: the current one if absent. */
export function absolutePath(path: string, folder: string = currentFolder()): string {
  return path.startsWith("/") ? path : `${folder}/${path}`;
}
