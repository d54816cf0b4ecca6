import type { BuiltinName } from "./commands/mod.ts";
import { type BuiltinTransform, transform, type TransformOptions } from "./run/mod.ts";

/**
 * Runs one command as a transform stream: {@linkcode transform} with the command's name filled in.
 *
 * Each builtin that reads standard input has a factory. Those that only write (`seq`, `yes`,
 * `printf`, ...) are sources: `transform("seq", ["3"]).readable`.
 *
 * @param args The arguments, without the command's name.
 * @param options Signal, standard error and files; by default there are no files.
 *
 * @example
 * ```ts
 * import { cut, grep, head, sort, uniq } from "@llmcmd/llmcmd/builtins";
 * import assert from "node:assert/strict";
 *
 * const log = new Response("ok\tx\nERROR\tb\nok\ty\nERROR\ta\nERROR\tb\n").body;
 * const causes = log?.pipeThrough(grep(["ERROR"])).pipeThrough(cut(["-f2"]))
 *   .pipeThrough(sort()).pipeThrough(uniq(["-c"])).pipeThrough(head(["-n", "2"]));
 * assert.equal(await new Response(causes).text(), "      1 a\n      2 b\n");
 * ```
 */
export type TransformFactory = (
  args?: readonly string[],
  options?: TransformOptions,
) => BuiltinTransform;

function factory(name: BuiltinName): TransformFactory {
  return (args, options) => transform(name, args, options);
}

/** Encodes bytes as base64 lines, or decodes them: the command `base64`. */
export const base64: TransformFactory = factory("base64");
/** Concatenates, numbers lines or shows invisible characters: the command `cat`. */
export const cat: TransformFactory = factory("cat");
/** Aligns fields in a table, or puts lines side by side: the command `column`. */
export const column: TransformFactory = factory("column");
/** Compares sorted lines with those of a file; `-` is the stream: the command `comm`. */
export const comm: TransformFactory = factory("comm");
/** Selects fields or bytes of each line: the command `cut`. */
export const cut: TransformFactory = factory("cut");
/** Compares with a file line by line; `-` is the stream: the command `diff`. */
export const diff: TransformFactory = factory("diff");
/** Turns tabs into spaces: the command `expand`. */
export const expand: TransformFactory = factory("expand");
/** Fills paragraphs up to a width: the command `fmt`. */
export const fmt: TransformFactory = factory("fmt");
/** Wraps lines at a width: the command `fold`. */
export const fold: TransformFactory = factory("fold");
/** Selects lines that match patterns: the command `grep`. */
export const grep: TransformFactory = factory("grep");
/** Outputs the first lines or bytes: the command `head`. */
export const head: TransformFactory = factory("head");
/** Converts from one character encoding to another: the command `iconv`. */
export const iconv: TransformFactory = factory("iconv");
/** Joins sorted lines with those of a file on a field; `-` is the stream: the command `join`. */
export const join: TransformFactory = factory("join");
/** Computes or checks MD5 checksums: the command `md5sum`. */
export const md5sum: TransformFactory = factory("md5sum");
/** Numbers lines: the command `nl`. */
export const nl: TransformFactory = factory("nl");
/** Dumps bytes in octal and other forms: the command `od`. */
export const od: TransformFactory = factory("od");
/** Merges lines with those of files, or with each other: the command `paste`. */
export const paste: TransformFactory = factory("paste");
/**
 * Applies the diff that it reads to files, using the caller's file functions: the command `patch`.
 */
export const patch: TransformFactory = factory("patch");
/** Reverses the characters of each line: the command `rev`. */
export const rev: TransformFactory = factory("rev");
/** Edits with a script: the command `sed`. */
export const sed: TransformFactory = factory("sed");
/** Computes or checks SHA-256 checksums: the command `sha256sum`. */
export const sha256sum: TransformFactory = factory("sha256sum");
/** Outputs lines in random order, or a random selection: the command `shuf`. */
export const shuf: TransformFactory = factory("shuf");
/** Sorts, merges or checks lines: the command `sort`. */
export const sort: TransformFactory = factory("sort");
/** Outputs the lines in reverse order: the command `tac`. */
export const tac: TransformFactory = factory("tac");
/** Outputs the last lines or bytes: the command `tail`. */
export const tail: TransformFactory = factory("tail");
/**
 * Passes its input on and also writes it to files, using the caller's file functions: the command
 * `tee`.
 */
export const tee: TransformFactory = factory("tee");
/** Translates, squeezes or deletes bytes: the command `tr`. */
export const tr: TransformFactory = factory("tr");
/** Turns spaces into tabs: the command `unexpand`. */
export const unexpand: TransformFactory = factory("unexpand");
/** Drops or counts adjacent repeated lines: the command `uniq`. */
export const uniq: TransformFactory = factory("uniq");
/** Counts lines, words, characters and bytes: the command `wc`. */
export const wc: TransformFactory = factory("wc");
/** Dumps bytes in hexadecimal, or reads such a dump: the command `xxd`. */
export const xxd: TransformFactory = factory("xxd");
