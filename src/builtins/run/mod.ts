/**
 * Runs builtins by name: the registry, the stage that runs a builtin and closes what it opened, and
 * the WHATWG streams around a stage.
 *
 * The registry loads every command, so neither commands nor their shared code import this folder.
 *
 * @module
 */
export { builtinNames, isBuiltinName, loadBuiltin } from "./registry.ts";
export { type FileOpener, type FileStream, runBuiltin, type RunBuiltinIo } from "./run_builtin.ts";
export { Stage } from "./stage.ts";
export { type BuiltinTransform, transform, type TransformOptions } from "./transform.ts";
