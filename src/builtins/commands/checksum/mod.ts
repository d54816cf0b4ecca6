/**
 * The commands `md5sum` and `sha256sum`: one command over two digests.
 *
 * @module
 */
export { md5sum } from "./md5sum.ts";
export { sha256sum } from "./sha256sum.ts";
