/**
 * How a builtin runs: reading its command line, opening its operands, the stage that runs it, the
 * WHATWG transform around a stage, and the registry that finds it by name.
 *
 * The type of a builtin is in `builtin.ts` beside this folder, the commands themselves are in
 * `commands/`.
 *
 * @module
 */
export { INTMAX, readBounded, readDecimal } from "./arguments.ts";
export {
  builtinOf,
  InvalidArgument,
  matchChoice,
  operandsOf,
  parseCommand,
  type ReportFault,
  standardOptions,
} from "./command.ts";
export { readNameList } from "./name_list.ts";
export { COUNT_SUFFIXES, parseNumber, toCount, UINTMAX } from "./number.ts";
export { OpenedFiles } from "./opened_files.ts";
export {
  errorText,
  isFatal,
  openFile,
  openOperands,
  Operand,
  type ReportOperand,
} from "./operands.ts";
export { randomBytes, RandomNumbers } from "./random_numbers.ts";
export { refusalOf, type RefusedName, refusedOptions } from "./refused_options.ts";
export { builtinNames, isBuiltinName, loadBuiltin } from "./registry.ts";
export { type FileOpener, type FileStream, runBuiltin, type RunBuiltinIo } from "./run_builtin.ts";
export { soleOption } from "./sole_option.ts";
export { Stage } from "./stage.ts";
export { type BuiltinTransform, transform, type TransformOptions } from "./transform.ts";
