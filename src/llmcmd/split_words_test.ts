import assert from "node:assert/strict";
import { splitWords } from "./split_words.ts";
import { testSeed } from "../streams/_testing.ts";

const cases: [text: string, commands: string[][]][] = [
  ["cat", [["cat"]]],
  ["  wc\t-l ", [["wc", "-l"]]],
  [`grep "error\\|warn"`, [["grep", "error\\|warn"]]],
  ["sed 's/a/b/'", [["sed", "s/a/b/"]]],
  ["tr 'a-z' 'A-Z'", [["tr", "a-z", "A-Z"]]],
  ["sort | uniq -c", [["sort"], ["uniq", "-c"]]],
  ["sort|head -n1", [["sort"], ["head", "-n1"]]],
  ["grep 'a|b;c>d<e&f`g$(h'", [["grep", "a|b;c>d<e&f`g$(h"]]],
  [`grep "a|b;c>d<e&f"`, [["grep", "a|b;c>d<e&f"]]],
  ["grep a\\|b\\;\\ c", [["grep", "a|b; c"]]],
  ["grep '' \"\"", [["grep", "", ""]]],
  [`grep a'b'"c"\\d`, [["grep", "abcd"]]],
  [`grep "a\\"b\\\\c\\$d\\e"`, [["grep", 'a"b\\c$d\\e']]],
  ["grep $HOME * ~ {a,b} x$ #y", [["grep", "$HOME", "*", "~", "{a,b}", "x$", "#y"]]],
  ["grep 'a\nb'", [["grep", "a\nb"]]],
  ["grep a \\\n b", [["grep", "a", "b"]]],
  ["grep a\\\nb", [["grep", "ab"]]],
  ["grep a |\n sort\n", [["grep", "a"], ["sort"]]],
  ["sort -t$'\\t' -k2", [["sort", "-t\t", "-k2"]]],
  ["tr $'\\x41\\102\\n\\u00e9\\q' $'\\'\\\\'", [["tr", "AB\n\u00e9\\q", "'\\"]]],
  ["grep $'\\xc3\\xa9\u{1f600}'", [["grep", "\u00e9\u{1f600}"]]],
  ["grep \u65e5\u672c", [["grep", "\u65e5\u672c"]]],
];

for (const [text, commands] of cases) {
  Deno.test(`splitWords splits ${JSON.stringify(text)}`, () => {
    assert.deepEqual(splitWords(text), commands);
  });
}

const refused: [text: string, message: RegExp][] = [
  ["sort; head", /^Unquoted ; at character 5 of cmd: .*quote it: ';'$/],
  ["cat > x", /^Unquoted > .*out_fd.*quote it: '>'$/],
  ["cat < x", /^Unquoted < .*in_fd.*quote it: '<'$/],
  ["cat && wc", /^Unquoted & .*quote it: '&'$/],
  ["grep `x`", /^Unquoted ` .*quote it: '`'$/],
  ["grep $(x)", /^Unquoted \$\( .*quote it: '\$\('$/],
  ["sort\nhead", /^Unquoted newline at character 5 of cmd/],
  ["", /^The cmd is empty: /],
  [" \n", /^The cmd is empty: /],
  ["| wc", /^There is no command before the first \| in cmd: "\| wc"$/],
  ["cat || wc", /^There is no command after a \| in cmd/],
  ["cat |", /^There is no command after a \| in cmd/],
  ["grep 'a", /^The single quote at character 6 of cmd has no end/],
  ['grep "a', /^The double quote at character 6 of cmd has no end/],
  ["grep $'a", /^The \$' quote at character 7 of cmd has no end/],
  ["grep a\\", /^The backslash at the end of cmd quotes nothing/],
  ["grep $'\\xff'", /does not make UTF-8 text/],
];

for (const [text, message] of refused) {
  Deno.test(`splitWords refuses ${JSON.stringify(text)} and says what to do`, () => {
    assert.throws(() => splitWords(text), { name: "SyntaxError", message });
  });
}

Deno.test("splitWords agrees with sh on words without operators", async () => {
  const seed = testSeed();
  let state = seed;
  const random = (below: number) =>
    Math.floor(((state = (state * 1664525 + 1013904223) >>> 0) / 2 ** 32) * below);
  const alphabet = ["a", "b", " ", "  ", "'", '"', "\\\\", "\\'", '\\"', "\\a", "\t", "\u00e9"];
  const lines: string[] = [];
  while (lines.length < 300) {
    const text = "x " +
      Array.from({ length: random(12) }, () => alphabet[random(alphabet.length)]).join("");
    try {
      splitWords(text);
      lines.push(text);
    } catch { /* An open quote: sh would go on reading. */ }
  }
  const script = lines.map((line) => `set -- ${line}\nprintf '%s\\0' "$#" "$@"`).join("\n");
  const { stdout } = await new Deno.Command("sh", { args: ["-c", script] }).output();
  const fields = new TextDecoder().decode(stdout).split("\0");
  for (const line of lines) {
    const words = splitWords(line)[0] ?? [];
    const count = Number(fields.shift());
    assert.deepEqual(words, fields.splice(0, count), `seed ${seed}: ${JSON.stringify(line)}`);
  }
});
