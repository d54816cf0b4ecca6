/** Shorter words than this are not hidden: they are no keys, and hiding them would garble text. */
const SHORTEST = 6;

/**
 * Makes the function that hides secrets in text, as they are and as they stand in JSON or an
 * address.
 */
export function redactor(secrets: readonly (string | undefined)[]): (text: string) => string {
  const spellings = new Set<string>();
  for (const secret of secrets) {
    if (secret === undefined || secret.length < SHORTEST) continue;
    spellings.add(secret);
    spellings.add(JSON.stringify(secret).slice(1, -1));
    spellings.add(encodeURIComponent(secret));
  }
  return (text) => {
    let clean = text;
    for (const spelling of spellings) clean = clean.replaceAll(spelling, "[secret]");
    return clean;
  };
}
