import assert from "node:assert/strict";
import { memorySource } from "../streams/mod.ts";
import { PoisonSource } from "../testing/poison_source.ts";
import { countNewlines } from "./text/count.ts";
import { LineReader } from "./text/lines.ts";
import { Output } from "./text/output.ts";
import { quote, quoteAlways, quoteName } from "./text/quote.ts";
import { builtinNames, loadBuiltin } from "./run/registry.ts";
import { Stage } from "./run/stage.ts";
import { bytes, latin1, randomFrom } from "./_testing.ts";
import { testSeed } from "../streams/_testing.ts";

Deno.test("LineReader gives blocks of whole lines in any chunking, by newline and by NUL", async () => {
  const text = "one\ntwo\n\n" + "long".repeat(9) + "\nlast\0 \0without end";
  for (const separator of [10, 0]) {
    for (let size = 1; size <= 70; size++) {
      const reader = new LineReader(new PoisonSource(text, size), separator);
      const blocks: string[] = [];
      for (let block = await reader.next(); block !== undefined; block = await reader.next()) {
        blocks.push(latin1(block));
      }
      assert.equal(blocks.join(""), text);
      const ends = blocks.slice(0, -1).map((block) => block.charCodeAt(block.length - 1));
      assert.ok(ends.every((end) => end === separator), `chunks of ${size}`);
    }
  }
});

Deno.test("LineReader refuses a line that is longer than it may hold", async () => {
  const reader = new LineReader(memorySource("x".repeat(100), { chunkSize: 10 }), 10, 50);
  await assert.rejects(reader.next(), /A line is longer than lineBytes \(50 bytes\); raise it/);
});

Deno.test("LineReader says when the next block is at hand", async () => {
  const reader = new LineReader(new PoisonSource("ab\nc\nd\ne", [1, 5, 9]));
  assert.equal(latin1(await reader.next() ?? new Uint8Array(0)), "ab\n");
  assert.equal(reader.buffered, true);
  assert.equal(latin1(await reader.next() ?? new Uint8Array(0)), "c\n");
  assert.equal(reader.buffered, false);
});

Deno.test("Output gathers small pieces and passes big ones through", () => {
  const out = new Output();
  assert.equal(out.put(bytes("abc"), 1, 2), true);
  const big = new Uint8Array(20_000).fill(7);
  assert.equal(out.put(big), false);
  const spilled = [...out.spill(big)];
  assert.deepEqual([latin1(spilled[0] ?? big), spilled[1]?.buffer === big.buffer], ["b", true]);
  for (let i = 0; i < 65536; i++) assert.equal(out.putByte(1), true);
  assert.equal(out.putByte(1), false);
  assert.equal(out.take().length, 65536);
  assert.equal(out.room, 65536);
});

Deno.test("countNewlines agrees with a plain loop at every alignment", () => {
  const seed = testSeed();
  const random = randomFrom(seed);
  const data = Uint8Array.from({ length: 5000 }, () => random() < 0.5 ? 10 : random() * 256);
  for (let i = 0; i < 200; i++) {
    const part = data.subarray(Math.floor(random() * 20), Math.floor(random() * 5000));
    assert.equal(countNewlines(part), part.filter((byte) => byte === 10).length, `seed ${seed}`);
  }
});

Deno.test("quoteName, quoteAlways and quote are gnulib's", () => {
  const names = [
    "a b",
    "a'b",
    'a"b',
    "a$'b",
    "a\nb",
    "\x01",
    "~x",
    "a~",
    "#x",
    "\u00e9",
    "a:b",
    "",
    "{",
    "{x",
    "a-b",
  ];
  assert.deepEqual(names.map(quoteName), [
    "'a b'",
    `"a'b"`,
    `'a"b'`,
    "'a$'\\''b'",
    "'a'$'\\n''b'",
    "''$'\\001'",
    "'~x'",
    "a~",
    "'#x'",
    "\u00e9",
    "'a:b'",
    "''",
    "'{'",
    "{x",
    "a-b",
  ]);
  assert.equal(quoteAlways("x"), "'x'");
  assert.equal(quote("a\\\n\u2019"), "\u2018a\\\\\\n\\\u2019\u2019");
});

Deno.test("every builtin loads by its name and has a help of at most 80 columns", async () => {
  for (const name of builtinNames) {
    const builtin = await loadBuiltin(name);
    const warnings: string[] = [];
    const stage = new Stage(builtin, ["--help"], {
      stdin: memorySource(""),
      warn: (message) => void warnings.push(message),
      signal: new AbortController().signal,
    });
    let text = "";
    for await (const chunk of stage) text += new TextDecoder().decode(chunk);
    if (["echo", "true", "false", "printf"].includes(name)) continue;
    assert.deepEqual([stage.status, warnings], [0, []], name);
    assert.match(text, new RegExp(`^Usage: ${name} `));
    assert.deepEqual(text.split("\n").filter((line) => line.length > 80), [], name);
  }
});
