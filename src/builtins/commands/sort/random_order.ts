import type { BuiltinIo } from "../../builtin.ts";
import { randomBytes } from "../../core/mod.ts";
import type { Encoder } from "./encode.ts";

/** Bytes of salt. */
const SALT = 16;
/** Bytes of an MD5 digest. */
const DIGEST = 16;

/**
 * Returns the encoder of `-R`: the MD5 digest of a random salt and the key, so that equal keys are
 * side by side.
 */
export async function randomOrder(io: BuiltinIo): Promise<Encoder> {
  // The digest is loaded only for a random order.
  const { Md5 } = await import("../checksum/mod.ts");
  const salt = randomBytes(io, SALT);
  const digest = new Md5();
  return (text, from, to, out) => {
    digest.update(salt);
    digest.update(text.subarray(from, to));
    out.reserve(DIGEST);
    digest.finish(out.bytes.subarray(out.length, out.length + DIGEST));
    out.length += DIGEST;
  };
}
