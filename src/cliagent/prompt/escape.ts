/**
 * Keeps gemini and qwen from reading `@path` in a text as a file to insert: they leave `\@` alone.
 *
 * They also replace the text around a reference, so that one that is meant (`me@example.com` beside a
 * file of that name) would change what the model gets. Neither CLI takes the backslash away again
 * when it runs without a terminal: the model sees `\@path`. An `@` that begins no path stays.
 */
export function escapeReferences(text: string): string {
  return text.replace(/(?<!\\)@(?=[^\s,;!?()[\]{}.]|\.(?!$|\s))/g, "\\@");
}

/**
 * Keeps gemini and qwen from reading the beginning of a whole prompt as a `/command` of theirs, by a
 * line break in front, which both take off or ignore.
 */
export function escapeCommand(prompt: string): string {
  return /^[/?]/.test(prompt) ? `\n${prompt}` : prompt;
}
