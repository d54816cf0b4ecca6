import { type RandomAccess, randomAccessSource } from "../streams/mod.ts";
import type { VfsFile, VfsInfo } from "./types.ts";

/** An open file of which there is random access. */
export function vfsFile(
  at: RandomAccess,
  info: VfsInfo,
  close?: () => Promise<void>,
): VfsFile {
  const source = randomAccessSource(at, close === undefined ? {} : { close });
  return Object.assign(source, { at, info });
}
