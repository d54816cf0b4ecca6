/**
 * True if a path matches a pattern of `mayCreate`. `*` and `?` match characters within a name, `**`
 * any number of folders. A pattern without a slash matches a name in any folder; a pattern that
 * ends with a slash matches everything in that folder.
 */
export function matchesGlob(path: string, pattern: string): boolean {
  const anchored = pattern.replace(/^\.?\//, "");
  const whole = anchored.endsWith("/") ? `${anchored}**` : anchored;
  const full = pattern.startsWith("/") || whole.includes("/") ? whole : `**/${whole}`;
  return toRegExp(full).test(path);
}

function toRegExp(pattern: string): RegExp {
  const source = pattern.replace(/\*\*\/|\*\*|\*|\?|[\\^$.+()[\]{}|]/g, (token) => {
    switch (token) {
      case "**/":
        return "(?:[^/]+/)*";
      case "**":
        return ".*";
      case "*":
        return "[^/]*";
      case "?":
        return "[^/]";
      default:
        return `\\${token}`;
    }
  });
  return new RegExp(`^${source}$`, "su");
}
