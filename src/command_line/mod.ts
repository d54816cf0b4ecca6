/**
 * Command lines: tables of options, the parser with GNU's rules, and the help text that is made
 * from the same table. Builtins and the command `llmcmd` read theirs with it.
 *
 * It does not know any command, reads no environment and prints nothing. Not an entry of the package:
 * `/builtins` gives the parser to those who write builtins of their own.
 *
 * @module
 */
export { formatHelp } from "./help.ts";
export {
  type CommandSpec,
  longNames,
  type ModernWords,
  type OptionArgument,
  type OptionSpec,
  type ParsedArgument,
  type ParsedOperand,
  type ParsedOption,
  parseOptions,
  tryHelp,
  UsageError,
  type UsageProblem,
} from "./options.ts";
