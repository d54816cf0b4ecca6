/**
 * Text commands over streams of bytes, from `cat`, `grep`, `sed` and `sort` to `diff`, `patch` and
 * `od` ({@linkcode builtinNames} has them all), with the options, messages and statuses of the GNU
 * tools in the C.UTF-8 locale.
 *
 * Three ways in: factories of transform streams named after the commands that read standard input
 * (`source.pipeThrough(grep(["-v", "x"])).pipeThrough(cut(["-f1"]))`; {@linkcode transform} takes
 * the name of any), {@linkcode runBuiltin} for shells, and {@linkcode Stage} for pipelines that
 * pull. All stream: memory does not grow with the input. What must be kept, as for `sort`, `tac`
 * and `diff`, goes to temporary storage if the caller provides it, and has a limit if not
 * ({@linkcode BuiltinLimits}).
 *
 * What goes wrong in a command is a status and a message, never an exception. Exceptions are for
 * what lies outside the command: a name that no builtin has (`RangeError`), the reason of an abort,
 * and from `@llmcmd/llmcmd/streams` a limit (`LimitError`) and a reader that has left
 * (`BrokenPipeError`).
 *
 * It is not a shell: splitting command lines, redirections and pipelines are left to its users. It
 * opens no file and starts no process by itself: files come through functions that the caller
 * gives.
 *
 * @module
 */
export {
  type CommandSpec,
  formatHelp,
  type HelpSection,
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
} from "../command_line/mod.ts";
export { type Builtin, type BuiltinIo, READER_LEFT, type TempStore } from "./builtin.ts";
export { type BuiltinLimits, defaultBuiltinLimits } from "./limits.ts";
export { type BuiltinName } from "./commands/mod.ts";
export {
  builtinNames,
  type BuiltinTransform,
  type FileOpener,
  type FileStream,
  isBuiltinName,
  loadBuiltin,
  runBuiltin,
  type RunBuiltinIo,
  Stage,
  transform,
  type TransformOptions,
} from "./run/mod.ts";
export {
  base64,
  cat,
  column,
  comm,
  cut,
  diff,
  expand,
  fmt,
  fold,
  grep,
  head,
  iconv,
  join,
  md5sum,
  nl,
  od,
  paste,
  patch,
  rev,
  sed,
  sha256sum,
  shuf,
  sort,
  tac,
  tail,
  tee,
  tr,
  type TransformFactory,
  unexpand,
  uniq,
  wc,
  xxd,
} from "./factories.ts";
