/**
 * Shared code of all builtins: command line, numbers, operands and opened files.
 *
 * The type of a builtin is in `../builtin.ts`, the commands are in `commands/`, and running one by
 * name is in `run/`, which no command imports.
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
export { soleOption } from "./sole_option.ts";
