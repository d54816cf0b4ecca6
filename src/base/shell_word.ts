/** A text as a shell reads it as one word, always quoted. */
export function quotedWord(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** A text as a shell reads it as one word, quoted only where it has to be. */
export function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : quotedWord(text);
}
