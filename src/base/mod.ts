/**
 * What every room needs and no library here gives: the closest of several names, what an error
 * says, text that is safe to show, secrets taken out of text.
 *
 * No streams, no host, no knowledge of any program: whoever imports it takes nothing else along.
 *
 * @module
 */
export { clip, clipEnd } from "./clip.ts";
export { closest } from "./closest.ts";
