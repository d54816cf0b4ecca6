import { type Chunk, readFully } from "../streams/mod.ts";
import { VfsError } from "./errors.ts";
import type { Vfs, VfsWriteOptions } from "./types.ts";

/** Options of {@linkcode readFile}. */
export interface ReadFileOptions {
  /** Most bytes of the file; a larger one fails with `EFBIG`. Default 16 MiB. */
  readonly limit?: number | undefined;
}

/** Reads a whole file that is small enough for memory. */
export async function readFile(
  vfs: Vfs,
  path: string,
  { limit = 16 * 1024 * 1024 }: ReadFileOptions = {},
): Promise<Chunk> {
  const file = await vfs.read(path);
  try {
    const { size } = file.info;
    if (size > limit) throw tooBig(path, size, limit);
    // One byte more than the size shows whether the file has grown.
    let bytes = new Uint8Array(size + 1);
    let length = 0;
    for (;;) {
      length += await readFully(file.at, length, bytes.subarray(length));
      if (length > limit) throw tooBig(path, length, limit);
      if (length < bytes.length) return bytes.subarray(0, length);
      const grown = new Uint8Array(bytes.length * 2);
      grown.set(bytes);
      bytes = grown;
    }
  } finally {
    await file.return();
  }
}

function tooBig(path: string, size: number, limit: number): VfsError {
  return new VfsError("EFBIG", path, "read", `it has ${size} bytes, more than ${limit}`);
}

/** Creates a file or replaces its contents, atomically. */
export async function writeFile(
  vfs: Vfs,
  path: string,
  bytes: Chunk,
  options: VfsWriteOptions = {},
): Promise<void> {
  const output = await vfs.write(path, options);
  try {
    if (bytes.length > 0) await output.write(bytes);
  } catch (error) {
    await output.abort(error);
    throw error;
  }
  await output.close();
}
