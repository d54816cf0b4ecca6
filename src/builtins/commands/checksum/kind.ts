import type { ByteSource } from "../../../streams/mod.ts";
import type { Digest } from "./digest.ts";

/** A checksum command. */
export interface ChecksumKind {
  /** The command's name: `md5sum`. */
  readonly command: string;
  /** The digest's name in lines of BSD's style: `MD5`. */
  readonly label: string;
  /** Size of the digest in bits. */
  readonly bits: number;
  /** The specification of the digest. */
  readonly reference: string;
  /** Starts a digest. */
  start(): Digest;
}

/** Reads a source to its end; returns its digest in hexadecimal digits. */
export async function digestOf(source: ByteSource, kind: ChecksumKind): Promise<string> {
  const digest = kind.start();
  for await (const chunk of source) digest.update(chunk);
  return digest.hex();
}
