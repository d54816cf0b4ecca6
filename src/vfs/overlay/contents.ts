import { type ByteSource, type Chunk, memorySource } from "../../streams/mod.ts";
import { ifThere } from "../errors.ts";
import type { Vfs, VfsInfo } from "../types.ts";
import { CONTENTS } from "./log.ts";
import type { Leaf } from "./tree.ts";

/** A file or a link, on one side of a comparison. */
export interface Side {
  readonly kind: "file" | "link";
  /** The permission bits, if known. */
  readonly mode: number | undefined;
  /** Opens its bytes; for a link, the text of its target. */
  open(): Promise<ByteSource>;
}

/** Reads the properties of a path; `undefined` if it does not exist. */
export async function infoAt(vfs: Vfs, path: string): Promise<VfsInfo | undefined> {
  return await ifThere(vfs.lstat(path));
}

/** The lower file or link at a path. */
export async function lowerSide(lower: Vfs, path: string): Promise<Side | undefined> {
  const info = await infoAt(lower, path);
  if (info?.kind !== "file" && info?.kind !== "link") return undefined;
  const { kind, mode } = info;
  return { kind, mode, open: () => kind === "link" ? target(lower, path) : lower.read(path) };
}

/** The layer's file or link; `undefined` if the lower file that it comes from is gone. */
export async function layerSide(
  layer: Vfs,
  lower: Vfs,
  { content, from, mode }: Leaf,
): Promise<Side | undefined> {
  if (content !== undefined) {
    return { kind: "file", mode, open: () => layer.read(`${CONTENTS}/${content}`) };
  }
  return from === undefined ? undefined : await lowerSide(lower, from);
}

/** True if two sources have the same bytes. Closes both. */
export async function sameBytes(left: ByteSource, right: ByteSource): Promise<boolean> {
  try {
    let [a, b] = [await piece(left), await piece(right)];
    while (a.length > 0 && b.length > 0) {
      const length = Math.min(a.length, b.length);
      for (let at = 0; at < length; at++) if (a[at] !== b[at]) return false;
      a = a.length > length ? a.subarray(length) : await piece(left);
      b = b.length > length ? b.subarray(length) : await piece(right);
    }
    return a.length === b.length;
  } finally {
    await left.return();
    await right.return();
  }
}

const NOTHING: Chunk = new Uint8Array(0);

async function piece(source: ByteSource): Promise<Chunk> {
  const { value } = await source.next();
  return value ?? NOTHING;
}

async function target(vfs: Vfs, path: string): Promise<ByteSource> {
  return memorySource(await vfs.readlink(path));
}
