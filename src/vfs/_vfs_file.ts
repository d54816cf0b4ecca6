import { type RandomAccess, randomAccessSource } from "../streams/mod.ts";
import { VfsError } from "./errors.ts";
import type { VfsFile, VfsInfo } from "./types.ts";

/** Makes an open file, with random access until it is closed. */
export function vfsFile(
  path: string,
  info: VfsInfo,
  access: RandomAccess["read"],
  release: () => Promise<void> = () => Promise.resolve(),
): VfsFile {
  let open = true;
  const at: RandomAccess = {
    size: info.size,
    read: (offset, into) =>
      open
        ? access(offset, into)
        : Promise.reject(new VfsError("EBADF", path, "read", "it is closed")),
  };
  const close = () => {
    open = false;
    return release();
  };
  return Object.assign(randomAccessSource(at, { close }), { at, info });
}
