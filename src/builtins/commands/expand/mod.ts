/**
 * The commands `expand` and `unexpand`, which share the syntax of tab stops.
 *
 * @module
 */
export { expand } from "./expand.ts";
export { unexpand } from "./unexpand.ts";
