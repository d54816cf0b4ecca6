import type { Builtin } from "./builtin.ts";
import { closest } from "./suggest.ts";

/** The name of a builtin. */
export type BuiltinName =
  | "base64"
  | "basename"
  | "cat"
  | "comm"
  | "cut"
  | "diff"
  | "dirname"
  | "echo"
  | "expand"
  | "false"
  | "fmt"
  | "fold"
  | "grep"
  | "head"
  | "join"
  | "md5sum"
  | "nl"
  | "od"
  | "paste"
  | "patch"
  | "printf"
  | "rev"
  | "sed"
  | "seq"
  | "sha256sum"
  | "sort"
  | "tac"
  | "tail"
  | "tee"
  | "tr"
  | "true"
  | "unexpand"
  | "uniq"
  | "wc"
  | "xxd"
  | "yes";

interface Entry {
  readonly load: () => Promise<Builtin>;
  readonly trouble: number;
}

/**
 * Every builtin, loaded when it is first used. Imports are literal, so that bundlers and `deno
 * compile` see them and no permission is needed. `trouble` is the status of a failure that the
 * command did not foresee, as POSIX gives it: 1, or 2 and more where 1 has a meaning.
 */
const commands: Readonly<Record<BuiltinName, Entry>> = {
  base64: { load: async () => (await import("./base64.ts")).base64, trouble: 1 },
  basename: { load: async () => (await import("./basename.ts")).basename, trouble: 1 },
  cat: { load: async () => (await import("./cat.ts")).cat, trouble: 1 },
  comm: { load: async () => (await import("./comm.ts")).comm, trouble: 1 },
  cut: { load: async () => (await import("./cut.ts")).cut, trouble: 1 },
  diff: { load: async () => (await import("./diff.ts")).diff, trouble: 2 },
  dirname: { load: async () => (await import("./dirname.ts")).dirname, trouble: 1 },
  echo: { load: async () => (await import("./echo.ts")).echo, trouble: 1 },
  expand: { load: async () => (await import("./expand.ts")).expand, trouble: 1 },
  false: { load: async () => (await import("./false.ts")).falseCommand, trouble: 1 },
  fmt: { load: async () => (await import("./fmt.ts")).fmt, trouble: 1 },
  fold: { load: async () => (await import("./fold.ts")).fold, trouble: 1 },
  grep: { load: async () => (await import("./grep.ts")).grep, trouble: 2 },
  head: { load: async () => (await import("./head.ts")).head, trouble: 1 },
  join: { load: async () => (await import("./join.ts")).join, trouble: 1 },
  md5sum: { load: async () => (await import("./md5sum.ts")).md5sum, trouble: 1 },
  nl: { load: async () => (await import("./nl.ts")).nl, trouble: 1 },
  od: { load: async () => (await import("./od.ts")).od, trouble: 1 },
  paste: { load: async () => (await import("./paste.ts")).paste, trouble: 1 },
  patch: { load: async () => (await import("./patch.ts")).patch, trouble: 2 },
  printf: { load: async () => (await import("./printf.ts")).printf, trouble: 1 },
  rev: { load: async () => (await import("./rev.ts")).rev, trouble: 1 },
  sed: { load: async () => (await import("./sed.ts")).sed, trouble: 4 },
  seq: { load: async () => (await import("./seq.ts")).seq, trouble: 1 },
  sha256sum: { load: async () => (await import("./sha256sum.ts")).sha256sum, trouble: 1 },
  sort: { load: async () => (await import("./sort.ts")).sort, trouble: 2 },
  tac: { load: async () => (await import("./tac.ts")).tac, trouble: 1 },
  tail: { load: async () => (await import("./tail.ts")).tail, trouble: 1 },
  tee: { load: async () => (await import("./tee.ts")).tee, trouble: 1 },
  tr: { load: async () => (await import("./tr.ts")).tr, trouble: 1 },
  true: { load: async () => (await import("./true.ts")).trueCommand, trouble: 1 },
  unexpand: { load: async () => (await import("./unexpand.ts")).unexpand, trouble: 1 },
  uniq: { load: async () => (await import("./uniq.ts")).uniq, trouble: 1 },
  wc: { load: async () => (await import("./wc.ts")).wc, trouble: 1 },
  xxd: { load: async () => (await import("./xxd.ts")).xxd, trouble: 2 },
  yes: { load: async () => (await import("./yes.ts")).yes, trouble: 1 },
};

/**
 * The names of all builtins, sorted.
 *
 * @example
 * ```ts
 * import { builtinNames, isBuiltinName } from "@llmcmd/llmcmd/builtins";
 *
 * if (!builtinNames.includes("sort") || isBuiltinName("awk")) throw new Error("other builtins");
 * ```
 */
export const builtinNames: readonly BuiltinName[] = Object.freeze(
  Object.keys(commands).filter(isBuiltinName).sort(),
);

/** Whether there is a builtin of that name. */
export function isBuiltinName(name: string): name is BuiltinName {
  return Object.hasOwn(commands, name);
}

/**
 * Loads a builtin, for those who run it by themselves: its arguments and ports in, its output out.
 * {@linkcode Stage} does the same and takes care of everything that a builtin opens.
 *
 * @example
 * ```ts
 * import { loadBuiltin } from "@llmcmd/llmcmd/builtins";
 * import { memorySource } from "@llmcmd/llmcmd/streams";
 * import assert from "node:assert/strict";
 *
 * const wc = await loadBuiltin("wc");
 * const output = wc(["-w"], {
 *   stdin: memorySource("one two\n"),
 *   warn: console.error,
 *   signal: new AbortController().signal,
 * });
 * const first = await output.next();
 * assert.equal(first.done ? "" : new TextDecoder().decode(first.value), "2\n");
 * assert.deepEqual(await output.next(), { done: true, value: 0 });
 * ```
 *
 * @throws {RangeError} If there is none of that name. The message suggests one, or lists all.
 */
export async function loadBuiltin(name: string): Promise<Builtin> {
  if (!isBuiltinName(name)) throw unknownBuiltin(name);
  return await commands[name].load();
}

/** The error of a name that no builtin has. */
export function unknownBuiltin(name: string): RangeError {
  const near = closest(name, builtinNames);
  const hint = near === undefined
    ? `builtins are ${builtinNames.join(", ")}`
    : `did you mean '${near}'?`;
  return new RangeError(`${name}: command not found; ${hint}`);
}

/** The exit status of a failure that the command did not foresee. */
export function troubleStatus(name: string): number {
  return isBuiltinName(name) ? commands[name].trouble : 1;
}
