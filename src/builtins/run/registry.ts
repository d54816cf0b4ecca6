import { type BuiltinName, commands } from "../commands/mod.ts";
import type { Builtin } from "../builtin.ts";
import { closest } from "../../base/mod.ts";

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

/** True if there is a builtin of that name. */
export function isBuiltinName(name: string): name is BuiltinName {
  return Object.hasOwn(commands, name);
}

/**
 * Loads a builtin as a function, for callers that run it themselves. {@linkcode Stage} also closes
 * everything that the builtin opens.
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
 * @throws {RangeError} If there is no such builtin. The message suggests one, or lists all.
 */
export async function loadBuiltin(name: string): Promise<Builtin> {
  if (!isBuiltinName(name)) throw unknownBuiltin(name);
  return await commands[name].load();
}

/** The error for an unknown name. */
export function unknownBuiltin(name: string): RangeError {
  const near = closest(name, builtinNames);
  const hint = near === undefined
    ? `builtins are ${builtinNames.join(", ")}`
    : `did you mean '${near}'?`;
  return new RangeError(`${name}: command not found; ${hint}`);
}

/** The exit status for an error that the command does not handle itself. */
export function troubleStatus(name: string): number {
  return isBuiltinName(name) ? commands[name].trouble : 1;
}
