/** Whether an absolute path without links, `.` and `..` is a folder or below it. */
export function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder === "/" ? "/" : `${folder}/`);
}
