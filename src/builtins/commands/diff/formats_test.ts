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

Deno.test("diff does not read what is the same by its name, as GNU's", async () => {
  const binary = bytes("a\0b\n");
  await agree("diff", [
    "- -",
    "-s - -",
    "-q - -",
    "-u f f",
    "-s f ./f",
    "-s --label A --label B f .//f",
    "-s - f",
    ". .",
    "-s . .",
    "-s . ./.",
    "missing missing",
    "-N missing missing",
    "-s b b",
    "-q b ./b",
  ], { inputs, files: { ...files, b: binary } });
});

Deno.test("diff colours its output as GNU's does", async () => {
  const styles = [
    [],
    ["-u"],
    ["-c"],
    ["-u", "-p", "-T"],
    ["-c", "-F", "^a", "--suppress-blank-empty"],
    ["-t"],
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
