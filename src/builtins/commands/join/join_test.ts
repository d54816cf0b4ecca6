import assert from "node:assert/strict";
import { drain, MemorySink, memorySource } from "../../../streams/mod.ts";
import { agree, bytes, memoryTemp } from "../../_testing.ts";
import { Stage } from "../../run/stage.ts";

const options = {
  inputs: {
    sorted: bytes("a 1 x\nb 2\nb 3 y\nd 4\n"),
    unsorted: bytes("b 1\na 2\nc 3\n"),
    "unsorted at the end": bytes("a 1\nc 2\nd 3\nb 4"),
    tabs: bytes("a\t1\t\tx\nb\t\ny\n\nz\t1\n"),
    blanks: bytes("  a   1 \n b\t\tx \n\n   \nc\n"),
    NULs: bytes("a 1\0b 2\0c\n3\0"),
    empty: bytes(""),
    capitals: bytes("A 1\na 2\nB 3\n"),
    colons: bytes("a:1:2\nb::3\n:x\n"),
  },
  files: {
    g: bytes("a one\nb two\nc three extra\n"),
    u: bytes("c 1\nb 2\na 3\n"),
    e: bytes(""),
    t: bytes("a\tA\tB\nb\t\t\nz\n"),
    z: bytes("a A\0c C\0"),
    k: bytes("1 a\n2 b\n4 d\n"),
    c: bytes("a:A\nb:B:C\n"),
  },
  // GNU appends an error that an earlier call left behind.
  normalise: (text: string) =>
    text.replace("standard input: No such file or directory", "standard input"),
};

Deno.test("join agrees with GNU", async () => {
  await agree("join", [
    "f g",
    "- g",
    "g -",
    "f f",
    "f e",
    "e f",
    "f u",
    "u f",
    "u u",
    "-a1 f g",
    "-a 2 f g",
    "-a1 -a2 f g",
    "-v1 f g",
    "-v2 f g",
    "-v1 -v2 f g",
    "-v1 -a2 f g",
    "-a1 f u",
    "-1 2 f k",
    "-2 2 f k",
    "-j 2 f k",
    "-j2 f k",
    "-j1 f g",
    "-j1 2 f g",
    "-j2 2 f k",
    "-1 1 -2 2 f k",
    "-o 1.1 f g",
    "-o 0,1.2,2.2 f g",
    "-o 0 1.2 2.2 f g",
    "-o '0 1.2,2.2' f g",
    "-o 1.1 -o 2.1 f g",
    "-o 2.3,1.9,0 -a1 -a2 -e - f g",
    "-o auto f g",
    "-o auto -a1 -a2 -e X f g",
    "-e X -a1 -a2 f g",
    "-i f g",
    "-i -a1 f g",
    "-t : f c",
    "-t : -a1 -a2 f c",
    ["-t", "\t", "f", "t"],
    ["-t", "\t", "-a1", "-a2", "-o", "auto", "-e", "E", "f", "t"],
    ["-t", "", "f", "g"],
    ["-t", "", "-a1", "f", "f"],
    ["-t", "\\0", "f", "g"],
    "-z f z",
    "-z -a1 -a2 f z",
    "--header f g",
    "--header -a1 -a2 f u",
    "--header f e",
    "--header -o auto f g",
    "--check-order f g",
    "--check-order f u",
    "--check-order u f",
    "--nocheck-order f u",
    "--nocheck-order -a1 -a2 u f",
    "--ignore-case --zero f z",
    "-2 3 g g",
    "-- f g",
  ], options);
});

Deno.test("join agrees with GNU on wrong use", async () => {
  await agree("join", [
    "",
    "f",
    "f g u",
    "-1 x f g",
    "-1 0 f g",
    "-j 0 f g",
    "-t ab f g",
    ["-t", "\\n", "f", "g"],
    "-a 3 f g",
    "-a x f g",
    "-v",
    "-o x f g",
    "-o 1.x f g",
    "-o 1.0 f g",
    "-o 3.1 f g",
    "-o 0.1 f g",
    "-o '' f g",
    "-o 1.1,,2.1 f g",
    "-1 1 -1 2 f g",
    "-j 1 -1 2 f g",
    "-t a -t b f g",
    "-e a -e b f g",
    "- -",
    "missing g",
    "f missing",
    ". g",
    "--nosuch",
    "-1 99999999999999999999999 f g",
    "-a0 f g",
    "-j f g",
    "-j11 f g",
    "-o 1.99999999999999999999 f g",
    "-t \u00e9 f g",
    "-o 1 f g",
    "f -j1",
    "f g -- u",
    "f -o 1.1 g u",
  ], options);
});

Deno.test("join agrees with GNU on great field numbers, and opens both files before it reads", async () => {
  await agree("join", [
    "-j 5 -2 46744073709551615 f g",
    "-1 99999999999999999999 -2 99999999999999999999 f g",
    "-1 99999999999999999999 -j 18446744073709551615 f g",
    "-j 18446744073709551614 f g",
    "-j 5 -1 99999999999999999999 f g",
    ". missing",
    ". g",
  ], { inputs: { text: bytes("a\n") } });
});

/** Joins two texts with the given storage. */
async function joined(a: string, b: string, temp: boolean, ...args: string[]): Promise<string> {
  const stage = new Stage("join", [...args, "a", "b"], {
    stdin: memorySource(""),
    signal: new AbortController().signal,
    warn: assert.fail,
    limits: { heldBytesWithoutTemp: 100_000 },
    open: (name) => Promise.resolve(memorySource(name === "a" ? a : b)),
    ...(temp && { temp: () => Promise.resolve(memoryTemp()) }),
  });
  const out = new MemorySink();
  await drain(stage, out);
  return out.text();
}

Deno.test("join keeps the order of groups that it holds in temporary storage", async () => {
  const long = "x".repeat(1000);
  const many = Array.from({ length: 14_000 }, (_, i) => `k ${i} ${long}\n`).join("");
  const lines = await joined(`a 1\n${many}`, "k b\nk c\nz d\n", true, "-o", "1.2,2.2");
  const expected = Array.from({ length: 14_000 }, (_, i) => `${i} b\n${i} c\n`).join("");
  assert.equal(lines, expected);
  const turned = await joined("k b\nk c\nz d\n", many, true, "-o", "2.2,1.2");
  const column = (name: string): string =>
    Array.from({ length: 14_000 }, (_, i) => `${i} ${name}\n`).join("");
  assert.equal(turned, column("b") + column("c"));
  const longest = `k ${"y".repeat(300_000)}\n`;
  assert.equal(await joined(many, longest, true, "-v1"), "");
});

Deno.test("join names the limit of a group where there is no temporary storage", async () => {
  const many = `k ${"x".repeat(1000)}\n`.repeat(6000);
  await assert.rejects(joined(many, "k b\n", false), {
    name: "LimitError",
    limit: "heldBytesWithoutTemp",
    max: 100_000,
  });
});
