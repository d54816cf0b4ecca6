/**
 * The commands `md5sum` and `sha256sum`: one implementation for two digests. `sort -R` uses MD5
 * from here.
 *
 * @module
 */
export { Md5 } from "./md5.ts";
export { md5sum } from "./md5sum.ts";
export { sha256sum } from "./sha256sum.ts";
