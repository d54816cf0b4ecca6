import assert from "node:assert/strict";
import { DEMO, SUBCOMMAND } from "./_testing.ts";
import { completionScript, manualPage, pageHelp } from "./mod.ts";

Deno.test("pageHelp shows options, subcommands, sections and examples", () => {
  assert.equal(
    pageHelp(DEMO, [SUBCOMMAND]),
    `Usage: demo [OPTION]... [FILE]...
  or:  demo SUBCOMMAND [ARGUMENT]...
Do what is to be done.

Options:
  -n, --count=NUM            how many (3)
  -o, --output=FILE          where
      --name=NAME            it's [one]
      --kind=KIND            which
  -i, --input=FILE           from where
  -q, --quiet                say nothing
  -h, --help                 print this help

Subcommands:
  For details: demo SUBCOMMAND --help.
  watch                      look on

Environment:
  DEMO_COUNT                 as --count

Examples:
  demo -n 5 'a file'
`,
  );
});

Deno.test("manualPage has all that the pages say, a subcommand's sections below its own heading", async () => {
  const page = await manualPage(DEMO, [SUBCOMMAND], { about: "do things", version: "1.2" });
  const lines = page.split("\n");
  assert.equal(lines[0], `.TH DEMO 1 "" "demo 1.2"`);
  assert.equal(lines[2], "demo \\- do things");
  assert.deepEqual(lines.filter((line) => /^\.S[HS]/.test(line)), [
    ".SH NAME",
    ".SH SYNOPSIS",
    ".SH DESCRIPTION",
    ".SH OPTIONS",
    `.SH "NOTES"`,
    `.SH "ENVIRONMENT"`,
    `.SH "DEMO WATCH"`,
    `.SS "Exit status"`,
    ".SH EXAMPLES",
  ]);
  const after = (heading: string, count: number) => {
    const at = lines.indexOf(heading);
    return lines.slice(at + 1, at + 1 + count);
  };
  assert.deepEqual(after(".SH OPTIONS", 3), [
    ".TP",
    "\\fB\\-n\\fR, \\fB\\-\\-count\\fR=\\fINUM\\fR",
    "how many (3)",
  ]);
  assert.deepEqual(after(".EX", 3), ["demo \\e", "  x", ".EE"]);
  // Unescaped, a line that begins with a dot would be a command of roff.
  assert.deepEqual(after(`.SS "Exit status"`, 4), [
    "The last one\\(aqs.",
    ".TP",
    ".B 9",
    "\\&.hidden",
  ]);
});

Deno.test("the completions of zsh offer an option once, one that repeats again and again", async () => {
  const script = await completionScript("zsh", DEMO, [SUBCOMMAND]);
  const line = (spelling: string) =>
    script.split("\n").map((line) => line.trim().replace(/ \\$/, ""))
      .find((line) => line.includes(`'${spelling}`));
  assert.equal(line("-o"), "'(-o --output)'-o+'[where]:FILE:_files'");
  assert.equal(line("--output"), "'(-o --output)'--output='[where]:FILE:_files'");
  assert.equal(line("-i"), "'*'-i+'[from where]:FILE:_files'");
  assert.equal(line("--input"), "'*'--input='[from where]:FILE:_files'");
  assert.equal(line("--dir"), "'*'--dir='[look there]:FOLDER:_files'");
  assert.equal(line("--kind"), "'(--kind)'--kind='[which]:KIND:(a b c)'");
  assert.equal(line("--quiet"), "'(-q --quiet)'--quiet'[say nothing]'");
  assert.equal(line("--name"), `'(--name)'--name='[it'\\''s \\[one\\]]:NAME: '`);
});

Deno.test("the completions of fish say which options take files, words or anything", async () => {
  const script = await completionScript("fish", DEMO, [SUBCOMMAND]);
  const none = "complete -c demo -n 'not __fish_seen_subcommand_from watch'";
  const lines = script.split("\n");
  assert.ok(lines.includes(`${none} -s o -l output -r -F -d 'where'`), script);
  assert.ok(lines.includes(`${none} -l kind -x -a 'a b c' -d 'which'`), script);
  assert.ok(lines.includes(`${none} -l name -x -d 'it\\'s [one]'`), script);
  assert.ok(lines.includes("complete -c demo -n __fish_use_subcommand -a watch -d 'look on'"));
  assert.ok(lines.includes("complete -c demo -n '__fish_seen_subcommand_from watch' -f"));
});

Deno.test("the completions of bash offer spellings, words, files and subcommands", async () => {
  const script = await completionScript("bash", DEMO, [SUBCOMMAND]);
  assert.match(script, /^ +-o\|--output\) _demo_files "\$cur"; return ;;$/m);
  assert.match(script, /^ +--kind\) _demo_words "a b c" "\$cur"; return ;;$/m);
  assert.match(script, /^ +--name\) COMPREPLY=\(\); return ;;$/m);
  assert.match(script, /_demo_words "-n --count -o --output --name --kind -i --input -q --quiet/);
  assert.match(script, /COMP_CWORD -eq 1 .*compgen -W "watch"/);
});

Deno.test("completionScript refuses a shell that it does not know", async () => {
  for (const shell of ["tcsh", "toString", ""]) {
    await assert.rejects(completionScript(shell, DEMO, []), {
      name: "UsageError",
      message: `no completions for '${shell}': give bash, zsh or fish`,
    });
  }
});
