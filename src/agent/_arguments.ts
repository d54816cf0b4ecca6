import { escapeControlCharacters } from "./_control_characters.ts";

/** The decoded arguments of a call, or what is wrong with their JSON. */
export type DecodedArguments = { ok: true; value: unknown } | { ok: false; error: string };

/**
 * Decodes the arguments of a call. Models send nothing where they mean no arguments, and some do not
 * escape line breaks in strings.
 */
export function decodeArguments(text: string): DecodedArguments {
  if (text.trim() === "") return { ok: true, value: {} };
  try {
    return { ok: true, value: JSON.parse(text) };
  } catch (error) {
    const escaped = escapeControlCharacters(text);
    const decoded = escaped === text ? undefined : decodeArguments(escaped);
    if (decoded?.ok === true) return decoded;
    return { ok: false, error: located(text, error instanceof Error ? error.message : "") };
  }
}

/** The parser's message with the position, which it leaves out for some errors. */
function located(text: string, message: string): string {
  if (/position \d/.test(message)) return message;
  const position = message.startsWith("Unexpected token") ? badToken(text) : text.length;
  return `${message} (position ${position})`;
}

/**
 * Finds the first token that is not allowed in its place: shorter beginnings fail for other
 * reasons.
 */
function badToken(text: string): number {
  let low = 0;
  let high = text.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (hasBadToken(text.slice(0, middle + 1))) high = middle;
    else low = middle + 1;
  }
  return low;
}

function hasBadToken(text: string): boolean {
  try {
    JSON.parse(text);
    return false;
  } catch (error) {
    return error instanceof Error && error.message.startsWith("Unexpected token");
  }
}
