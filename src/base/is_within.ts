/** True if a path is `folder` or below it. Both are absolute, without links, `.` and `..`. */
export function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder === "/" ? "/" : `${folder}/`);
}
