import assert from "node:assert/strict";
import { builtinNames } from "../../builtins/mod.ts";
import { nameCommand } from "./name_command.ts";
import { splitWords } from "./split_words.ts";

const name = (cmd: string) => nameCommand(splitWords(cmd)[0] ?? []);
const words = (cmd: string) => {
  const { name: builtin, args } = name(cmd);
  return [builtin, ...args].join(" ");
};

const cases: [cmd: string, command: string][] = [
  ["sort -r", "sort -r"],
  ["/usr/bin/sort -r", "sort -r"],
  ["/bin/cat", "cat"],
  ["/usr/local/bin/gsed -n p", "sed -n p"],
  ["/opt/homebrew/bin/ggrep x", "grep x"],
  ["egrep 'a|b'", "grep -E a|b"],
  ["/usr/bin/fgrep a.b", "grep -F a.b"],
  ["gegrep a", "grep -E a"],
  ["gsort", "sort"],
  ["grep x", "grep x"],
  ["command sort", "sort"],
  ["\\sort", "sort"],
  ["LC_ALL=C sort", "sort"],
  ["LANG=C.UTF-8 LC_CTYPE=POSIX LC_ALL= command /usr/bin/egrep x", "grep -E x"],
  ["env LC_ALL=C sort", "sort"],
  ["/usr/bin/env sort", "sort"],
  ["grep LC_ALL=C", "grep LC_ALL=C"],
];

for (const [cmd, command] of cases) {
  Deno.test(`nameCommand takes ${cmd} for ${command}`, () => {
    assert.equal(words(cmd), command);
    assert.deepEqual(name(cmd).notes, []);
  });
}

Deno.test("nameCommand takes every builtin by its name, its folder and GNU's name elsewhere", () => {
  for (const builtin of builtinNames) {
    for (const form of [builtin, `/usr/bin/${builtin}`, `g${builtin}`]) {
      assert.equal(name(form).name, builtin, form);
    }
  }
});

Deno.test("nameCommand notes a locale that sorts otherwise", () => {
  assert.deepEqual(name("LC_ALL=de_DE.UTF-8 sort").notes, [
    "LC_ALL=de_DE.UTF-8: the only locale is C.UTF-8",
  ]);
});

const LIST = `The commands are ${builtinNames.join(", ")}`;

const refused: [cmd: string, message: string | RegExp][] = [
  ["sortt", `sortt: command not found; did you mean sort? ${LIST}`],
  ["Grep x", `Grep: command not found; did you mean grep? ${LIST}`],
  ["frobnicate", `frobnicate: command not found; ${LIST}`],
  ["/home/me/run", `/home/me/run: command not found; no programs can be run. ${LIST}`],
  ["bc", /^bc: command not found; work it out yourself/],
  ["/usr/bin/awk 1", /^awk: command not found; take columns with/],
  ["env", /^env: command not found; leave it out/],
  ["env -i sort", /^env: command not found; leave it out/],
  ["command -v sort", /^command: command not found; leave it out/],
  ["env python3 x", /^python3: command not found; no programs/],
  ["TZ=UTC sort", "TZ=UTC: there are no variables: write values into the command"],
  ["LC_ALL=C", "LC_ALL=C: there are no variables: write values into the command"],
  ["'sort -r'", "sort -r: command not found: do not quote the whole command, only arguments"],
  ["'awk 1 | sort'", /^awk 1 \| sort: command not found: do not quote the whole command/],
  ["exit 0", /^exit: command not found; it is a tool, not a command/],
  ["x".repeat(200), new RegExp(`^x{60}: command not found; The commands`)],
];

for (const [cmd, message] of refused) {
  Deno.test(`nameCommand refuses ${cmd.slice(0, 20)} and names the way`, () => {
    assert.throws(() => name(cmd), { name: "RangeError", message });
  });
}
