/**
 * The commands `expand` and `unexpand`, which read the same lists of tab stops.
 *
 * @module
 */
export { expand } from "./expand.ts";
export { unexpand } from "./unexpand.ts";
