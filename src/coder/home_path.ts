/**
 * A path with the home folder for a `~` at its beginning, as a shell expands it. A file of that
 * name is written `./~`, and `~name` stays as it is.
 *
 * @throws {RangeError} The home folder is not known.
 */
export function expandHome(path: string, home: string | undefined): string {
  if (path !== "~" && !path.startsWith("~/")) return path;
  if (home === undefined || !home.startsWith("/")) {
    throw new RangeError(
      `Cannot expand ~ in ${path}: the home folder is not known (set HOME), so give an absolute path`,
    );
  }
  return `${home.replace(/\/+$/, "")}${path.slice(1)}` || "/";
}
