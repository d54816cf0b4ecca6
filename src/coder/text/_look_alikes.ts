/** Plain characters for those that look like them, in addition to NFKD. */
const PLAIN: Readonly<Record<string, string>> = {
  // Hyphens, dashes and the minus sign.
  ...each("\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe58\ufe63\uff0d", "-"),
  ...each("\u2018\u2019\u201a\u201b\u2032\u2035\u02bc\u02b9\u00b4`\u2039\u203a", "'"),
  ...each("\u201c\u201d\u201e\u201f\u2033\u2036\u00ab\u00bb", '"'),
  // Characters without width: soft hyphen, zero-width spaces and joiners, marks of direction.
  ...each("\u00ad\u200b\u200c\u200d\u200e\u200f\u2060\ufeff", ""),
  ...each("\u1680\u2028\u2029", " "),
};

/** Names of characters that people cannot tell from others. */
const NAMES: Readonly<Record<string, string>> = {
  "\t": "tab",
  " ": "space",
  "\u00a0": "no-break space",
  "\u00ad": "soft hyphen",
  "\u00b4": "acute accent",
  "\u2009": "thin space",
  "\u200b": "zero-width space",
  "\u200d": "zero-width joiner",
  "\u2010": "hyphen",
  "\u2011": "non-breaking hyphen",
  "\u2012": "figure dash",
  "\u2013": "en dash",
  "\u2014": "em dash",
  "\u2018": "left single quotation mark",
  "\u2019": "right single quotation mark",
  "\u201c": "left double quotation mark",
  "\u201d": "right double quotation mark",
  "\u2026": "ellipsis",
  "\u202f": "narrow no-break space",
  "\u2212": "minus sign",
  "\u3000": "ideographic space",
  "\ufeff": "zero-width no-break space",
};

/**
 * Maps a character for a comparison by looks: quotes and dashes become those of ASCII, spaces a
 * space, characters without width disappear, and letters are decomposed (NFKD).
 */
export function plainForm(character: string): string {
  return PLAIN[character] ?? (character < "\u0080" ? character : character.normalize("NFKD"));
}

/** A string with every character that {@linkcode plainForm} changes replaced by what it gives. */
export function plainText(text: string): string {
  return text.replace(/[`\u0080-\u{10ffff}]/gu, plainForm);
}

/** Characters as they are in ASCII, else by code point and name: `U+00A0 (no-break space)`. */
export function namedCharacters(text: string): string {
  if (text === "") return "nothing";
  if (/^([!-~]+|[ \t]{2,})$/.test(text)) return JSON.stringify(text);
  const characters = Array.from(text, (character) => {
    const hex = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
    const name = NAMES[character];
    return name === undefined ? `U+${hex}` : `U+${hex} (${name})`;
  });
  return characters.join(" ");
}

/**
 * A text as a JSON string in which nothing can be mistaken: all that looks like something else or
 * like nothing is written as an escape.
 */
export function unmistakable(text: string): string {
  return JSON.stringify(text).replace(
    /[\p{Z}\p{C}\p{M}\u2010-\u201f\u2026\u2032-\u203a\u2212\u00b4]/gu,
    (character) =>
      character === " " ? character : character.replace(
        /[\s\S]/g,
        (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
      ),
  );
}

function each(characters: string, plain: string): Record<string, string> {
  return Object.fromEntries(Array.from(characters, (character) => [character, plain]));
}
