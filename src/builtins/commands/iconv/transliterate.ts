/**
 * Replacements for characters that an encoding does not have (`//TRANSLIT`): the common ones of
 * glibc's table for the C locale that decomposition does not give.
 */
const TABLE: Readonly<Record<string, string>> = {
  "\u2018": "'",
  "\u2019": "'",
  "\u201a": ",",
  "\u201b": "'",
  "\u201c": '"',
  "\u201d": '"',
  "\u201e": ",,",
  "\u201f": '"',
  "\u2010": "-",
  "\u2011": "-",
  "\u2012": "-",
  "\u2013": "-",
  "\u2014": "--",
  "\u2015": "-",
  "\u2212": "-",
  "\u2022": "o",
  "\u2020": "+",
  "\u2039": "<",
  "\u203a": ">",
  "\u2044": "/",
  "\u200b": "",
  "\u2060": "",
  "\ufeff": "",
  "\u20ac": "EUR",
  "\u2122": "(TM)",
  "\u2190": "<-",
  "\u2192": "->",
  "\u21d0": "<=",
  "\u21d2": "=>",
  "\u2260": "!=",
  "\u2264": "<=",
  "\u2265": ">=",
  "\u00a1": "!",
  "\u00a2": "c",
  "\u00a3": "GBP",
  "\u00a5": "JPY",
  "\u00a6": "|",
  "\u00a9": "(C)",
  "\u00ab": "<<",
  "\u00ac": "!",
  "\u00ad": "-",
  "\u00ae": "(R)",
  "\u00b1": "+-",
  "\u00b4": "'",
  "\u00b5": "u",
  "\u00b7": ".",
  "\u00bb": ">>",
  "\u00bc": " 1/4 ",
  "\u00bd": " 1/2 ",
  "\u00be": " 3/4 ",
  "\u00c6": "AE",
  "\u00d0": "D",
  "\u00d7": "x",
  "\u00d8": "O",
  "\u00de": "TH",
  "\u00df": "ss",
  "\u00e6": "ae",
  "\u00f0": "d",
  "\u00f7": "/",
  "\u00f8": "o",
  "\u00fe": "th",
  "\u0110": "D",
  "\u0111": "d",
  "\u0126": "H",
  "\u0127": "h",
  "\u0131": "i",
  "\u0141": "L",
  "\u0142": "l",
  "\u0149": "'n",
  "\u014a": "N",
  "\u014b": "n",
  "\u0152": "OE",
  "\u0153": "oe",
  "\u0166": "T",
  "\u0167": "t",
  "\u0192": "f",
  "\u02bc": "'",
  "\u02c6": "^",
  "\u02dc": "~",
  "\u1e9e": "SS",
};

const MARKS = /\p{M}/gu;

/**
 * Returns replacements for a character, in the order in which to try them, each as a whole. The
 * last is a question mark.
 */
export function substitutes(character: string): readonly string[] {
  const own = TABLE[character];
  const decomposed = character.normalize("NFKD");
  const plain = decomposed.replaceAll(MARKS, "").replaceAll("\u2044", "/");
  // A lone accent decomposes to a space and a mark; the space is no replacement.
  const says = plain !== character && (plain !== " " || decomposed === " ");
  return [...(own === undefined ? [] : [own]), ...(says ? [plain] : []), "?"];
}
