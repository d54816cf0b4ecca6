import { checksumCommand } from "./checksum.ts";
import type { Builtin } from "../../builtin.ts";
import { Md5 } from "./md5.ts";

/** The command `md5sum`; see {@linkcode Builtin}. */
export const md5sum: Builtin = checksumCommand({
  command: "md5sum",
  label: "MD5",
  bits: 128,
  reference: "RFC 1321",
  start: () => new Md5(),
});
