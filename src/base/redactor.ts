/** Secrets of this length or more are replaced everywhere, shorter ones only as whole words. */
const LONG = 8;
/** Anything shorter is a placeholder, as for endpoints without keys, and is never replaced. */
const SHORTEST = 4;

/**
 * Makes a function that replaces secrets in text by `[secret]`: verbatim, as JSON writes them, and
 * as a URL writes them.
 *
 * - A secret of eight characters or more is replaced everywhere.
 * - One of four to seven may also be a part of an ordinary word: it is replaced only where no
 *   letter, digit or `_` adjoins it.
 * - A shorter one is never replaced, as that would garble the text and hide nothing.
 */
export function redactor(
  secrets: Iterable<string | undefined>,
): (text: string) => string {
  const spellings = new Set<string>();
  for (const secret of secrets) {
    if (secret === undefined || secret.length < SHORTEST) continue;
    spellings.add(secret);
    spellings.add(JSON.stringify(secret).slice(1, -1));
    spellings.add(encodeURIComponent(secret.replace(/\p{Surrogate}/gu, "\ufffd")));
  }
  if (spellings.size === 0) return (text) => text;
  // Longest first: where one secret contains another, the rest of the longer one would stay.
  const longestFirst = [...spellings].sort((a, b) => b.length - a.length);
  const pattern = new RegExp(longestFirst.map(patternOf).join("|"), "gu");
  return (text) => text.replace(pattern, "[secret]");
}

function patternOf(spelling: string): string {
  const literal = spelling.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
  if (spelling.length >= LONG) return literal;
  const before = /^[\p{L}\p{N}_]/u.test(spelling) ? "(?<![\\p{L}\\p{N}_])" : "";
  const after = /[\p{L}\p{N}_]$/u.test(spelling) ? "(?![\\p{L}\\p{N}_])" : "";
  return before + literal + after;
}
