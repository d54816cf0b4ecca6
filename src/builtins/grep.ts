import {
  compilePerl,
  compileRegex,
  type Regex,
  RegexError,
  RegexLimitError,
} from "../regex/mod.ts";
import type { ByteSource, Chunk } from "../streams/mod.ts";
import type { BuiltinIo } from "./builtin.ts";
import { InvalidArgument, parseCommand } from "./_command.ts";
import { grepCommand } from "./grep_options.ts";
import { GrepPrinter } from "./grep_printer.ts";
import { FileSearch, type GrepProgress } from "./grep_search.ts";
import { type GrepSettings, MissingPattern, readGrepSettings } from "./grep_settings.ts";
import { WindowReader } from "./grep_windows.ts";
import { LineReader } from "./_lines.ts";
import { errorText, isFatal, openFile, openOperands, type Operand } from "./_operands.ts";
import { utf8 } from "./_output.ts";

const SELECTED = 0;
const NONE = 1;
const TROUBLE = 2;

/** The command `grep`; see {@linkcode Builtin}. */
export async function* grep(
  args: readonly string[],
  io: BuiltinIo,
): AsyncGenerator<Chunk, number, void> {
  const usage: BuiltinIo = { ...io, warn: (message) => warnUsage(io, message) };
  const parsed = parseCommand(args, usage, grepCommand, readGrepSettings, TROUBLE);
  if (parsed.done) {
    yield* parsed.text;
    return parsed.status;
  }
  const { settings } = parsed;
  for (const warning of settings.warnings) io.warn(`grep: warning: ${warning}`);
  let regex: Regex | undefined;
  try {
    const patterns = await readPatterns(settings, io);
    if (selectsNothing(settings, patterns)) return NONE;
    regex = compilePatterns(patterns, settings);
  } catch (error) {
    if (!(error instanceof RegexError || error instanceof RegexLimitError)) {
      if (!(error instanceof InvalidArgument)) throw error;
    }
    io.warn(`grep: ${error.message}`);
    return TROUBLE;
  }
  for (const warning of regex?.warnings ?? []) io.warn(`grep: warning: ${warning}`);
  try {
    return yield* searchFiles(settings, regex, io);
  } catch (error) {
    if (!(error instanceof RegexLimitError)) throw error;
    io.warn(`grep: ${error.message}`);
    return TROUBLE;
  }
}

/** GNU grep puts a usage line before its hint. */
function warnUsage(io: BuiltinIo, message: string): void {
  if (message.startsWith("Try ")) io.warn(`Usage: grep ${grepCommand.usage}`);
  if (message !== `grep: ${new MissingPattern().message}`) io.warn(message);
}

/** Whether no line of any file can be selected: GNU grep then opens no file and prints nothing. */
function selectsNothing(settings: GrepSettings, patterns: readonly Uint8Array[]): boolean {
  if (settings.output === "without") return false;
  if (settings.maxCount === 0) return true;
  if (patterns.length === 0) return !settings.invert;
  return settings.invert && settings.whole === undefined &&
    patterns.every((pattern) => pattern.length === 0);
}

/** The patterns, one a line of what `-e`, `-f` or the first operand gives. */
async function readPatterns(settings: GrepSettings, io: BuiltinIo): Promise<Uint8Array[]> {
  const patterns: Uint8Array[] = [];
  for (const item of settings.patterns) {
    if ("text" in item) {
      patterns.push(...splitLines(utf8(item.text)));
      continue;
    }
    let source: ByteSource | undefined;
    try {
      source = item.file === "-" ? io.stdin : await openFile(item.file, io);
      const pieces: Chunk[] = [];
      for await (const chunk of source) pieces.push(chunk.slice());
      patterns.push(...splitFile(pieces));
    } catch (error) {
      if (isFatal(error, io.signal)) throw error;
      throw new InvalidArgument(`${item.file}: ${errorText(error)}`);
    }
  }
  return patterns;
}

function splitFile(pieces: readonly Chunk[]): Uint8Array[] {
  const size = pieces.reduce((sum, piece) => sum + piece.length, 0);
  const text = new Uint8Array(size);
  let at = 0;
  for (const piece of pieces) {
    text.set(piece, at);
    at += piece.length;
  }
  if (size === 0) return [];
  return splitLines(text[size - 1] === 10 ? text.subarray(0, size - 1) : text);
}

function splitLines(text: Uint8Array): Uint8Array[] {
  const lines: Uint8Array[] = [];
  let at = 0;
  for (let found = text.indexOf(10); found >= 0; found = text.indexOf(10, at)) {
    lines.push(text.subarray(at, found));
    at = found + 1;
  }
  lines.push(text.subarray(at));
  return lines;
}

/** No patterns at all (`-f /dev/null`) match nothing: `undefined`. */
function compilePatterns(
  patterns: readonly Uint8Array[],
  settings: GrepSettings,
): Regex | undefined {
  const [first, second] = patterns;
  if (first === undefined) return undefined;
  const { syntax, ignoreCase, whole } = settings;
  if (syntax === "perl") {
    if (second !== undefined) {
      throw new InvalidArgument("the -P option only supports a single pattern");
    }
    return compilePerl(first, { ignoreCase, ...(whole !== undefined && { whole }) });
  }
  return compileRegex(patterns, {
    syntax,
    ignoreCase,
    dialect: "grep",
    ...(whole !== undefined && { whole }),
  });
}

async function* searchFiles(
  settings: GrepSettings,
  regex: Regex | undefined,
  io: BuiltinIo,
): AsyncGenerator<Chunk, number, void> {
  let trouble = false;
  let selected = false;
  const finder = regex ?? compileRegex("", { syntax: "fixed" });
  const printer = new GrepPrinter(settings, finder);
  const progress: GrepProgress = { used: false };
  const files = openOperands(settings.files, io, (_problem, name, why) => {
    if (why === "Is a directory" && settings.skipFolders) return;
    if (!settings.silent) io.warn(`grep: ${shownName(name, settings)}: ${why}`);
    trouble = true;
  });
  for await (const file of files) {
    if (settings.skipDevices && !file.isStdin && file.at === undefined) continue;
    const search = new FileSearch(settings, regex, printer, progress);
    const name = shownName(file.name, settings);
    printer.begin(name, file.at?.size);
    const skipped = settings.maxCount === 0 || !(yield* searchFile(file, search, settings));
    if (file.failed) continue;
    const found = !skipped && search.selected > 0;
    if (found) selected = true;
    if (settings.output === "count") printer.countLine(skipped ? 0 : search.selected);
    if (settings.output === "with" && found) printer.nameLine();
    if (settings.output === "without" && !found) printer.nameLine();
    yield* search.flush();
    const hidden = search.binaryMatch || printer.encodingError;
    if (hidden && settings.binaryFiles === "binary") {
      io.warn(`grep: ${name}: binary file matches`);
    }
    if (found && settings.output === "nothing") return SELECTED;
  }
  return trouble ? TROUBLE : selected ? SELECTED : NONE;
}

/** Searches one file; false where it turned out to be binary and `-I` passes over such files. */
async function* searchFile(
  file: Operand,
  search: FileSearch,
  settings: GrepSettings,
): AsyncGenerator<Chunk, boolean, void> {
  const detects = settings.binaryFiles !== "text" && settings.separator === 10;
  const reader = detects
    ? new WindowReader(file, file.at !== undefined)
    : new LineReader(file, settings.separator);
  while (!search.done) {
    yield* search.flush();
    const block = await reader.next();
    if (block === undefined) break;
    if (reader instanceof WindowReader && reader.binary) {
      if (settings.binaryFiles === "without-match") return false;
      search.turnBinary();
    }
    yield* search.block(block, reader instanceof WindowReader && reader.ascii);
  }
  yield* search.flush();
  return true;
}

function shownName(name: string, settings: GrepSettings): string {
  return name === "-" ? settings.label : name;
}
