import assert from "node:assert/strict";
import { MemorySink, memorySource } from "../../../streams/mod.ts";
import { agree, memoryTemp, randomFrom } from "../../_testing.ts";
import { Stage } from "../../run/stage.ts";
import { optional, thorough } from "../../../../tests/_optional.ts";

async function sorted(args: readonly string[], seed: number, text: string): Promise<string> {
  const random = randomFrom(seed);
  const stage = new Stage("sort", args, {
    stdin: memorySource(text, { chunkSize: 4096 }),
    warn: assert.fail,
    signal: new AbortController().signal,
    random: (into) => {
      for (let i = 0; i < into.length; i++) into[i] = Math.floor(random() * 256);
    },
    temp: () => Promise.resolve(memoryTemp()),
  });
  const out = new MemorySink();
  for await (const chunk of stage) await out.write(chunk);
  assert.equal(stage.status, 0);
  return out.text();
}

const text = Array.from({ length: 20_000 }, (_, i) => `key${i % 500} line${i}\n`).join("");

Deno.test("sort -R puts equal keys side by side, in an order that the seed decides", async () => {
  const one = await sorted(["-s", "-k1,1R"], 1, text);
  const keys = one.trimEnd().split("\n").map((line) => line.split(" ")[0]);
  assert.equal(keys.filter((key, i) => key !== keys[i - 1]).length, 500);
  assert.equal(await sorted(["-s", "-k1,1R"], 1, text), one);
  assert.notEqual(await sorted(["-s", "-k1,1R"], 2, text), one);
});

Deno.test("sort -R goes with other orderings, -r, -c and -z", async () => {
  const few = "b 1\na 2\nb 3\na 1\n";
  const keysOf = (output: string): string => output.replaceAll(/ .|\n/g, "");
  for (const args of [["-k1,1R", "-k2"], ["-k1,1Rr", "-s"], ["-k1,1Rf", "-k2r"]]) {
    const output = await sorted(args, 5, few);
    assert.match(keysOf(output), /^(aabb|bbaa)$/);
    assert.equal(await sorted([...args, "-c"], 5, output), "");
  }
  assert.deepEqual((await sorted(["-Ru"], 5, "a\nb\na\n")).split("\n").toSorted(), ["", "a", "b"]);
  assert.match(await sorted(["-Rz"], 5, "a\n\0b\0a\n\0"), /^(b\0a\n\0a\n\0|a\n\0a\n\0b\0)$/);
});

Deno.test(
  optional("sort -R gives the same order through temporary storage as in memory", thorough),
  async () => {
    for (const args of [["-R"], ["-R", "-u"], ["-k1,1R", "-k2"]]) {
      const inMemory = await sorted(args, 3, text);
      assert.ok(inMemory === await sorted([...args, "-S", "20k"], 3, text), args.join(" "));
    }
  },
);

Deno.test("sort -R gives each order of three lines equally often", async () => {
  const counts = new Map<string, number>();
  for (let seed = 0; seed < 1200; seed++) {
    const order = await sorted(["-R"], seed, "a\nb\nc\n");
    counts.set(order, (counts.get(order) ?? 0) + 1);
  }
  assert.equal(counts.size, 6);
  const squares = [...counts.values()].reduce((sum, count) => sum + (count - 200) ** 2 / 200, 0);
  assert.ok(squares < 20.5, String(squares));
});

Deno.test("sort agrees with GNU that -R does not go with another order", async () => {
  await agree("sort", ["-Rn", "-k1Rg"]);
});
