/**
 * The path that an app is mounted at: empty, or without a slash at its end.
 *
 * @throws {TypeError} It has other characters than letters, digits, `/`, `.`, `_`, `~` and `-`.
 */
export function basePath(base: string): string {
  const path = base.replace(/\/+$/, "");
  if (/^(\/[\w.~-]+)*$/.test(path)) return path;
  throw new TypeError(
    `Cannot mount at '${base}': give a path such as '/assistant', of letters, digits and . _ ~ -`,
  );
}

/**
 * The part of a request's path that is below the base. A path outside the base is returned as it is,
 * as Hono's `mount()` removes the base itself.
 */
export function pathBelow(base: string, path: string): string {
  return `${path}/`.startsWith(`${base}/`) ? path.slice(base.length) || "/" : path;
}
