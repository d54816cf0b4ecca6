import type { Random } from "../../src/regex/_testing.ts";

const ESCAPES = [
  "\\n",
  "\\t",
  "\\\\",
  "\\a",
  "\\b",
  "\\f",
  "\\r",
  "\\v",
  "\\e",
  "\\0",
  "\\101",
  "\\0101",
  "\\x41",
  "\\x4",
  "\\xg",
  "\\u00e9",
  "\\u3042",
  "\\U0001f600",
  '\\"',
  "\\c",
  "\\q",
  "\\",
  "\\8",
  "\\400",
  "\\u",
  "\\ud800",
  "\\u0041",
  "\\'",
];

/** A format of printf. */
export function printfFormat(random: Random): string {
  let out = "";
  for (let i = 1 + random.int(4); i > 0; i--) {
    const roll = random.int(100);
    if (roll < 20) out += random.pick(["a", " ", "x=", "\u00e9", "-", ":", "%%"]);
    else if (roll < 38) out += random.pick(ESCAPES);
    else if (roll < 96) out += conversion(random, "diouxXfeEgGaAcsbqs");
    else {out += random.pick([
        "%",
        "%z",
        "%5",
        "%-",
        "%ld",
        "%lld",
        "%hd",
        "%y",
        "%5%",
        "%*",
        "%.",
        "%1$s",
        "%'d",
        "%n",
        "%Lf",
      ]);}
  }
  return out;
}

function conversion(random: Random, letters: string): string {
  let flags = "";
  while (random.chance(25)) flags += random.pick(["-", "0", " ", "+", "#", "'"]);
  const width = random.chance(30) ? random.pick(["5", "10", "1", "*", "3", "20"]) : "";
  const precision = random.chance(25) ? random.pick([".0", ".2", ".", ".*", ".5", ".10"]) : "";
  return `%${flags}${width}${precision}${letters[random.int(letters.length)] ?? "s"}`;
}

/** An argument of printf. */
export function printfArgument(random: Random): string {
  if (random.chance(15)) {
    let out = "";
    for (let i = 1 + random.int(3); i > 0; i--) out += random.pick([...ESCAPES, "a", "%d"]);
    return out;
  }
  return random.pick([
    "",
    "0",
    "1",
    "-1",
    "5",
    "42",
    "255",
    "1.5",
    "-2.75",
    "1e10",
    "1e-5",
    "0x1F",
    "017",
    "08",
    "'a",
    '"A',
    "'\u00e9",
    "'",
    "abc",
    "a b",
    "12x",
    "inf",
    "nan",
    "-inf",
    "9223372036854775807",
    "9223372036854775808",
    "-9223372036854775808",
    "18446744073709551615",
    "18446744073709551616",
    "-9223372036854775809",
    "0.1",
    "123456789.123456789",
    "1e400",
    "-0",
    "+7",
    " 7",
    "7 ",
    "\u00e9t\u00e9",
    "it's",
    "\n",
    "a\tb",
    "$x",
    "100000",
    "1000000",
    "0.0001",
    "0.00001",
    "3.999999999",
    "0x1p3",
    "~",
    "\u{1f600}",
    "1e308",
    "2.5",
    "3.5",
    "-",
    "0b1",
    "1,5",
  ]);
}

/** An operand of echo. */
export function echoOperand(random: Random): string {
  let out = "";
  for (let i = random.int(4); i > 0; i--) {
    out += random.chance(50)
      ? random.pick(ESCAPES)
      : random.pick(["a", " ", "-", "\u00e9", "--", "0"]);
  }
  return out;
}

/** A format of seq. */
export function seqFormat(random: Random): string {
  if (random.chance(10)) {
    return random.pick([
      "%",
      "%d",
      "x",
      "%%",
      "%f%f",
      "%5%",
      "%s",
      "%*f",
      "%f %",
      "%.f",
      "%lf",
      "%Lf",
      "",
      "%",
    ]);
  }
  return random.pick(["", "", "a", "%%"]) + conversion(random, "feEgGaA").replaceAll("*", "4") +
    random.pick(["", "", "b", "%%", "\\n"]);
}

/** A number of seq. */
export function seqNumber(random: Random): string {
  return random.chance(60) ? String(random.int(12) - 3) : random.pick([
    "0.1",
    "1.5",
    "-0.5",
    "1e1",
    "1e-1",
    "0x10",
    "0x1p2",
    "10",
    "100",
    "-5",
    "0",
    "1.10",
    ".5",
    "5.",
    "+3",
    "abc",
    "",
    "nan",
    "inf",
    "-inf",
    "1e3",
    "99999999999999999999",
    "1x",
    "-0",
    "0.25",
    "1e2",
    "00",
    "08",
    "100000",
    "3.0",
    "2.00",
    "-1.0",
    "0.000001",
    "1e-7",
    " 1",
    "1 ",
    "9007199254740993",
    "0x1.8",
    "1E1",
  ]);
}
