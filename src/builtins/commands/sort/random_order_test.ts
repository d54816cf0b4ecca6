import assert from "node:assert/strict";
import { MemorySink, memorySource } from "../../../streams/mod.ts";
import { agree, bytes, memoryTemp, randomFrom } from "../../_testing.ts";
import { Stage } from "../../run/stage.ts";

const random = randomFrom(7);
const noise = Uint8Array.from({ length: 64 }, () => Math.floor(random() * 256));
const files = { random: noise, short: bytes("short") };

Deno.test("sort -R makes of the same random bytes what GNU's makes", async () => {
  await agree("sort", [
    "-R --random-source=random",
    "-R --random-source=random f g",
    "-Rr --random-source=random",
    "-Ru --random-source=random",
    "-Rf --random-source=random",
    "-Rd -s --random-source=random",
    "-RV --random-source=random",
    "--sort=random --random-source=random",
    "--random-sort -z --random-source=random",
    "-k2R -k1 --random-source=random",
    "-k1,1R -k2r --random-source=random",
    "-t , -k2,2R -s --random-source=random",
    "-R -c --random-source=random",
    "-R -m --random-source=random f g",
    "-R -o out --random-source=random",
    "-R --random-source=short",
    "-R --random-source=missing",
    "-R --random-source=.",
    "--random-source=missing",
    "-Rn",
    "--random-source=a --random-source=b",
  ], { files, compare: ["out"] });
});

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

Deno.test("sort -R gives the same order through temporary storage as in memory", async () => {
  for (const args of [["-R"], ["-R", "-u"], ["-k1,1R", "-k2"]]) {
    const inMemory = await sorted(args, 3, text);
    assert.ok(inMemory === await sorted([...args, "-S", "20k"], 3, text), args.join(" "));
  }
});

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
