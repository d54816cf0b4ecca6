/**
 * The first `most` UTF-16 code units of a text; one less where that would cut a character in two.
 *
 * Half a character (a lone surrogate) is no text: endpoints refuse a request that has one.
 */
export function clip(text: string, most: number): string {
  if (text.length <= most) return text;
  return text.slice(0, isPairAt(text, most) ? most - 1 : most);
}

/** The last `most` UTF-16 code units of a text; one less where that would cut a character in two. */
export function clipEnd(text: string, most: number): string {
  if (text.length <= most) return text;
  const from = text.length - most;
  return text.slice(isPairAt(text, from) ? from + 1 : from);
}

/** Whether the code units before and at `index` are one character. */
function isPairAt(text: string, index: number): boolean {
  return (text.codePointAt(index - 1) ?? 0) > 0xffff;
}
