/**
 * Files with a layer over them: reads fall through to the lower files, writes stay in the layer.
 *
 * The layer consists of a log, with a line of JSON for each change, and the bytes of files, both in
 * a Vfs of their own. A killed program leaves a readable layer with everything it has written. It
 * does not confine a program: `hostVfs` does that, over the host that {@linkcode overlayHost}
 * makes.
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
 * Puts a layer over the files of another Vfs, which are only read until `apply()`. Changes go to
 * `layer`, a Vfs with no other files; an existing layer in it is continued.
 *
 * Opening a file for writing copies nothing. The first write copies its bytes in blocks; then all
 * open handles see the copy. Renaming and removing copy nothing, but record each file of a folder.
 * A layer cannot create links. Its files have the times of their copies.
 *
 * Disposing closes the layer's log and keeps the layer.
 *
 * @throws {VfsError} `EIO` if `layer` contains an invalid layer.
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
 * Puts a layer over the host's files, for use below `hostVfs` or `allowedVfs`. These decide what
 * may be accessed, so the layer must be outside of that. Its changes are read, applied and
 * discarded with {@linkcode overlayVfs} over the same files and layer.
 *
 * @throws {VfsError} `EIO` if `layer` contains an invalid layer.
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
