import assert from "node:assert/strict";
import { describeNearMatch } from "./near_match.ts";
import { replaceIn } from "./replacements.ts";

const EXACT = "The exact text, as JSON: ";

/** What is told, after a check that the exact text in it can be replaced. */
function told(text: string, wanted: string): string {
  const message = describeNearMatch(text, wanted) ?? "";
  const at = message.indexOf(EXACT);
  assert(at >= 0 && !message.includes(": . "), message);
  const old_string: unknown = JSON.parse(message.slice(at + EXACT.length));
  assert(typeof old_string === "string");
  const { places } = replaceIn("f", text, [{ old_string, new_string: "\u0000" }]);
  assert.equal(places, 1);
  return message.replace(`. ${EXACT}`, " => ");
}

const CASES: [name: string, text: string, wanted: string, told: string][] = [
  [
    "a no-break space",
    "x\u00a0= 1\n",
    "x = 1",
    "line 1 differs from it only in look-alike characters: U+00A0 (no-break space) where " +
    'old_string has U+0020 (space) => "x\\u00a0= 1"',
  ],
  [
    "quotes and dashes",
    "a\nsay \u201chi\u2019s\u201d \u2013 ok\n",
    '"hi\'s" - ok',
    "line 2 differs from it only in look-alike characters: U+201C (left double quotation mark) " +
    'where old_string has "\\""; U+2019 (right single quotation mark) where old_string has "\'"; ' +
    'U+201D (right double quotation mark) where old_string has "\\""; U+2013 (en dash) where ' +
    'old_string has "-" => "\\u201chi\\u2019s\\u201d \\u2013 ok"',
  ],
  [
    "plain quotes where curly ones were given",
    "it's\n",
    "it\u2019s",
    'line 1 differs from it only in look-alike characters: "\'" where old_string has U+2019 ' +
    '(right single quotation mark) => "it\'s"',
  ],
  [
    "a letter with a combining accent",
    "cafe\u0301 noir\n",
    "caf\u00e9 noir",
    "line 1 differs from it only in look-alike characters: U+0065 U+0301 where old_string has " +
    'U+00E9 => "cafe\\u0301 noir"',
  ],
  [
    "a composed letter",
    "\uac00\n",
    "\u1100\u1161",
    "line 1 differs from it only in look-alike characters: U+AC00 where old_string has U+1100 " +
    'U+1161 => "\uac00"',
  ],
  [
    "a character without width",
    "a\u200bb\n",
    "ab",
    "line 1 differs from it only in look-alike characters: U+200B (zero-width space) U+0062 " +
    'where old_string has "b" => "a\\u200bb"',
  ],
  [
    "blanks at the end of a line",
    "a  \nb\nc\t\n",
    "a\nb\nc\n",
    'lines 1-3 differ from it only in blanks at the ends of lines: line 1 ends with "  ", in ' +
    'old_string with no blanks; line 3 ends with "\\t", in old_string with no blanks => ' +
    '"a  \\nb\\nc\\t\\n"',
  ],
  [
    "no blanks at the end",
    "a\nb\n",
    "a\nb  ",
    "lines 1-2 differ from it only in blanks at the ends of lines: line 2 ends with no blanks, " +
    'in old_string with "  " => "a\\nb"',
  ],
  [
    "tabs",
    "if y:\n\tif x:\n\t\tx = 1\n",
    "  if x:\n    x = 1\n",
    'lines 2-3 differ from it only in indentation: line 2 begins with "\\t", in old_string with ' +
    '"  "; line 3 begins with "\\t\\t", in old_string with "    " => "\\tif x:\\n\\t\\tx = 1\\n"',
  ],
  [
    "indentation that was left out",
    "  {\n    a;\n  }\n",
    "{\n  a;\n}",
    'lines 1-3 differ from it only in indentation: line 2 begins with "    ", in old_string with ' +
    '"  "; line 3 begins with "  ", in old_string with no blanks => "{\\n    a;\\n  }"',
  ],
  [
    "the indentation of a next line",
    "f(\n\ta,\n\tb)\n",
    "f(\n  a,\n  ",
    'lines 1-3 differ from it only in indentation: line 2 begins with "\\t", in old_string with ' +
    '"  "; line 3 begins with "\\t", in old_string with "  " => "f(\\n\\ta,\\n\\t"',
  ],
  [
    "more blanks within",
    "a   = 1\n",
    "a = 1",
    'line 1 differs from it only in the number of blanks: "   " where old_string has U+0020 ' +
    '(space) => "a   = 1"',
  ],
  [
    "lines that end in CRLF",
    "a\r\n\tb\r\nc",
    "a\n  b\n",
    'lines 1-2 differ from it only in indentation: line 2 begins with "\\t", in old_string with ' +
    '"  " => "a\\n\\tb\\n"',
  ],
  [
    "lines that end in CR",
    "a\r\tb\rc",
    "a\n  b\nc",
    'lines 1-3 differ from it only in indentation: line 2 begins with "\\t", in old_string with ' +
    '"  " => "a\\n\\tb\\nc"',
  ],
];

for (const [name, text, wanted, expected] of CASES) {
  Deno.test(`describeNearMatch tells of ${name}`, () => assert.equal(told(text, wanted), expected));
}

Deno.test("describeNearMatch names the lines of several places", () => {
  assert.equal(
    describeNearMatch("  y = 2\nz\n\ty = 2\n", "   y = 2"),
    "lines 1, 3 differ from it only in indentation: read them again and copy exactly those that " +
      "you mean, with more of the text around them",
  );
  assert.match(
    describeNearMatch("a\u00a0b\n".repeat(9), "a b") ?? "",
    /^lines 1, 2, 3, 4, 5, \.\.\. differ/,
  );
});

Deno.test("describeNearMatch finds the least different place", () => {
  assert.match(told("\ta  b\na\u00a0b\n", "a b"), /^line 2 differs from it only in look-alike/);
});

Deno.test("describeNearMatch finds nothing where more is different", () => {
  assert.equal(describeNearMatch("a = 1\n", "b = 1"), undefined);
  assert.equal(describeNearMatch("  \n", "\t"), undefined);
  // Indentation is at the beginning of a line only.
  assert.equal(describeNearMatch("else if x:\n", "   if x:"), undefined);
  assert.equal(describeNearMatch("a b\n", "a  \n"), undefined);
  assert.equal(describeNearMatch("", "a"), undefined);
});

Deno.test("describeNearMatch does not repeat what is long", () => {
  const long = `x\u00a0${"y".repeat(5000)}`;
  assert.match(
    describeNearMatch(long, long.replace("\u00a0", " ")) ?? "",
    /U\+0020 \(space\)\. Read them again and copy them exactly$/,
  );
});

Deno.test("describeNearMatch agrees with what was made different at random", () => {
  let state = 12;
  const random = (below: number) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor(state / 2 ** 32 * below);
  };
  const swaps: [RegExp, string[]][] = [
    [/ /g, [" ", "\u00a0", "\u2009"]],
    [/'/g, ["'", "\u2019"]],
    [/-/g, ["-", "\u2013", "\u2212"]],
    [/\u00e9/g, ["\u00e9", "e\u0301"]],
    [/^ */gm, ["", "  ", "\t"]],
    [/$/gm, ["", " "]],
  ];
  for (let round = 0; round < 200; round++) {
    const lines = Array.from({ length: 4 }, (_, n) => `  it's ${n}-${random(100)} \u00e9`);
    const wanted = lines.slice(1, 3).join("\n");
    let there = wanted;
    for (const [pattern, choices] of swaps.slice(0, 1 + random(swaps.length))) {
      there = there.replace(pattern, () => choices[random(choices.length)] ?? "");
    }
    if (there.includes(wanted)) continue;
    told([lines[0], there, lines[3], ""].join("\n"), wanted);
  }
});
