import assert from "node:assert/strict";
import { testSeed } from "../../streams/_testing.ts";
import { splitCommandLine, splitWords } from "./split_words.ts";

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
  ['grep "\\`a\\$(b) $c $"', [["grep", "`a$(b) $c $"]]],
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
  // What says nothing to a command.
  ["sort 2>/dev/null", [["sort"]]],
  ["sort 2> /dev/null -r|wc 2>>/dev/null", [["sort", "-r"], ["wc"]]],
  ["2>&1 sort 2>&1 | wc 2>&-", [["sort"], ["wc"]]],
  ["sort 2>/dev/stderr 2>/dev/fd/1", [["sort"]]],
  ["sort |& wc", [["sort"], ["wc"]]],
  ["grep '2>/dev/null' \"2>&1\" 2\\>\\&1", [["grep", "2>/dev/null", "2>&1", "2>&1"]]],
  ["head -n 2", [["head", "-n", "2"]]],
  ["sort;", [["sort"]]],
  ["sort ; \n", [["sort"]]],
  ["sort\r\n", [["sort"]]],
  ["grep a \\\r\n b |\r\n sort\r", [["grep", "a", "b"], ["sort"]]],
  ["grep a\n  | sort\n| uniq", [["grep", "a"], ["sort"], ["uniq"]]],
  ["grep a || true", [["grep", "a"]]],
  ["grep a 2>/dev/null || true", [["grep", "a"]]],
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
  [
    'echo "Lines: $(wc -l)"',
    /^\$\( in double quotes at character 14 of cmd: .*run that command first.*single quotes: '\$\('$/,
  ],
  ['echo "`date`"', /^` in double quotes at character 7 of cmd: .*single quotes: '`'$/],
  ['echo "$((1 + 2))"', /^\$\( in double quotes at character 7/],
  ["sort\nhead", /^Unquoted newline at character 5 of cmd/],
  ["", /^The cmd is empty: /],
  [" \n", /^The cmd is empty: /],
  ["| wc", /^There is no command before the first \| in cmd: "\| wc"$/],
  ["cat || wc", /^Unquoted \|\| at character 5 of cmd: .*look at its status/],
  ["cat || true | wc", /^Unquoted \|\| at character 5 of cmd: .*look at its status/],
  ["|| true", /^There is no command before the first \| in cmd/],
  ["cat 2>errors", /^Unquoted 2> at character 6 of cmd: errors come in the result's stderr/],
  ["cat 2>/dev/nullx", /^Unquoted 2> at character 6/],
  ["cat '2'>/dev/null", /^Unquoted > .*out_fd/],
  ["cat >/dev/null 2>&1", /^Unquoted > .*out_fd/],
  ["cat >> x", /^Unquoted > .*out_fd/],
  ["cat &>/dev/null", /^Unquoted &> .*out_fd/],
  ["cat <<EOF", /^Unquoted << .*call pipe without in_fd/],
  ["diff - <(sort x)", /^Unquoted <\( .*name its out_fd N as \/dev\/fd\/N/],
  ["tee >(wc)", /^Unquoted >\( .*this one's out_fd/],
  ["sort; head;", /^Unquoted ; at character 5/],
  ["sort\nhead | wc", /^Unquoted newline at character 5 of cmd/],
  [";", /^The cmd is empty|^There is no command/],
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

Deno.test("splitCommandLine tells of || true at the end alone", () => {
  for (
    const end of ["|| true", "||true;", "||\ttrue\n", "|| :", "|| /bin/true", "|| /usr/bin/true"]
  ) {
    assert.deepEqual(splitCommandLine(`grep a | wc ${end}`), {
      commands: [["grep", "a"], ["wc"]],
      mayFail: true,
    });
  }
  assert.equal(splitCommandLine("grep '|| true'").mayFail, false);
  for (const end of ["|| truex", "|| false", "|| echo", "|| true x"]) {
    assert.throws(() => splitCommandLine(`grep a ${end}`), /^SyntaxError: Unquoted \|\| /);
  }
});

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
