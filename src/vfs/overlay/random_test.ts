import assert from "node:assert/strict";
import { all, bytes, put } from "../_testing.ts";
import { type MemoryVfs, memoryVfs } from "../memory_vfs.ts";
import type { Vfs, VfsHandle } from "../types.ts";
import { linesOf, LOG, readLog } from "./log.ts";
import { type OverlayVfs, overlayVfs } from "./mod.ts";
import { LayerTree } from "./tree.ts";
import { optional, thorough } from "../../../tests/_optional.ts";

/** A seeded generator of pseudo-random numbers (mulberry32). */
function random(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6D2B79F5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

const NAMES = ["a", "b", "c", "a/a", "a/b", "b/a", "b/c", "a/a/a", "a/b/c", "l", "b/l"];

/**
 * Does one random operation. Returns its result, or `error`: which of several errors may differ.
 */
async function act(
  vfs: Vfs,
  handles: VfsHandle[],
  next: (below: number) => number,
): Promise<string> {
  const [path = "", other = ""] = [NAMES[next(NAMES.length)], NAMES[next(NAMES.length)]];
  const [what, size, text] = [next(12), next(6), `${next(1000)}`];
  const mode = (["r", "w", "a", "rw"] as const)[next(4)] ?? "r";
  const at = next(Math.max(1, handles.length));
  const handle = handles[at];
  try {
    if (what < 3) await put(vfs, path, text);
    else if (what === 3) {
      // At a dangling link, `hostVfs` creates a folder and `memoryVfs` does not.
      if ((await vfs.lstat(path).catch(() => undefined))?.kind !== "link") await vfs.mkdir(path);
    } else if (what === 4) await vfs.remove(path, { recursive: size < 3 });
    else if (what < 7) await vfs.rename(path, other);
    else if (what === 7) handles.push(await vfs.open(path, mode));
    else if (handle === undefined) return "";
    else if (what === 8) await handle.write(size, bytes(text));
    else if (what === 9) await handle.truncate(size);
    else if (what === 10) {
      const into = new Uint8Array(20);
      return new TextDecoder().decode(into.subarray(0, await handle.read(0, into)));
    } else {
      handles.splice(at, 1);
      await handle.close();
    }
    return "ok";
  } catch (error) {
    assert(error instanceof Error && "code" in error, `${error}`);
    return "error";
  }
}

async function begin(): Promise<MemoryVfs> {
  let time = 0;
  const files = { "a/a/a": "1", "a/b/c": "2", "b/a": "3", "c": "4", "b/c": "5" };
  const vfs = memoryVfs({ root: "/w", files, now: () => time += 1000 });
  await vfs.symlink("c", "/w/l");
  await vfs.symlink("nowhere", "/w/b/l");
  return vfs;
}

/** Rewrites the log with as few lines as possible, and returns it. */
async function rewrite(layer: Vfs): Promise<string> {
  const tree = new LayerTree();
  await readLog(layer, tree);
  const lines = ['{"layer":1}', ...[...linesOf(tree)].map((line) => JSON.stringify(line)), ""];
  await put(layer, LOG, lines.join("\n"));
  return lines.join("\n");
}

Deno.test(
  optional(
    "overlayVfs does as files in memory do, whatever is done, and apply makes them the same",
    thorough,
  ),
  async () => {
    for (let seed = 1; seed <= 200; seed++) {
      const [plain, lower, layer] = [await begin(), await begin(), memoryVfs()];
      const before = await all(lower);
      let vfs: OverlayVfs = await overlayVfs(lower, layer);
      const [ours, theirs] = [random(seed), random(seed)];
      const [left, right]: [VfsHandle[], VfsHandle[]] = [[], []];
      for (let step = 0; step < 40; step++) {
        const [expected, found] = [await act(plain, left, ours), await act(vfs, right, theirs)];
        assert.equal(found, expected, `seed ${seed}, step ${step}`);
        if (step !== 20 || right.length > 0) continue;
        await vfs[Symbol.asyncDispose]();
        vfs = await overlayVfs(lower, layer);
      }
      for (const handle of [...left, ...right]) await handle.close();
      const expected = await all(plain);
      assert.deepEqual(await all(vfs), expected, `seed ${seed}`);
      assert.deepEqual(await all(lower), before, `seed ${seed}`);
      await vfs[Symbol.asyncDispose]();
      const lines = await rewrite(layer);
      const again = await overlayVfs(lower, layer);
      assert.deepEqual(await all(again), expected, `seed ${seed}, read again`);
      assert.equal(await rewrite(layer), lines, `seed ${seed}`);
      const { refused } = await again.apply();
      const links = refused.filter(({ why }) => /link|refused/.test(why));
      assert.deepEqual(refused, links, `seed ${seed}`);
      if (refused.length === 0) {
        assert.deepEqual(await all(lower), expected, `seed ${seed}, applied`);
      }
    }
  },
);
