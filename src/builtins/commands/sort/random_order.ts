import type { BuiltinIo } from "../../builtin.ts";
import { readRandomBytes } from "../../core/mod.ts";
import type { Encoder } from "./encode.ts";

/** Bytes of salt, as in GNU's `sort`. */
const SALT = 16;
/** Bytes of an MD5 digest. */
const DIGEST = 16;

/**
 * The order of `-R`: that of the keys' MD5 digests with a random salt, so that equal keys stand
 * together. With the same random bytes it is the order of GNU's `sort`, which in C.UTF-8 ends a key
 * that is not empty with a NUL.
 *
 * @throws {RandomSourceError} If the file of random bytes cannot be opened, or has too few.
 */
export async function randomOrder(io: BuiltinIo, path: string | undefined): Promise<Encoder> {
  // Only who sorts at random loads the digest.
  const { Md5 } = await import("../checksum/mod.ts");
  const salt = await readRandomBytes(io, path, SALT);
  const digest = new Md5();
  let input = new Uint8Array(256);
  input.set(salt);
  return (text, from, to, out) => {
    const size = to === from ? SALT : SALT + to - from + 1;
    if (size > input.length) {
      input = new Uint8Array(2 * size);
      input.set(salt);
    }
    let at = SALT;
    for (let i = from; i < to; i++) input[at++] = text[i] as number;
    if (to > from) input[size - 1] = 0;
    digest.update(input.subarray(0, size));
    out.reserve(DIGEST);
    digest.finish(out.bytes.subarray(out.length, out.length + DIGEST));
    out.length += DIGEST;
  };
}
