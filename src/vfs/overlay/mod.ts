/**
 * Files with a layer over them: reads fall through to the lower files, writes stay in the layer.
 *
 * The layer is a log of what was changed, a line of JSON for each change, and the bytes of files
 * beside it, both in a Vfs of their own. So a program that is killed leaves a layer that can be
 * read: all that it has written is in it. It is not for confining a program: `hostVfs` does that,
 * over the host that {@linkcode overlayHost} makes.
 *
 * @module
 */
import type { HostFs } from "../../ports/mod.ts";
import { type Chunk, readableFrom } from "../../streams/mod.ts";
import { hostVfs } from "../host_vfs.ts";
import type { Vfs } from "../types.ts";
import { Applying } from "./apply.ts";
import { unifiedDiff } from "./diff.ts";
import { changeOf, differencesOf } from "./differences.ts";
import { LayerState } from "./layer_state.ts";
import { lowerHost, lowerVfs } from "./lower.ts";
import { OverlayHost } from "./overlay_host.ts";
import type {
  OverlayApplied,
  OverlayChange,
  OverlayCompare,
  OverlayHostFs,
  OverlayOptions,
  OverlaySignal,
  OverlayVfs,
} from "./types.ts";

export type {
  OverlayApplied,
  OverlayChange,
  OverlayCompare,
  OverlayHostFs,
  OverlayLayer,
  OverlayOptions,
  OverlayRefusal,
  OverlaySignal,
  OverlayTexts,
  OverlayVfs,
} from "./types.ts";

/**
 * Files over those of another Vfs, which are only read until `apply()`. What is written is in
 * `layer`, a Vfs that has nothing else; one that has a layer already goes on.
 *
 * Opening a file to write copies nothing; the first write copies its bytes in blocks, and then all
 * who have it open see them. Renaming and removing copy nothing, but note each file of a folder.
 * What a layer can't do: make links. Times of its files are those of their copies.
 *
 * Disposing closes the layer's log, and leaves what is in it.
 *
 * @throws {VfsError} `EIO`: what is in `layer` is no layer.
 *
 * @example
 * ```ts
 * import { memoryVfs, overlayVfs, readFile, writeFile } from "@llmcmd/llmcmd/vfs";
 *
 * const lower = memoryVfs({ files: { "a.txt": "old" } });
 * await using vfs = await overlayVfs(lower, memoryVfs());
 * await writeFile(vfs, "a.txt", new TextEncoder().encode("new"));
 * const text = async () => new TextDecoder().decode(await readFile(lower, "a.txt"));
 * if (await text() !== "old") throw new Error("it stays in the layer");
 * const { applied } = await vfs.apply();
 * if (applied.join() !== "/a.txt" || await text() !== "new") throw new Error("it is applied");
 * ```
 */
export async function overlayVfs(
  lower: Vfs,
  layer: Vfs,
  { quota }: OverlayOptions = {},
): Promise<OverlayVfs> {
  const state = await LayerState.open(lowerVfs(lower), layer, quota);
  const vfs = hostVfs(new OverlayHost(state), { root: lower.root });
  return {
    root: lower.root,
    stat: (path) => vfs.stat(path),
    lstat: (path) => vfs.lstat(path),
    read: (path) => vfs.read(path),
    write: (path, options) => vfs.write(path, options),
    open: (path, mode) => vfs.open(path, mode),
    mkdir: (path, options) => vfs.mkdir(path, options),
    list: (path) => vfs.list(path),
    remove: (path, options) => vfs.remove(path, options),
    rename: (from, to) => vfs.rename(from, to),
    readlink: (path) => vfs.readlink(path),
    realpath: (path) => vfs.realpath(path),
    changes: () => changesOf(state),
    diff: (compare, options) => diff(state, lower, compare, options),
    conflicts: (options) => new Applying(state, lower, signalOf(options)).conflicts(),
    apply: (options) => apply(state, lower, signalOf(options)),
    discard: () => state.discard(),
    [Symbol.asyncDispose]: () => state.close(),
  };
}

/**
 * The same for the host's files, to be used below `hostVfs` or `allowedVfs`, which decide what may
 * be touched: so the layer must be outside of it. What was written is looked at, applied and
 * discarded by {@linkcode overlayVfs} over the same files and layer.
 *
 * @throws {VfsError} `EIO`: what is in `layer` is no layer.
 */
export async function overlayHost(
  lower: HostFs,
  layer: Vfs,
  { quota }: OverlayOptions = {},
): Promise<OverlayHostFs> {
  const state = await LayerState.open(lowerHost(lower), layer, quota);
  await state.sweep();
  return Object.assign(new OverlayHost(state), {
    changes: () => changesOf(state),
    [Symbol.asyncDispose]: () => state.close(),
  });
}

function changesOf(state: LayerState): OverlayChange[] {
  return differencesOf(state.tree).map(changeOf);
}

function diff(
  state: LayerState,
  lower: Vfs,
  compare: OverlayCompare,
  { signal }: OverlaySignal = {},
): ReadableStream<Chunk> {
  const { layer } = state;
  return readableFrom(
    (signal) => unifiedDiff(differencesOf(state.tree), { lower, layer, compare, signal }),
    { signal, name: "diff" },
  );
}

function signalOf({ signal }: OverlaySignal = {}): AbortSignal {
  return signal ?? new AbortController().signal;
}

async function apply(
  state: LayerState,
  lower: Vfs,
  signal: AbortSignal,
): Promise<OverlayApplied> {
  signal.throwIfAborted();
  let left = true;
  try {
    const result = await new Applying(state, lower, signal).run();
    left = result.refused.length > 0;
    return result;
  } finally {
    await (left ? state.sweep() : state.discard());
  }
}
