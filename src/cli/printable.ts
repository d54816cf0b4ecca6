import { unicodeWidth } from "@std/cli/unicode-width";

/**
 * Text that is safe to show on a terminal: control characters, with which a model or a file could
 * control the terminal, become escapes such as `\x1b`. Line breaks and tabs stay.
 */
export function printable(text: string): string {
  // deno-lint-ignore no-control-regex
  return text.replace(/[\x00-\x08\x0b-\x1f\x7f-\x9f]/g, escapeCode)
    .replace(/[\u200e\u200f\u2028-\u202e\u2066-\u2069]/g, escapeCode);
}

function escapeCode(character: string): string {
  const code = character.charCodeAt(0).toString(16);
  return code.length > 2 ? `\\u${code}` : `\\x${code.padStart(2, "0")}`;
}

/** The beginning of text that fits into `columns`, with `...` when it was cut. */
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
