import assert from "node:assert/strict";
import { memorySource } from "../../../streams/mod.ts";
import { agree, bytes } from "../../_testing.ts";
import { Stage } from "../../run/stage.ts";

const options = {
  inputs: {
    sorted: bytes("a\nb\nd\ne\ne\n"),
    unsorted: bytes("b\na\nc\n"),
    "unsorted at the end": bytes("a\nb\nd\nc"),
    empty: bytes(""),
    NULs: bytes("a\0b\0\0d"),
    same: bytes("a\nc\nd\n"),
    blank: bytes("\n\n"),
    falling: bytes("z\ny\nx\nw\nv\nu\nt\n"),
  },
  files: {
    g: bytes("a\nc\nd"),
    u: bytes("c\nb\na\n"),
    e: bytes(""),
    d: bytes("a\na\nb\nz\ny\n"),
    z: bytes("a\0c\0"),
  },
};

Deno.test("comm agrees with GNU", async () => {
  await agree("comm", [
    "f g",
    "- g",
    "g -",
    "f f",
    "f e",
    "e f",
    "e e",
    "f u",
    "u f",
    "f d",
    "d f",
    "u u",
    "-1 f g",
    "-2 f g",
    "-3 f g",
    "-12 f g",
    "-13 f g",
    "-23 f g",
    "-123 f g",
    "-12 f u",
    "--check-order f g",
    "--check-order f u",
    "--check-order u f",
    "--check-order d d",
    "--nocheck-order f u",
    "--nocheck-order u d",
    "--check-order --nocheck-order f u",
    "--output-delimiter=, f g",
    "--output-delimiter= f g",
    "--output-delimiter=<-> f d",
    "--output-delimiter=a --output-delimiter=a f g",
    "--output-delimiter=a --output-delimiter=b f g",
    "--output-delimiter",
    "--total f g",
    "--total -123 f d",
    "--total --output-delimiter=, f u",
    "--total --output-delimiter= f g",
    "-z f z",
    "-z z f",
    "-z --total f z",
    "",
    "f",
    "f g u",
    "-4 f g",
    "--nosuch",
    "missing g",
    "f missing",
    ". g",
    "f .",
    "-- f g",
    "- -",
    "--total - -",
    "--check-order --total - -",
    "--c f g",
  ], options);
});

Deno.test("comm gives its output in blocks also once one of its inputs has ended", async () => {
  const long = bytes("b\n".repeat(100_000));
  const stage = new Stage("comm", ["-", "f"], {
    stdin: memorySource("a\n"),
    signal: new AbortController().signal,
    warn: (message) => assert.fail(message),
    open: () => Promise.resolve(memorySource(long)),
  });
  const sizes: number[] = [];
  for await (const chunk of stage) sizes.push(chunk.length);
  assert.equal(sizes.reduce((sum, size) => sum + size), 2 + 3 * 100_000);
  assert.ok(sizes.length < 20, `${sizes.length} chunks`);
});
