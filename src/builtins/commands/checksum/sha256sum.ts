import { checksumCommand } from "./checksum.ts";
import type { Builtin } from "../../builtin.ts";
import { Sha256 } from "./sha256.ts";

/** The command `sha256sum`; see {@linkcode Builtin}. */
export const sha256sum: Builtin = checksumCommand({
  command: "sha256sum",
  label: "SHA256",
  bits: 256,
  reference: "FIPS-180-2",
  start: () => new Sha256(),
});
