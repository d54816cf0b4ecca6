import { escapeByte } from "./c_escapes.ts";

/** Characters with a meaning in a shell; `#` and `~` only at the start. */
const SPECIAL = /[ "?!$&()*;<=>[^`|'\\]|^[#~]|^[{}]$/;
/** Those among them that rule out double quotes. */
const NOT_IN_DOUBLE = /["?!$&()*;<=>[^`|\\]/;
// deno-lint-ignore no-control-regex
const UNPRINTABLE = /[\x00-\x1f\x7f-\x9f\u2028\u2029]/;

const encoder = new TextEncoder();

function escaped(character: string): string {
  return Array.from(encoder.encode(character), escapeByte).join("");
}

/** Quotes a word for a shell even if not needed: gnulib's `quoteaf`, as in `error reading 'x'`. */
export function quoteAlways(word: string): string {
  if (UNPRINTABLE.test(word)) {
    let quoted = "'";
    let inEscapes = false;
    for (const character of word) {
      const escape = UNPRINTABLE.test(character);
      if (escape) quoted += inEscapes ? "" : "'$'";
      else if (inEscapes && character !== "'") quoted += "''";
      inEscapes = escape;
      if (escape) quoted += escaped(character);
      else quoted += character === "'" ? "'\\''" : character;
    }
    return `${quoted}'`;
  }
  if (!word.includes("'")) return `'${word}'`;
  if (!NOT_IN_DOUBLE.test(word)) return `"${word}"`;
  return `'${word.replaceAll("'", "'\\''")}'`;
}

/** Quotes a file name if needed: gnulib's `quotef`, the style of `cat: 'a b': ...`. */
export function quoteName(word: string): string {
  if (word !== "" && !SPECIAL.test(word) && !word.includes(":") && !UNPRINTABLE.test(word)) {
    return word;
  }
  return quoteAlways(word);
}

/**
 * Quotes a text for a message: gnulib's `quote` in a UTF-8 locale, the style of
 * "invalid number of lines" messages, with curly quotes.
 */
export function quote(text: string): string {
  let quoted = "";
  for (const character of text) {
    if (character === "\\") quoted += "\\\\";
    else if (character === "\u2019") quoted += "\\\u2019";
    else quoted += UNPRINTABLE.test(character) ? escaped(character) : character;
  }
  return `\u2018${quoted}\u2019`;
}

/**
 * Returns a message with its curly quotes, and the text in them, as in the locale C:
 * `'\\303\\251'`.
 */
export function asciiQuotes(message: string): string {
  return message.replace(/\u2018([^]*)\u2019/, (_, quoted: string) => {
    const inner = quoted.replaceAll("\\\u2019", "\u2019").replaceAll("'", "\\'");
    return `'${
      inner.replace(/[\u0080-\u{10ffff}]+/gu, (text) =>
        [...new TextEncoder().encode(text)].map((byte) =>
          `\\${byte.toString(8)}`
        ).join(""))
    }'`;
  });
}
