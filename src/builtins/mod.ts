/**
 * Text commands over streams of bytes, from `cat`, `grep`, `sed` and `sort` to `diff`, `patch` and
 * `od` ({@linkcode builtinNames} lists them all), with the options, messages and statuses of the
 * GNU tools in the C.UTF-8 locale.
 *
 * There are three ways to run them: factories of transform streams, named after the commands that
 * read standard input (`source.pipeThrough(grep(["-v", "x"])).pipeThrough(cut(["-f1"]))`;
 * {@linkcode transform} takes any name); {@linkcode runBuiltin} for shells; and {@linkcode Stage}
 * for pull-based pipelines. All of them stream: memory does not grow with the input. Data that must
 * be kept, as in `sort`, `tac` and `diff`, goes to temporary storage if the caller provides it, and
 * is limited otherwise ({@linkcode BuiltinLimits}).
 *
 * A command's own errors are a status and a message, never an exception. Exceptions are for errors
 * outside of the command: an unknown name (`RangeError`), the reason of an abort, and from
 * `@llmcmd/llmcmd/streams` a limit (`LimitError`) and a reader that stopped reading
 * (`BrokenPipeError`).
 *
 * Non-goals: this is not a shell, so splitting command lines, redirections and pipelines are up to
 * the caller. It opens no files and starts no processes; files come through the caller's functions.
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
