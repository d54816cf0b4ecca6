import { currentFolder } from "../../sys/mod.ts";

/**
 * Makes a path absolute; a relative one starts from `folder`, or from the current folder if absent.
 */
export function absolutePath(path: string, folder: string = currentFolder()): string {
  return path.startsWith("/") ? path : `${folder}/${path}`;
}
