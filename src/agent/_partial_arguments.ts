import { escapeControlCharacters } from "./_control_characters.ts";

/**
 * Reads arguments of a call that were cut off: the fields that arrived, the last string as far as
 * it came, also of an object in a JSON string. `undefined` if they do not begin an object.
 */
export function partialArguments(cut: string): Record<string, unknown> | undefined {
  const text = escapeControlCharacters(cut);
  const encoded = /^\s*"/.test(text) ? partialString(text) : undefined;
  return partialObject(encoded ?? text);
}

function partialObject(text: string): Record<string, unknown> | undefined {
  const closers: string[] = [];
  let inString = false;
  let comma = -1;
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (inString) {
      if (character === "\\") at++;
      else if (character === '"') inString = false;
    } else if (character === '"') inString = true;
    else if (character === "{") closers.push("}");
    else if (character === "[") closers.push("]");
    else if (character === "}" || character === "]") closers.pop();
    else if (character === "," && closers.length === 1) comma = at;
  }
  const whole = inString ? `${withoutHalfEscape(text)}"` : text;
  return parseObject(whole + closers.reverse().join("")) ??
    // Cut inside a name or before a value: the fields before it are whole.
    parseObject(comma < 0 ? "{}" : `${text.slice(0, comma)}}`);
}

/** A JSON string that was cut, as far as it came. */
function partialString(text: string): string | undefined {
  try {
    const value: unknown = JSON.parse(`${withoutHalfEscape(text)}"`);
    return typeof value === "string" ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Drops an escape that is cut, and the first half of a character of two escapes. */
function withoutHalfEscape(text: string): string {
  const whole = text.replace(/(^|[^\\])((?:\\\\)*)\\(?:u[0-9a-fA-F]{0,3})?$/, "$1$2");
  return whole.replace(/(^|[^\\])((?:\\\\)*)\\u[dD][89abAB][0-9a-fA-F]{2}$/, "$1$2");
}

function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
    return { ...value };
  } catch {
    return undefined;
  }
}
