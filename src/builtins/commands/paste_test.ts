import assert from "node:assert/strict";
import { memorySource } from "../../streams/mod.ts";
import { PoisonSource } from "../../testing/poison_source.ts";
import { Stage } from "../run/stage.ts";
import { agree } from "../_testing.ts";

Deno.test("paste agrees with GNU", async () => {
  await agree("paste", [
    "",
    "-",
    "- -",
    "- - -",
    "f g",
    "g f",
    "f - g",
    "- f - g",
    "-s",
    "-s f",
    "-s f g",
    "-s g - f",
    "-s - -",
    "-d,",
    "-d , f g",
    "-d abc f g f g f",
    "-d abc - - - - -",
    "-sd ab f",
    "-sd ab g g",
    ["-d", "\\0", "f", "g"],
    ["-d", "\\0-", "f", "g", "g"],
    ["-sd", "\\t\\n\\\\\\b\\f\\r\\v\\x", "f"],
    ["-d", "\\n", "f", "g"],
    ["-d", "", "f", "g"],
    ["-d", "", "-s", "g"],
    ["-d", "\\", "f"],
    ["-d", "a\\", "f"],
    ["-d", "a:\\", "f"],
    ["-d", "\t\\", "f"],
    "-d \u00e9 g g g",
    "-z",
    "-z f g",
    "-zs f",
    "-z -d, f f",
    "--serial --delimiters=+ g",
    "--zero-terminated --delim=: g f",
    "f missing",
    "missing f",
    "-s missing f",
    "-s f missing g",
    ".",
    ". f",
    "-s . g",
    "-d",
    "-x",
    "--nosuch",
    "-- f g",
  ]);
});

Deno.test("paste puts a long line out as it comes", async () => {
  for (
    const { args, text } of [
      { args: ["-d,", "-", "f"], text: "x".repeat(100) + ",12\n,345\n" },
      { args: ["-d,", "f", "-"], text: "12," + "x".repeat(100) + "\n345,\n" },
      { args: ["-s", "-d,", "-", "f"], text: "x".repeat(100) + "\n12,345\n" },
    ]
  ) {
    let most = 0;
    let printed = "";
    const stage = new Stage("paste", args, {
      stdin: new PoisonSource(new TextEncoder().encode("x".repeat(100)), [10]),
      open: () => Promise.resolve(memorySource("12\n345", { chunkSize: 2 })),
      warn: assert.fail,
      signal: new AbortController().signal,
    });
    for await (const chunk of stage) {
      most = Math.max(most, chunk.length);
      printed += new TextDecoder().decode(chunk);
    }
    assert.equal(printed, text);
    assert.ok(most < 20, `${most} bytes were held`);
  }
});
