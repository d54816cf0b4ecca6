import type { Random } from "../../src/regex/_testing.ts";
import type { Chunk } from "../../src/streams/mod.ts";

/** Kinds of lines in an input. */
export type Flavour =
  | "words"
  | "numbers"
  | "fields"
  | "few"
  | "blanks"
  | "wide"
  | "versions"
  | "paragraphs"
  | "control";

const encoder = new TextEncoder();

const WORDS = "a b ab abc A B foo bar baz fox The the quick x y z _ - ] 1 10 9 Foo BAR a.b c-d it's"
  .split(" ");
const NUMBERS =
  ("0 1 2 3 9 10 11 -1 -10 -0 +1 01 1.5 1.50 -1.5 .5 -.5 1e3 1E-2 0x1f 0x inf -inf nan " +
    "1k 1K 1M 2G 1Ki 5KiB 1,000 1.000.000 12345678901234567890 -99999999999999999999.5 1. -. 1e 1e+ " +
    "Infinity 1.5e400 007 1Q JAN feb Mar april MAYx dec").split(" ");
const WIDE = [
  "\u00e9",
  "\u00c9",
  "\u3042",
  "\u65e5\u672c",
  "\u{1f600}",
  "\u3000",
  "e\u0301",
  "\u00df",
];
const VERSIONS =
  ("a1 a10 a2 a1.txt a01.txt a1~ a1.0 1.2.3 1.10 1.2 file.tar.gz file-1.tar.gz .hidden " +
    "~x b1.2rc3 v1 v1.0 v1.0.1 1a a_1 A1 .. .").split(" ");

function word(random: Random): string {
  return random.pick(WORDS);
}

function line(random: Random, flavour: Flavour): string {
  const several = (pick: () => string, max: number, separator: () => string): string => {
    let text = "";
    for (let i = random.int(max + 1); i > 0; i--) text += pick() + (i > 1 ? separator() : "");
    return text;
  };
  const space = (): string => random.chance(80) ? " " : random.pick(["  ", "\t", " \t", "   "]);
  switch (flavour) {
    case "words":
      return several(() => word(random), 7, space);
    case "numbers":
      return (random.chance(20) ? space() : "") +
        several(() => random.pick(NUMBERS), 3, space);
    case "fields": {
      const separator = random.pick([":", ",", "\t", " ", ":"]);
      return several(
        () => random.chance(40) ? random.pick(NUMBERS) : random.chance(15) ? "" : word(random),
        5,
        () => separator,
      );
    }
    case "few":
      return random.pick(["a", "a", "b", "B", "A", "", "a b", "b a", "c"]);
    case "blanks":
      return several(
        () => random.pick(["", "a", "bc", "\t", "  ", "        ", "x\b", "\r"]),
        8,
        space,
      );
    case "wide":
      return several(
        () => random.chance(50) ? word(random) : random.pick(WIDE),
        7,
        () => random.chance(50) ? "" : " ",
      );
    case "versions":
      return random.pick(VERSIONS);
    case "paragraphs":
      return random.chance(25) ? "" : random.pick(["", "", "  ", "\t", "> ", "* "]) +
        several(() => word(random) + random.pick(["", "", "", ".", ".", "?", ")", ","]), 14, space);
    case "control":
      return several(
        () => random.chance(50) ? word(random) : String.fromCharCode(random.int(32)),
        5,
        () => random.pick(["", " ", "\x7f", "\v", "\f"]),
      );
  }
}

const ALL: readonly Flavour[] = [
  "words",
  "words",
  "numbers",
  "fields",
  "few",
  "blanks",
  "wide",
  "versions",
  "paragraphs",
  "control",
];

/** Random lines as text, without line breaks. */
export function randomLines(random: Random, flavours: readonly Flavour[] = ALL): string[] {
  const count = random.chance(6)
    ? 0
    : random.chance(4)
    ? 200 + random.int(600)
    : random.chance(20)
    ? random.int(40)
    : random.int(9);
  const flavour = random.pick(flavours);
  const lines = Array.from(
    { length: count },
    () => line(random, random.chance(90) ? flavour : random.pick(flavours)),
  );
  if (random.chance(15) && lines.length > 0) lines.push(random.pick(lines));
  return lines;
}

/** Options of a random input. */
export interface InputOptions {
  readonly flavours?: readonly Flavour[];
  /** True if lines are sorted by their bytes. */
  readonly sorted?: boolean;
  /** The byte that ends lines. */
  readonly separator?: string;
}

function invalid(random: Random, data: Uint8Array): void {
  for (let i = 1 + random.int(4); i > 0 && data.length > 0; i--) {
    const at = random.int(data.length);
    if (data[at] === 10) continue;
    data[at] = random.pick([0xff, 0xc3, 0xe3, 0x81, 0x80, 0xa0, 0xf5, 0xc0, 0x00, 0x1b, 0x08]);
  }
}

/** A whole random input. */
export function randomInput(random: Random, options: InputOptions = {}): Chunk {
  const { flavours = ALL, sorted = false } = options;
  if (random.chance(2)) {
    return Uint8Array.from({ length: random.int(600) }, () => random.int(256));
  }
  const lines = randomLines(random, flavours);
  if (random.chance(2)) {
    lines.push((random.pick(WORDS) + random.pick([" ", ""])).repeat(1000 + random.int(40_000)));
  }
  if (random.chance(1)) {
    const copy = [...lines, "x"];
    const size = copy.reduce((sum, each) => sum + each.length + 1, 0);
    for (let total = 0; total < 150_000; total += size) lines.push(...copy);
  }
  if (sorted) lines.sort((a, b) => compareBytes(encoder.encode(a), encoder.encode(b)));
  const separator = options.separator ??
    (random.chance(5) ? "\r\n" : random.chance(4) ? "\0" : "\n");
  let text = lines.map((each) => each + separator).join("");
  if (random.chance(20)) text = text.slice(0, -separator.length);
  const data = encoder.encode(text);
  if (random.chance(12)) invalid(random, data);
  return data;
}

function compareBytes(a: Uint8Array, b: Uint8Array): number {
  for (let i = 0; i < a.length && i < b.length; i++) {
    const difference = (a[i] ?? 0) - (b[i] ?? 0);
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}
