import assert from "node:assert/strict";
import { bytes, errorOf, pattern, ScriptedSource, text, withSeed } from "./_testing.ts";
import { drain } from "./drain.ts";
import { LimitError, limitSource } from "./limit.ts";
import { MemorySink, memorySource } from "./memory.ts";
import { PoisonSource } from "../testing/poison_source.ts";

const limit = { name: "inputBytes", max: 4 };

Deno.test("limitSource lets exactly the limit pass in any chunking, then names it", () =>
  withSeed(async (random) => {
    const data = pattern(100);
    for (let round = 0; round < 100; round++) {
      const max = random(120);
      const source = new PoisonSource(data, 1 + random(30));
      const sink = new MemorySink();
      const result = await drain(limitSource(source, { name: "MAX", max }), sink).catch((e) => e);
      assert.deepEqual(sink.bytes(), data.subarray(0, max));
      if (max >= 100) assert.equal(result, 100);
      else {assert.equal(
          result.message,
          `Input is larger than MAX (${max} bytes); raise it to go on`,
        );}
    }
  }));

Deno.test("limitSource's error carries the limit", async () => {
  const error = await errorOf(drain(limitSource(memorySource("abcde"), limit), new MemorySink()));
  assert.ok(error instanceof LimitError);
  assert.ok(error instanceof RangeError);
  assert.equal(error.name, "LimitError");
  assert.equal(error.limit, "inputBytes");
  assert.equal(error.max, 4);
  assert.equal(
    error.message,
    "Input is larger than inputBytes (4 bytes); raise it to go on",
  );
});

Deno.test("limitSource closes its source at the limit, at the end and early", async () => {
  for (const [chunks, stop] of [[["abcde"], false], [["abc"], false], [["abc"], true]] as const) {
    const source = new ScriptedSource([...chunks]);
    const limited = limitSource(source, limit);
    if (stop) await limited.return();
    else await drain(limited, new MemorySink()).catch(() => {});
    assert.equal(source.releases, 1);
  }
});

Deno.test("limitSource of a file within the limit keeps random access, and guards it", async () => {
  const data = bytes("abcd");
  const { at } = limitSource(memorySource(data, { seekable: true }), limit);
  const into = new Uint8Array(10);
  assert.equal(at?.size, 4);
  assert.equal(await at?.read(1, into), 3);
  assert.equal(text(into.subarray(0, 3)), "bcd");

  // The file has grown since it was opened.
  const grown = memorySource("abcdef", { seekable: true });
  const source = limitSource(
    Object.assign(grown, { at: { size: 4, read: grown.at?.read ?? (() => Promise.resolve(0)) } }),
    limit,
  );
  assert.equal(await source.at?.read(0, into.subarray(0, 4)), 4);
  assert.ok(await errorOf(source.at?.read(2, into) ?? Promise.resolve()) instanceof LimitError);
});

Deno.test("limitSource of a file over the limit has no random access", () => {
  assert.equal(limitSource(memorySource("abcde", { seekable: true }), limit).at, undefined);
});

Deno.test("limitSource refuses a limit below 0", () => {
  const message = "Cannot limit MAX to -1 bytes: give a number of at least 0";
  const bad = { name: "MAX", max: -1 };
  assert.throws(() => limitSource(memorySource(""), bad), { name: "RangeError", message });
});
