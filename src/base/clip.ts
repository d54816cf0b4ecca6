/**
 * Returns the first `most` UTF-16 code units of a text, or one fewer to keep a character whole.
 *
 * Endpoints refuse a request with half a character (a lone surrogate).
 */
export function clip(text: string, most: number): string {
  if (text.length <= most) return text;
  return text.slice(0, isPairAt(text, most) ? most - 1 : most);
}

/** Returns the last `most` UTF-16 code units of a text, or one fewer to keep a character whole. */
export function clipEnd(text: string, most: number): string {
  if (text.length <= most) return text;
  const from = text.length - most;
  return text.slice(isPairAt(text, from) ? from + 1 : from);
}

/** True if the code units before and at `index` form one character. */
function isPairAt(text: string, index: number): boolean {
  return (text.codePointAt(index - 1) ?? 0) > 0xffff;
}
