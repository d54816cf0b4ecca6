/** From this length on a secret is hidden wherever it stands. */
const LONG = 8;
/** A shorter text than this is no secret but a placeholder, as for endpoints without keys. */
const SHORTEST = 4;

/**
 * Makes the function that replaces secrets in text by `[secret]`: as they are, as they stand in
 * JSON, and as they stand in an address.
 *
 * A secret of eight characters or more is replaced wherever it stands. One of four to seven, which
 * words may hold by accident, is replaced where it is no part of a word (letters, digits, `_`). One
 * of fewer characters is never replaced, as it would garble the text and hide nothing.
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
  // The longest first: a secret may be a part of another, and the rest of that would stay.
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
