import { type Random, randomPattern } from "../../src/regex/_testing.ts";

/** Generates an argument. */
export type Value = (random: Random) => string;

/** One of the given texts. */
export function oneOf(...texts: readonly string[]): Value {
  return (random) => random.pick(texts);
}

/** A value of `common`, or in the given percentage of cases one of `rare`. */
export function mostly(common: Value, percent: number, rare: Value): Value {
  return (random) => random.chance(percent) ? rare(random) : common(random);
}

const ODD_NUMBERS =
  (" |-1|-0|+3|+0|007|0x10|1e3|1.5|abc|1x|x1| 1|1 |--1|\u00e9|18446744073709551615|" +
    "18446744073709551616|9223372036854775807|9223372036854775808|-9223372036854775808|4294967296|" +
    "2147483647|2147483648|99999999999999999999999|1k|1K|1b|1KiB|1kB|1MB|1kb|1Kx|1iB|b|K").split(
      "|",
    );

/** Whole numbers, sometimes odd ones. */
export function number(random: Random): string {
  return random.chance(8)
    ? random.pick(ODD_NUMBERS)
    : random.chance(80)
    ? String(random.int(8))
    : String(random.pick([10, 12, 16, 20, 64, 80, 100, 255, 256, 1000, 65536]));
}

/** Whole numbers from 1. */
export function positive(random: Random): string {
  return random.chance(5) ? number(random) : String(1 + random.int(random.chance(70) ? 6 : 40));
}

const SUFFIXES = "b kB K KB KiB k m M MB MiB g G GB GiB T P E Z Y R Q c w B x".split(" ");

/** Sizes with multipliers. */
export function size(random: Random): string {
  return number(random) + (random.chance(20) ? random.pick(SUFFIXES) : "");
}

/** Counts as head and tail accept them. */
export function signedSize(random: Random): string {
  return (random.chance(35) ? random.pick(["-", "+"]) : "") + size(random);
}

/** Lists of ranges, of cut. */
export function ranges(random: Random): string {
  const one = (): string => String(1 + random.int(7));
  const range = (): string =>
    random.pick([one, one, () => `${one()}-`, () => `-${one()}`, () => {
      const from = 1 + random.int(6);
      return `${from}-${random.chance(92) ? from + random.int(5) : one()}`;
    }])();
  let text = range();
  while (random.chance(40)) text += (random.chance(90) ? "," : " ") + range();
  if (random.chance(5)) {
    text = random.pick([
      "",
      "-",
      "0",
      "0-1",
      "1,,2",
      ",",
      "a",
      "1-a",
      "3-1",
      "1-2-3",
      "--1",
      "1-1-",
      "18446744073709551615",
      "18446744073709551616",
      "1,18446744073709551615-",
      "\u00e9",
      "1;2",
      "99999999999999999999999",
      "-0",
      "1 2",
      "1\t3",
      "5-18446744073709551614",
    ]);
  }
  return text;
}

/** One character, sometimes none or several. */
export function delimiter(random: Random): string {
  return random.chance(88)
    ? random.pick([":", ",", " ", "\t", "a", "-", ";", "|"])
    : random.pick(["", "ab", "\u00e9", "\\t", "\\0", "\\", "\n", "::", "\u3042"]);
}

/** Any text. */
export function text(random: Random): string {
  return random.pick([
    "",
    "x",
    ":",
    ", ",
    "--",
    "ab",
    "\u00e9",
    "\\t",
    "\\n",
    "a b",
    "%s",
    "=",
    "\t",
    "-",
    "*",
  ]);
}

const KEY_LETTERS = "bdfgiMhnrV";

/** Keys of sort. */
export function sortKey(random: Random): string {
  if (random.chance(5)) {
    return random.pick([
      "",
      "0",
      "1.0",
      "1,0",
      "1.1,1.0",
      "a",
      "1x",
      "1,",
      ",1",
      "1.",
      "1,2.",
      "-1",
      "1nn",
      "1.2.3",
      "99999999999999999999",
      "1,2,3",
      " 1",
      "1 ",
      "1R",
      "1gn",
      "1dn",
      "+1",
      "1in",
    ]);
  }
  const letters = (): string => {
    let out = "";
    while (random.chance(35)) out += KEY_LETTERS[random.int(KEY_LETTERS.length)] ?? "";
    return out;
  };
  const place = (first: boolean): string =>
    String(1 + random.int(4)) +
    (random.chance(25) ? `.${(first ? 1 : 0) + random.int(4)}` : "") + letters();
  return place(true) + (random.chance(55) ? `,${place(false)}` : "");
}

/** Tab stops of expand and unexpand. */
export function tabStops(random: Random): string {
  if (random.chance(10)) {
    return random.pick([
      "",
      "0",
      "a",
      "4,2",
      "2,2",
      "1,,3",
      "/",
      "/3",
      "+3",
      "/0",
      "3,/4",
      "3,+4",
      "3,/4,5",
      "/4,/5",
      "1 3",
      "99999999999999999999",
      "+",
      "3x",
      "4/",
      "/2,+3",
      "3,+",
      "-1",
      ",",
    ]);
  }
  if (random.chance(50)) return String(1 + random.int(10));
  let at = 0;
  const stops: string[] = [];
  for (let i = 1 + random.int(4); i > 0; i--) stops.push(String(at += 1 + random.int(6)));
  return stops.join(random.chance(85) ? "," : " ") +
    (random.chance(20) ? `,${random.pick(["/", "+"])}${1 + random.int(5)}` : "");
}

/** Names of files, most of which exist. */
export function fileName(random: Random): string {
  return random.chance(85)
    ? random.pick(["f", "g", "-", "f"])
    : random.pick(["missing", ".", "", "f/x", "no/such", "sub", "a b", "-", "it's", "./f"]);
}

/** Patterns in grep's and sed's language. */
export function pattern(random: Random, extended: boolean): string {
  const wide = random.chance(25);
  let made = randomPattern(random, {
    extended,
    wide,
    anchors: random.chance(50),
    backrefs: random.chance(10),
  });
  if (random.chance(45)) {
    made = random.pick([
      "a",
      "b",
      "foo",
      "^a",
      "b$",
      "^$",
      "x*",
      "[0-9]",
      "the",
      "ab*",
      "[[:space:]]",
      "\\.",
      ".",
      "^",
      "$",
      "fo\\{1,2\\}",
      "\\(a\\)\\1",
      "\\bfoo\\b",
      "[^a]",
      "\\w",
      "[a-z]*",
      "^.*$",
      "a\\|b",
      "a|b",
      "(a)(b)?",
      "a+",
      "x?",
      "\\<b",
      "e\\>",
    ]);
  }
  if (random.chance(4)) {
    const at = random.int(made.length + 1);
    made = random.chance(50) ? made.slice(0, at) + made.slice(at + 1) : made.slice(0, at) +
      random.pick("\\ [ ] ( ) { } * + ? | ^ $ , a \\( \\) \\{ \\} 1 - : .".split(" ")) +
      made.slice(at);
  }
  return made;
}

/** Patterns of either kind. */
export function anyPattern(random: Random): string {
  return pattern(random, random.chance(50));
}
