import assert from "node:assert/strict";
import { all, put, textOf } from "../_testing.ts";
import { type MemoryVfs, memoryVfs } from "../memory_vfs.ts";
import type { Vfs, VfsOutput } from "../types.ts";
import { overlayVfs } from "./mod.ts";
import { optional, thorough } from "../../../tests/_optional.ts";

/** The number of changes that a program can make before it is killed. */
interface Life {
  left: number;
}

/** A Vfs that rejects all changes once its program was killed. */
function mortal(vfs: Vfs, life: Life): Vfs {
  const alive = () => {
    if (life.left-- <= 0) throw new Error("killed");
  };
  const output = (real: VfsOutput): VfsOutput => ({
    write: async (chunk) => await (alive(), real.write(chunk)),
    close: async () => await (alive(), real.close()),
    abort: () => real.abort(),
  });
  const mortal: Partial<Vfs> = {
    write: async (path, options) => output(await (alive(), vfs.write(path, options))),
    mkdir: async (path, options) => await (alive(), vfs.mkdir(path, options)),
    remove: async (path, options) => await (alive(), vfs.remove(path, options)),
    rename: async (from, to) => await (alive(), vfs.rename(from, to)),
    async open(path, mode) {
      if (mode !== "r") alive();
      const file = await vfs.open(path, mode);
      return {
        ...{ info: file.info, mode: file.mode, stat: () => file.stat(), close: () => file.close() },
        read: (at, into) => file.read(at, into),
        write: async (at, chunk) => await (alive(), file.write(at, chunk)),
        truncate: async (size) => await (alive(), file.truncate(size)),
      };
    },
  };
  return new Proxy(vfs, {
    get(target, name) {
      const own: unknown = Reflect.get(mortal, name);
      if (own !== undefined) return own;
      const value: unknown = Reflect.get(target, name);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}

/** A layer that changes, creates and removes more files than fit into one batch. */
async function made(): Promise<{ lower: MemoryVfs; layer: MemoryVfs }> {
  let time = 0;
  const files: Record<string, string> = { "kept": "kept", "swap/x": "x", "swap/y": "y" };
  for (let index = 0; index < 150; index++) files[`d/${index}`] = `old ${index}`;
  const lower = memoryVfs({ root: "/w", files, now: () => time += 1000 });
  const layer = memoryVfs();
  await using vfs = await overlayVfs(lower, layer);
  for (let index = 0; index < 140; index++) await put(vfs, `d/${index}`, `new ${index}\n`);
  for (let index = 140; index < 150; index++) await vfs.remove(`d/${index}`);
  await vfs.mkdir("made");
  await vfs.mkdir("made/deep");
  await put(vfs, "made/deep/f", "F");
  await vfs.remove("swap", { recursive: true });
  await put(vfs, "swap", "a file");
  return { lower, layer };
}

/** A layer that moves files, folders and links, some to places of others. */
async function moved(): Promise<{ lower: MemoryVfs; layer: MemoryVfs }> {
  let time = 0;
  const files = {
    ...{ "old/a": "A", "old/deep/b": "B", "left": "left", "right": "right" },
    ...{ "kept": "kept", "swap/x": "x", "swap/y": "y", "tree": "a file" },
  };
  const lower = memoryVfs({ root: "/w", files, now: () => time += 1000 });
  await lower.symlink("kept", "link1");
  await lower.symlink("left", "link2");
  await lower.symlink("nothing", "link4");
  const layer = memoryVfs();
  await using vfs = await overlayVfs(lower, layer);
  await vfs.remove("swap", { recursive: true });
  await put(vfs, "swap", "a file");
  await vfs.remove("tree");
  await vfs.mkdir("tree");
  await put(vfs, "tree/f", "F");
  await vfs.rename("old", "moved");
  await vfs.rename("left", "between");
  await vfs.rename("right", "left");
  await vfs.rename("between", "right");
  await vfs.rename("link2", "link3");
  await vfs.rename("link1", "link2");
  await vfs.rename("link4", "moved/link");
  await put(vfs, "link4", "a file");
  return { lower, layer };
}

/** Kills an apply after every `step` changes, and applies the rest. Returns the number of kills. */
async function killed(make: typeof made, step: number): Promise<number> {
  const first = await make();
  await using whole = await overlayVfs(first.lower, first.layer);
  const expected = await all(whole);
  for (let left = 0;; left += step) {
    const { lower, layer } = await make();
    const life = { left: Infinity };
    const dying = await overlayVfs(mortal(lower, life), mortal(layer, life));
    life.left = left;
    const done = await dying.apply().then(({ refused }) => refused.length === 0, () => false);
    await dying[Symbol.asyncDispose]();
    if (!done) {
      await using again = await overlayVfs(lower, layer);
      // The overlay misses a link that was moved but not recorded, until the rest is applied.
      if (make === made) assert.deepEqual(await all(again), expected, `after ${left}`);
      assert.deepEqual((await again.apply()).refused, [], `after ${left}`);
    }
    assert.deepEqual(await all(lower), expected, `after ${left}`);
    const contents: string[] = [];
    for await (const { name } of layer.list("files")) contents.push(name);
    assert.deepEqual(contents, [], `after ${left}`);
    if (done) return left / step;
  }
}

Deno.test(
  optional("overlayVfs applies the rest of a layer, wherever an apply was killed", thorough),
  async () => {
    const times = await killed(made, 9);
    assert(times > 30, `${times}`);
  },
);

Deno.test("overlayVfs applies the rest of what was moved, wherever an apply was killed", async () => {
  const times = await killed(moved, 1);
  assert(times > 30, `${times}`);
});

Deno.test("overlayVfs removes the bytes of what was applied where the rest was refused", async () => {
  const { lower, layer } = await made();
  await put(lower, "d/7", "changed meanwhile");
  await using vfs = await overlayVfs(lower, layer);
  const { applied, refused } = await vfs.apply();
  assert.deepEqual(refused, [{ path: "/w/d/7", why: "it has changed meanwhile" }]);
  assert.equal(applied.length, 155);
  const contents: string[] = [];
  for await (const { name } of layer.list("files")) contents.push(name);
  assert.equal(contents.length, 1);
  assert.equal(await textOf(vfs, "d/7"), "new 7\n");
});
