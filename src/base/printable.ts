/** Control characters except line breaks and tabs. */
// deno-lint-ignore no-control-regex
const CONTROLS = /[\x00-\x08\x0b-\x1f\x7f-\x9f]/g;
// deno-lint-ignore no-control-regex
const COLOURS = /\x1b\[[\d;]*m/g;

/** Removes control characters; line breaks and tabs stay. */
export function withoutControls(text: string): string {
  return text.replace(CONTROLS, "");
}

/** Removes the escape sequences that set colours and weight on a terminal. */
export function withoutColours(text: string): string {
  return text.replace(COLOURS, "");
}

/**
 * Makes text safe to show on a terminal.
 *
 * Control characters, with which a model or a file could control the terminal, and marks that break
 * lines or reverse the direction of text become escapes such as `\x1b`. Line breaks and tabs stay.
 */
export function printable(text: string): string {
  return text.replace(CONTROLS, escapeCode)
    .replace(/[\u200e\u200f\u2028-\u202e\u2066-\u2069]/g, escapeCode);
}

function escapeCode(character: string): string {
  const code = character.charCodeAt(0).toString(16);
  return code.length > 2 ? `\\u${code}` : `\\x${code.padStart(2, "0")}`;
}

/**
 * Formats a file's name for a list with one name a line.
 *
 * A name with control characters or line breaks is quoted as JSON: unquoted, it could pass for
 * another line of the list.
 */
export function nameOnOneLine(name: string): string {
  // deno-lint-ignore no-control-regex
  return /[\x00-\x1f\x7f\u0085\u2028\u2029]/.test(name) ? JSON.stringify(name) : name;
}
