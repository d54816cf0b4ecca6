import type { Random } from "../../src/regex/_testing.ts";
import { pattern } from "./values.ts";

/** Corner cases of the syntax; some are invalid, and some valid in one syntax only. */
const ODD: readonly string[] = [
  "[[:alpha:][:digit:]]\\+",
  "[[.a.]]",
  "[[=a=]b]",
  "[a\\]",
  "[\\n]",
  "[\\t ]",
  "\\n",
  "[^[:space:]]*",
  "[[:alnum:]_]*",
  "a\\{2,\\}",
  "a{2,}",
  "a\\{,2\\}b",
  "a{,2}b",
  "\\(a\\|b\\)\\{2\\}",
  "(a|b){2}",
  "\\`a",
  "a\\'",
  "\\Bb",
  "b\\B",
  "\\b",
  "\\<",
  "\\w\\>",
  "\\W\\w*",
  "*a",
  "\\(*a\\)",
  "(^a)",
  "(a|^b)",
  "a**",
  "a+?",
  "(a*)*",
  "(a*)+b",
  "\\(a*\\)*",
  "(|a)",
  "\\(\\|a\\)b",
  "()",
  "a||b",
  "^*",
  "^*a",
  "a\\|^b",
  "\\(^a\\)",
  "\\(a$\\)",
  "a^b",
  "a$b",
  "[a-",
  "[z-a]",
  "[[:foo:]]",
  "[:alpha:]",
  "\\(",
  "\\)",
  ")",
  "(",
  "a\\{1",
  "a{1",
  "a{1,2,3}",
  "a\\{x\\}",
  "a\\{2,1\\}",
  "\\x61",
  "\\d097",
  "\\o141",
  "\\cA",
  ".\\{3\\}",
  ".{2,3}",
  "(.)(.)\\2\\1",
  "\\(.\\).*\\1",
  "(a)|b\\1",
  "^\\(.*\\)\\n\\1$",
  "[A-Z][a-z]*",
  "[\u00e0-\u00ff]",
  "[[:upper:]][[:lower:]]*",
  " ",
  "  *",
  "\\t",
  "\\.$",
  "[.]",
  "a/b",
  "&",
  "\\-",
  "[]-a]",
  "[--/]",
  "-",
  "\\d",
  "\\",
  "a\\",
  "\\{1\\}",
  "{1}",
  "+a",
  "?",
  "foo\\|bar\\|baz",
  "foo|bar|baz",
  "(foo|bar) *",
  "[0-9]\\+\\.[0-9]*",
  "[0-9]+\\.?[0-9]*",
  "\\s\\+$",
  "^\\s*",
  "\\S\\+",
  "^[^:]*:",
  "[^,]*,\\{0,1\\}",
  "\u00df",
  "\u212a",
  "k",
  "\u017f",
  "s",
  "\u0130",
  "i",
  "\u01c4",
  "\u03c3",
];

/** A pattern in the syntax of grep and sed, corner cases included. */
export function anyOddPattern(random: Random, extended: boolean): string {
  if (random.chance(80)) return pattern(random, extended);
  const odd = random.pick(ODD);
  return random.chance(70)
    ? odd
    : random.chance(50)
    ? odd + pattern(random, extended)
    : pattern(random, extended) + odd;
}

const PERL_ATOMS = (
  "a b c ab foo . \\w \\W \\d \\s \\S [ab] [^a] [a-c] [[:alpha:]] [\\w-] \\. \\x61 \\x{e9} \u00e9 \\p{L} \\p{Lu} " +
  "(a|b) (?:ab|a) (?:a|) (a)(b)? (?i:A) (?<n>b) \\Qa.\\E [^[:space:]] \\t \\R \\h \\N \\X"
).split(" ");
const PERL_COUNTS = "* + ? *? +? ?? {2} {1,2} {2,} {,2} {1,2}? ++".split(" ");
const PERL_PLACES = "^ $ \\b \\B \\A \\z \\Z (?=b) (?!b) (?<=a) (?<!a) \\K".split(" ");
const PERL_ODD = [
  "",
  "(",
  ")",
  "[",
  "[a",
  "*",
  "a**",
  "\\",
  "(?",
  "(?<n",
  "a{2,1}",
  "[b-a]",
  "[[:foo:]]",
  "\\1",
  "(a)\\1",
  "(?i)A",
  "(?x) a b # c",
  "a\nb",
  "(?P<n>a)",
  "\\k<n>",
  "(?|a|b)",
  "(?>a+)",
  "\\p{Foo}",
  "\\x{110000}",
  "\\8",
  "a(?#x)b",
  "(*UTF)a",
  "[]a]",
  "[^]a]",
  "{1}",
  "a{1",
  "\\cA",
  "\\e",
  "\\Eb",
  "a|*",
  "(|a)+",
  "()",
];

/** A pattern of `grep -P`. */
export function perlPattern(random: Random): string {
  if (random.chance(12)) return random.pick(PERL_ODD);
  let out = "";
  for (let i = 1 + random.int(4); i > 0; i--) {
    if (random.chance(15)) out += random.pick(PERL_PLACES);
    out += random.pick(PERL_ATOMS);
    if (random.chance(35)) out += random.pick(PERL_COUNTS);
    if (random.chance(8)) out += "|";
  }
  return out;
}

/** A pattern in either syntax. */
export function eitherPattern(random: Random): string {
  return anyOddPattern(random, random.chance(50));
}

/** Characters with special case folding or class, which few inputs have. */
const SPECIAL: readonly string[] = [
  "\u212a",
  "\u017f",
  "\u0130",
  "\u0131",
  "\u01c5",
  "\u1e9e",
  "\u03c2",
  "\u03a3",
  "\u00aa",
  "\u0660",
  "\u2028",
  "\u00a0",
  "\ufeff",
  "\u{10428}",
];

/** Inserts some of those characters. */
export function withSpecial(
  random: Random,
  data: Uint8Array<ArrayBuffer>,
): Uint8Array<ArrayBuffer> {
  if (data.length > 2000) return data;
  const out: number[] = [];
  for (const byte of data) {
    if (byte < 0x80 && random.chance(8)) {
      out.push(...new TextEncoder().encode(random.pick(SPECIAL)));
    }
    out.push(byte);
  }
  return Uint8Array.from(out);
}
