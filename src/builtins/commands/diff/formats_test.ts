import { agree, bytes } from "../../_testing.ts";

const files = {
  g: bytes("alpha\nb\nbeta\ngamma\n\tx\ndelta\n"),
  h: bytes("alpha\nbeta\n\ngamma\n  x\n"),
  "cut": bytes("alpha\nb\nbeta\ngamma"),
};
const inputs = {
  changed: bytes("alpha\nbeta\nGAMMA\n\tx\nepsilon\n"),
  same: files.g,
  empty: bytes(""),
  "no newline": bytes("alpha\nbeta\ngamma"),
  "blank lines": bytes("alpha\n\nb\nbeta\ngamma\n\n\tx\ndelta\n\n"),
};

Deno.test("diff -D merges files as GNU's does", async () => {
  await agree("diff", [
    "-D NAME f g",
    "--ifdef=NAME f cut",
    "-DA f h",
    "-D %l f g",
    "-D '' f g",
    "-D A -D B f g",
    "-D A -D A f g",
    "-D A -u f g",
    "-D A -B f g",
    "-D A -t f g",
    "-D A --tabsize=3 -t f h",
    "-D A -q f g",
    "-D A -s f g",
    "-D A -w f h",
    "-D A f f",
    "-D A f missing",
    "-D A --new-group-format=x f g",
    "-D A --line-format=%L f g",
  ], { inputs, files });
});

Deno.test("diff formats lines and groups as GNU's does", async () => {
  const lines = [
    ["--line-format=%L"],
    ["--line-format=[%l]%c'\\012'"],
    ["--line-format=%n:%l\n"],
    ["--line-format=%5n|%-5n|%05n|%.3n|%l\n"],
    ["--line-format=%5dn|%-5dn|%05dn|%.3dn|%6.3xn|%on|%Xn|%'dn|%l\n"],
    ["--line-format=%%%z%d%l%"],
    ["--line-format=%c'a'%c'\\101'%c'\\'%c''%c'\n"],
    ["--line-format=%c'\\7'%c'\\1234'"],
    ["--line-format=\u00e9%l\n"],
    ["--line-format="],
    ["--old-line-format=-%l\n", "--new-line-format=+%l\n", "--unchanged-line-format= %l\n"],
    ["--old-line-format=-%l\n", "--new-line-format=+%l\n", "--unchanged-line-format="],
    ["--old-line-format=a", "--old-line-format=b"],
    ["--line-format=a", "--old-line-format=b"],
    ["--unchanged-line-format=", "--new-line-format=", "--old-line-format=%L"],
    ["--unchanged-group-format="],
    ["--changed-group-format=<<%<==%>>>", "--unchanged-group-format=%="],
    ["--changed-group-format=%>", "--unchanged-group-format="],
    ["--old-group-format=O%<", "--new-group-format=N%>", "--changed-group-format=C%<%>"],
    ["--changed-group-format=%df,%dl %dn %de %dm / %dF,%dL %dN %dE %dM\n"],
    ["--changed-group-format=%(n=1?one:%(N=0?none:%dN))\n", "--unchanged-group-format=."],
    ["--changed-group-format=%(n=N?same:other", "--unchanged-group-format=."],
    ["--changed-group-format=%(n=1?a)b:c)d\n"],
    ["--changed-group-format=%(x=1?a:b)%(n~1?a:b)%(12=12?y:n)%(\n"],
    ["--changed-group-format=%8.4xF|%-8oL|%08XN|%q|%c'%'|%l|%L\n"],
    ["--old-group-format=%=|%<|%>\n", "--unchanged-group-format=%<|%>|%=\n"],
    ["--unchanged-group-format=%(e=E?%=:!%=)", "--line-format=%L", "-B"],
    ["--GTYPE-group-format=x"],
    ["--line-format=%L", "-y"],
    ["--line-format=%l\n", "-t"],
    ["--line-format=%L", "-t", "--tabsize=4"],
    ["--line-format"],
    ["--changed-line-format=x"],
  ];
  await agree(
    "diff",
    lines.flatMap((
      line,
    ) => [[...line, "f", "g"], [...line, "cut", "f"], [...line, "-i", "f", "h"]]),
    { inputs, files },
  );
});

Deno.test("diff does not read what is the same by its name, as GNU's", async () => {
  const binary = bytes("a\0b\n");
  await agree("diff", [
    "- -",
    "-s - -",
    "-q - -",
    "-y - -",
    "-D A - -",
    "-y --suppress-common-lines - -",
    "-u f f",
    "-s f ./f",
    "-s --label A --label B f .//f",
    "-s - f",
    "-y f f",
    "-e f f",
    ". .",
    "-s . .",
    "-s . ./.",
    "missing missing",
    "-N missing missing",
    "-s b b",
    "-q b ./b",
    "-y b b",
  ], { inputs, files: { ...files, b: binary } });
});

Deno.test("diff colours its output as GNU's does", async () => {
  const styles = [
    [],
    ["-u"],
    ["-c"],
    ["-e"],
    ["-f"],
    ["-n"],
    ["-y"],
    ["-y", "-W", "30", "--left-column"],
    ["-u", "-p", "-T"],
    ["-c", "-F", "^a", "--suppress-blank-empty"],
    ["-t"],
    ["-D", "A"],
    ["--line-format=%L"],
    ["-q"],
    ["-s"],
  ];
  const label = ["--label=x", "--label=y"];
  await agree("diff", [
    ...styles.flatMap((style) => [
      ["--color=always", ...style, ...label, "f", "g"],
      ["--color=always", ...style, ...label, "cut", "f"],
    ]),
    ["--color", "f", "g"],
    ["--color=never", "f", "g"],
    ["--color=auto", "--color=always", "f", "g"],
    ["--color=always", "--color=never", "f", "g"],
    ["--color=al", "f", "g"],
    ["--color=", "f", "g"],
    ["-u", "--color=always", ...label, "cut", "g"],
  ], { inputs, files });
});

Deno.test("diff -f lists changes from the first on, as GNU's does", async () => {
  await agree("diff", [
    "-f f g",
    "-f g f",
    "--forward-ed cut f",
    "-f f h",
    "-f -w f h",
    "-fe f g",
    "-f - -",
    "-f f ./f",
    "-f cut ./cut",
    "-f cut g",
  ], { inputs: { ...inputs, dots: bytes(".\nalpha\n.\nb\n..\n") }, files });
});
