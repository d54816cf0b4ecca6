import { unicodeWidth } from "@std/cli/unicode-width";

/** Cuts text to `columns`, with `...` at its end if it was cut. */
export function fit(text: string, columns: number): string {
  if (unicodeWidth(text) <= columns) return text;
  let taken = "";
  let left = columns - 3;
  for (const character of text) {
    left -= unicodeWidth(character);
    if (left < 0) break;
    taken += character;
  }
  return `${taken}...`.slice(0, Math.max(0, columns));
}
