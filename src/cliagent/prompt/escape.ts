/**
 * Keeps gemini and qwen from reading `@path` in a text as a file to insert, by writing `\@path`. An
 * `@` that begins no path is left alone.
 *
 * They would insert the file even if no reference is meant (`me@example.com` beside a file of that
 * name). Without a terminal neither removes the backslash: the model sees `\@path`.
 */
export function escapeReferences(text: string): string {
  return text.replace(/(?<!\\)@(?=[^\s,;!?()[\]{}.]|\.(?!$|\s))/g, "\\@");
}

/**
 * Keeps gemini and qwen from reading the beginning of a prompt as one of their `/commands`, by a
 * line break in front, which both remove or ignore.
 */
export function escapeCommand(prompt: string): string {
  return /^[/?]/.test(prompt) ? `\n${prompt}` : prompt;
}
