import assert from "node:assert/strict";
import { Place } from "./_agent.ts";

Deno.test("llmcmd agent finds files by ~, keeps their encoding and line ends, and tells what is nearly there", async () => {
  await using place = new Place();
  await Deno.writeFile(`${place.folder}/latin.txt`, Uint8Array.of(0xe4, 13, 10, 0xdf, 13, 10));
  await Deno.writeTextFile(`${place.folder}/a.txt`, "x\u00a0= 1\n");
  const { code, stdout } = await place.run("", "-p", "edit the files", "--json");
  assert.equal(code, 0, stdout);
  const results = stdout.trim().split("\n").map((line) => JSON.parse(line))
    .filter(({ type }) => type === "tool_end");
  assert.deepEqual(results.map(({ error }) => error), [false, false, true, false]);
  assert.match(results[0].content, /^\u00e4\r\n\n\[The file is not UTF-8; .*Lines 1-1 of 2; /);
  assert.match(results[2].content, /The exact text, as JSON: "x\\u00a0= 1"$/);
  const latin = await Deno.readFile(`${place.folder}/latin.txt`);
  assert.deepEqual([...latin], [0xfc, 13, 10, 0xdf, 13, 10]);
  assert.equal(await Deno.readTextFile(`${place.folder}/a.txt`), "x = 2\n");
});
