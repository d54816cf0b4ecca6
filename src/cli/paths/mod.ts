/**
 * Paths of the command line.
 *
 * @module
 */
export { absolutePath } from "./absolute_path.ts";
export { shownPath } from "./shown_paths.ts";
