import assert from "node:assert/strict";
import { testSeed } from "../streams/_testing.ts";
import { Random } from "./_testing.ts";
import { parsePattern } from "./posix/parse.ts";
import { Program } from "./program.ts";
import { Captures } from "./captures.ts";
import { symbolsOf } from "./utf8.ts";

const encoder = new TextEncoder();

Deno.test("Walker finds sub-matches where the automaton has dropped its states on the way", () => {
  const seed = testSeed();
  const random = new Random(seed);
  const letters = (count: number) =>
    Array.from({ length: count }, () => "ab"[random.int(2)]).join("");
  const inner = `${letters(17)}a${letters(150_000)}`;
  const text = encoder.encode(`x${inner}yzz`);
  const { tree } = parsePattern(symbolsOf(encoder.encode("x([ab]{17}a[ab]*)y(.*)")), {
    extended: true,
    dialect: "sed",
    ignoreCase: false,
    multiline: false,
  });
  const program = new Program(tree, "glibc");
  const registers = new Int32Array(6);
  new Captures(program, 2).fill(text, 0, text.length, 0, text.length, registers);
  assert.ok(program.trace.epoch > 2, `epoch ${program.trace.epoch}`);
  const end = inner.length + 1;
  assert.deepEqual([...registers], [0, text.length, 1, end, end + 1, text.length], `seed ${seed}`);
});
