import { type BuiltinTransform, transform, type TransformOptions } from "./transform.ts";

/**
 * Concatenates, numbers or shows what is invisible: the GNU command `cat` as a transform stream.
 * Takes its arguments without the name; see {@linkcode transform}.
 */
export function cat(args?: readonly string[], options?: TransformOptions): BuiltinTransform {
  return transform("cat", args, options);
}

/**
 * Selects lines that match patterns: the GNU command `grep` as a transform stream.
 * Takes its arguments without the name; see {@linkcode transform}.
 *
 * @example
 * ```ts
 * import { grep, head } from "@llmcmd/llmcmd/builtins";
 * import assert from "node:assert/strict";
 *
 * const log = new Response("ok\nERROR one\nok\nERROR two\n").body;
 * const first = log?.pipeThrough(grep(["ERROR"])).pipeThrough(head(["-n", "1"]));
 * assert.equal(await new Response(first).text(), "ERROR one\n");
 * ```
 */
export function grep(args?: readonly string[], options?: TransformOptions): BuiltinTransform {
  return transform("grep", args, options);
}

/**
 * Gives the first lines or bytes: the GNU command `head` as a transform stream.
 * Takes its arguments without the name; see {@linkcode transform}.
 */
export function head(args?: readonly string[], options?: TransformOptions): BuiltinTransform {
  return transform("head", args, options);
}

/**
 * Edits by a script: the GNU command `sed` as a transform stream.
 * Takes its arguments without the name; see {@linkcode transform}.
 */
export function sed(args?: readonly string[], options?: TransformOptions): BuiltinTransform {
  return transform("sed", args, options);
}

/**
 * Sorts, merges or checks lines: the GNU command `sort` as a transform stream.
 * Takes its arguments without the name; see {@linkcode transform}.
 */
export function sort(args?: readonly string[], options?: TransformOptions): BuiltinTransform {
  return transform("sort", args, options);
}

/**
 * Gives the last lines or bytes: the GNU command `tail` as a transform stream.
 * Takes its arguments without the name; see {@linkcode transform}.
 */
export function tail(args?: readonly string[], options?: TransformOptions): BuiltinTransform {
  return transform("tail", args, options);
}

/**
 * Translates, squeezes or deletes bytes: the GNU command `tr` as a transform stream.
 * Takes its arguments without the name; see {@linkcode transform}.
 */
export function tr(args?: readonly string[], options?: TransformOptions): BuiltinTransform {
  return transform("tr", args, options);
}

/**
 * Counts lines, words, characters and bytes: the GNU command `wc` as a transform stream.
 * Takes its arguments without the name; see {@linkcode transform}.
 */
export function wc(args?: readonly string[], options?: TransformOptions): BuiltinTransform {
  return transform("wc", args, options);
}
