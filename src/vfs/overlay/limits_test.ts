import assert from "node:assert/strict";
import { hostFs } from "../../sys/mod.ts";
import { bytes, fails, put, textOf } from "../_testing.ts";
import { hostVfs } from "../host_vfs.ts";
import { type MemoryVfs, memoryVfs } from "../memory_vfs.ts";
import type { Vfs } from "../types.ts";
import { LOG } from "./log.ts";
import { overlayHost, overlayVfs } from "./mod.ts";

function made(): { lower: MemoryVfs; layer: MemoryVfs } {
  const files = { "a": "A".repeat(1000), "d/b": "B", "d/c": "C" };
  return { lower: memoryVfs({ root: "/w", files }), layer: memoryVfs() };
}

async function lengthOf(layer: Vfs): Promise<number> {
  return (await layer.stat(LOG)).size;
}

Deno.test("the log of a layer stays in proportion to what it says, and says the same", async () => {
  const { lower, layer } = made();
  const vfs = await overlayVfs(lower, layer);
  await vfs.remove("a");
  await vfs.rename("d", "moved");
  await put(vfs, "kept", "kept");
  const open = await vfs.open("kept", "rw");
  let longest = 0;
  for (let round = 0; round < 1500; round++) {
    await put(vfs, "again", `${round}`);
    await vfs.remove("again");
    longest = Math.max(longest, await lengthOf(layer));
  }
  // 1,500 rounds of about 90 bytes each.
  assert(longest < 64 * 1024 + 200, `${longest}`);
  await open.write(0, bytes("KEPT"));
  await open.close();
  await vfs[Symbol.asyncDispose]();
  await using again = await overlayVfs(lower, layer);
  assert.deepEqual(again.changes().map(({ kind, path }) => `${kind} ${path}`), [
    ...["removed /w/a", "removed /w/d", "removed /w/d/b", "removed /w/d/c"],
    ...["added /w/kept", "added /w/moved", "added /w/moved/b", "added /w/moved/c"],
  ]);
  assert.deepEqual([await textOf(again, "kept"), await textOf(again, "moved/b")], ["KEPT", "B"]);
});

Deno.test("the log of a layer that says much is not written anew again and again", async () => {
  const { lower, layer } = made();
  let written = 0;
  const write = layer.write.bind(layer);
  layer.write = (...args) => {
    written++;
    return write(...args);
  };
  await using vfs = await overlayVfs(lower, layer);
  for (let index = 0; index < 1500; index++) await put(vfs, `f${index}`, "x");
  assert(await lengthOf(layer) > 66_000);
  assert.equal(written, 0);
});

Deno.test("the log of a layer goes on as it was where it can't be written anew", async () => {
  const { lower, layer } = made();
  let refused = 0;
  layer.write = () => {
    refused++;
    return Promise.reject(new Error("full"));
  };
  const vfs = await overlayVfs(lower, layer);
  for (let round = 0; round < 1500; round++) {
    await put(vfs, "again", `${round}`);
    await vfs.remove("again");
  }
  await put(vfs, "kept", "kept");
  await vfs[Symbol.asyncDispose]();
  assert(refused > 0 && refused < 5, `${refused}`);
  await using again = await overlayVfs(lower, layer);
  assert.deepEqual(again.changes().map(({ path }) => path), ["/w/kept"]);
});

Deno.test("the log of a layer on the host is written beside it, and what a kill left is removed", async () => {
  const folder = await Deno.realPath(await Deno.makeTempDir({ prefix: "vfs-" }));
  try {
    await Deno.mkdir(`${folder}/layer`);
    await Deno.mkdir(`${folder}/w`);
    await Deno.writeTextFile(`${folder}/layer/.llmcmd-1.tmp`, '{"layer":1}\n{"gone"');
    const layer = hostVfs(hostFs(), { root: `${folder}/layer` });
    await using host = await overlayHost(hostFs(), layer);
    const vfs = hostVfs(host, { root: `${folder}/w` });
    for (let round = 0; round < 400; round++) {
      await put(vfs, "a-long-name-".repeat(10), `${round}`);
      await vfs.remove("a-long-name-".repeat(10));
    }
    await put(vfs, "kept", "kept");
    const names = [...Deno.readDirSync(`${folder}/layer`)].map(({ name }) => name);
    assert.deepEqual(names.sort(), ["files", LOG]);
    assert(await lengthOf(layer) < 66_000);
    await using again = await overlayHost(hostFs(), layer);
    assert.deepEqual(again.changes().map(({ path }) => path), [`${folder}/w/kept`]);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("a layer has no more bytes than its quota, and goes on when some are given back", async () => {
  const { lower, layer } = made();
  const vfs = await overlayVfs(lower, layer, { quota: 2000 });
  const full = async (action: Promise<unknown>, path: string) => {
    await fails(action, "EDQUOT", path);
    const message = await action.then(String, (error) => String(error.message));
    assert.match(message, /: the layer is limited to 2000 bytes$/);
  };
  const file = await vfs.open("f", "w");
  await file.write(0, new Uint8Array(1500));
  await full(file.write(1500, new Uint8Array(600)), "f");
  await full(file.truncate(9000), "f");
  // The first write to a lower file copies it.
  const copied = await vfs.open("a", "rw");
  await full(copied.write(0, bytes("x")), "a");
  await copied.close();
  await file.write(0, bytes("still"));
  await file.write(1500, new Uint8Array(300));
  await full(put(vfs, "g", "y".repeat(500)), "g");
  // Shrinking a file, and entries of the log, are not refused.
  await vfs.remove("d/b");
  await vfs.rename("d/c", "c");
  await file.truncate(100);
  await put(vfs, "g", "y".repeat(500));
  await file.close();
  await vfs.remove("f");
  await put(vfs, "h", "z".repeat(500));
  await vfs[Symbol.asyncDispose]();
  // Existing files count when the layer is opened again.
  await using again = await overlayVfs(lower, layer, { quota: 2000 });
  await full(put(again, "i", "z".repeat(900)), "i");
  const before = await lengthOf(layer);
  await using tight = await overlayVfs(lower, layer, { quota: 1000 + before });
  await fails(tight.mkdir("new"), "EDQUOT", "new");
  await fails(tight.open("new", "w"), "EDQUOT", "new");
  assert.equal(await textOf(tight, "h"), "z".repeat(500));
  assert.deepEqual((await tight.apply()).refused, []);
  assert.equal(await textOf(lower, "g"), "y".repeat(500));
});

Deno.test("a layer counts a file without a name until nobody has it open", async () => {
  const { lower, layer } = made();
  await using vfs = await overlayVfs(lower, layer, { quota: 2000 });
  const file = await vfs.open("f", "rw");
  await file.write(0, new Uint8Array(1500));
  await vfs.remove("f");
  await fails(put(vfs, "g", "y".repeat(800)), "EDQUOT", "g");
  await file.close();
  await put(vfs, "g", "y".repeat(800));
});
