import assert from "node:assert/strict";
import { agree, bytes, runOurs } from "./_testing.ts";

const texts = {
  records: bytes("aXXbXXXcXX\nabab1 22 333\nxyabyab\n"),
  separators: bytes("\n\n\na\n\n"),
  "starts with one": bytes("aab\nb"),
  NULs: bytes("a\0b\0\0c"),
  only: bytes("XX"),
};

Deno.test("tac agrees with GNU", async () => {
  const lines = [
    "",
    "-",
    "f",
    "f g",
    "-r -s 'x*'",
    "-r -s '[aeiou]*' f",
    "-b -r -s 'o*' g",
    "g - f",
    "-b",
    "-b f g",
    "-s X",
    "-s XX",
    "-bs XX",
    "-s ab",
    "-bs ab f",
    "-s aba",
    "-s b",
    "-s ''",
    "-bs ''",
    "--separator=a --before",
    "-s nothere",
    "-r",
    "-rb",
    "-r -s '[0-9]'",
    "-r -s '[0-9]+'",
    "-rb -s '[0-9]+'",
    "-r -s 'X\\|b'",
    "-r -s 'X+'",
    "-rs '\\(ab\\)'",
    "-rs '(a)'",
    "-rs 'b$'",
    "-rs '^a'",
    "-brs '^a'",
    "-rs .",
    "-rs 'X*b'",
    "-rs 'x{2}'",
    "--regex --separator=' '",
    "-rs ''",
    "-rs '\\('",
    "-rs '[a'",
    "-s",
    "-x",
    "--nosuch",
    "missing",
    ".",
    "f missing . g",
    "-- f",
    "-sX -sb",
  ];
  await agree("tac", lines, { inputs: texts });
  await agree("tac", ["", "f", "-b", "-s y", "-s ' '"]);
});

Deno.test("tac puts long inputs in temporary storage", async () => {
  const line = bytes("0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcde\n");
  const data = new Uint8Array(65 * 1024 * 1024);
  for (let i = 0; i < data.length; i += line.length) data.set(line, i);
  data[0] = 65;
  const { stdout, status } = await runOurs("tac", { args: [], stdin: data });
  assert.equal(status, 0);
  assert.equal(stdout.length, data.length);
  assert.equal(stdout[data.length - line.length], 65);
});
