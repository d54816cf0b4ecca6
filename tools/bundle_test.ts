import assert from "node:assert/strict";
import { moveBundle } from "./bundle.ts";

const DAY = 24 * 60 * 60 * 1000;

Deno.test("moveBundle replaces the entries, and keeps for 30 days what running programs may read", async () => {
  const folder = await Deno.makeTempDir({ prefix: "bundle-" });
  const to = `${folder}/dist/llmcmd`;
  /**
   * Moves a bundle with these parts on the given day; returns the files there, without the list.
   */
  const bundled = async (version: string, parts: readonly string[], day: number) => {
    await Deno.mkdir(`${folder}/new`);
    for (const name of ["cli.js", "cli_lazy.js", ...parts]) {
      await Deno.writeTextFile(`${folder}/new/${name}`, version);
    }
    await moveBundle(`${folder}/new`, to, day * DAY);
    assert.deepEqual(Deno.readDirSync(folder).map(({ name }) => name).toArray(), ["dist"]);
    assert.equal(await Deno.readTextFile(`${to}/cli.js`), version);
    assert.equal(await Deno.readTextFile(`${to}/cli_lazy.js`), version);
    return Deno.readDirSync(to).map(({ name }) => name).filter((name) => name.startsWith("part"))
      .toArray().sort().filter((name) => name !== "parts.json");
  };
  try {
    assert.deepEqual(await bundled("1", ["part-A.js", "part-B.js"], 0), ["part-A.js", "part-B.js"]);
    // This part is old, but was in use until now.
    assert.deepEqual(await bundled("2", ["part-A.js"], 100), ["part-A.js", "part-B.js"]);
    assert.deepEqual(await bundled("3", ["part-C.js"], 130), [
      "part-A.js",
      "part-B.js",
      "part-C.js",
    ]);
    // A part that comes back belongs to the bundle again.
    assert.deepEqual(await bundled("4", ["part-A.js"], 131), ["part-A.js", "part-C.js"]);
    assert.deepEqual(await bundled("5", ["part-A.js"], 161), ["part-A.js", "part-C.js"]);
    assert.deepEqual(await bundled("6", ["part-D.js"], 162), ["part-A.js", "part-D.js"]);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
