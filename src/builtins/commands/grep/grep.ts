import { compileRegex, type Regex, RegexLimitError } from "../../../regex/mod.ts";
import {
  type ByteSource,
  type Chunk,
  memorySource,
  randomAccessSource,
  turnEventLoop,
} from "../../../streams/mod.ts";
import { InvalidArgument, openOperands, type Operand, parseCommand } from "../../core/mod.ts";
import type { BuiltinIo } from "../../builtin.ts";
import { grepCommand } from "./options.ts";
import {
  compilePatterns,
  type Pattern,
  readPatterns,
  selectsNothing,
  WrongPatterns,
} from "./patterns.ts";
import { GrepPrinter } from "./printer.ts";
import type { GrepProgress } from "./context.ts";
import { FileSearch, PAUSE } from "./search.ts";
import {
  type GrepSettings,
  MissingPattern,
  type PatternSource,
  readGrepSettings,
} from "./settings.ts";
import { WindowReader } from "./windows.ts";
import { LineReader, MAX_LINE } from "../../text/mod.ts";

const SELECTED = 0;
const NONE = 1;
const TROUBLE = 2;

/** The command `grep`; see {@linkcode Builtin}. */
export async function* grep(
  args: readonly string[],
  io: BuiltinIo,
): AsyncGenerator<Chunk, number, void> {
  // Warnings and pattern files, in order: files are read once the arguments are parsed.
  const noted: (string | PatternSource)[] = [];
  const warn = (message: string): void => void noted.push(`grep: warning: ${message}`);
  const usage: BuiltinIo = { ...io, warn: (message) => noted.push(...usageOf(message)) };
  const hooks = { warn, patternFile: (source: PatternSource): void => void noted.push(source) };
  const parsed = parseCommand(
    args,
    usage,
    grepCommand,
    (items) => readGrepSettings(items, hooks),
    TROUBLE,
  );
  let regex: Regex | undefined;
  try {
    const read = new Map<PatternSource, Pattern[]>();
    for (const item of noted.splice(0)) {
      if (typeof item === "string") io.warn(item);
      else read.set(item, await readPatterns(item, io));
    }
    if (parsed.done) {
      yield* parsed.text;
      return parsed.status;
    }
    const { settings } = parsed;
    const patterns: Pattern[] = [];
    for (const source of settings.patterns) {
      for (const each of read.get(source) ?? await readPatterns(source, io)) patterns.push(each);
    }
    if (settings.unsupported !== undefined) {
      const why = "there are no folders to search here";
      throw new InvalidArgument(`${settings.unsupported} is not supported: ${why}`);
    }
    if (selectsNothing(settings, patterns)) return NONE;
    regex = compilePatterns(patterns, settings);
  } catch (error) {
    if (error instanceof WrongPatterns) {
      for (const message of error.messages) io.warn(`grep: ${message}`);
      return TROUBLE;
    }
    if (!(error instanceof InvalidArgument || error instanceof RegexLimitError)) throw error;
    io.warn(`grep: ${error.message}`);
    return TROUBLE;
  }
  regex?.warnings.forEach((message) => io.warn(`grep: warning: ${message}`));
  try {
    return yield* searchFiles(parsed.settings, regex, io);
  } catch (error) {
    if (!(error instanceof RegexLimitError)) throw error;
    io.warn(`grep: ${error.message}`);
    return TROUBLE;
  }
}

/** GNU grep prints a usage line before its hint. */
function usageOf(message: string): string[] {
  if (message.startsWith("Try ")) return [`Usage: grep ${grepCommand.usage}`, message];
  return message === `grep: ${new MissingPattern().message}` ? [] : [message];
}

async function* searchFiles(
  settings: GrepSettings,
  regex: Regex | undefined,
  io: BuiltinIo,
): AsyncGenerator<Chunk, number, void> {
  let trouble = false;
  let selected = false;
  let passedOver = false;
  const finder = regex ?? compileRegex("", { syntax: "fixed" });
  const printer = new GrepPrinter(settings, finder);
  const progress: GrepProgress = { used: false };
  const stdin = new StdinAgain();
  const longest = io.limits?.lineBytes ?? MAX_LINE;
  const pause = async (): Promise<void> => {
    await turnEventLoop();
    if (io.signal.aborted) throw io.signal.reason;
  };
  const files = openOperands(settings.files, io, (_problem, name, why) => {
    passedOver = why === "Is a directory" && settings.skipFolders;
    if (passedOver) return;
    if (!settings.silent) io.warn(`grep: ${shownName(name, settings)}: ${why}`);
    trouble = true;
  });
  for await (const file of files) {
    if (settings.skipDevices && !file.isStdin && file.at === undefined) continue;
    const search = new FileSearch(settings, regex, printer, progress);
    const name = shownName(file.name, settings);
    printer.begin(name, file.at?.size);
    const source = file.isStdin ? stdin.source(file) : file;
    const skipped = !(yield* searchFile(source, search, settings, longest, pause));
    if (file.isStdin) stdin.stoppedAt(search);
    if (passedOver) {
      passedOver = false;
      continue;
    }
    const found = !skipped && search.selection.count > 0;
    if (found) selected = true;
    if (settings.output === "count") printer.countLine(skipped ? 0 : search.selection.count);
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

/** Searches one file; false if it is binary and `-I` skips binary files. */
async function* searchFile(
  source: ByteSource,
  search: FileSearch,
  settings: GrepSettings,
  longest: number,
  pause: () => Promise<void>,
): AsyncGenerator<Chunk, boolean, void> {
  const detects = settings.binaryFiles !== "text" && settings.separator === 10;
  const reader = detects
    ? new WindowReader(source, source.at !== undefined, longest)
    : new LineReader(source, settings.separator, longest);
  while (!search.done) {
    yield* search.flush();
    const block = await reader.next();
    // With -m 0 a file is read to report errors, but not searched.
    if (settings.maxCount === 0) return false;
    if (block === undefined) break;
    if (reader instanceof WindowReader && reader.binary) {
      if (settings.binaryFiles === "without-match") return false;
      search.turnBinary();
    }
    for (const chunk of search.block(block, reader instanceof WindowReader && reader.ascii)) {
      if (chunk === PAUSE) await pause();
      else yield chunk;
    }
  }
  yield* search.flush();
  return true;
}

/**
 * Standard input that is named several times. A search that ends early still uses up the input,
 * except that after `-m` a regular file continues after the last selected line, as POSIX requires
 * of utilities that share a file.
 */
class StdinAgain {
  #offset: number | undefined;
  #ended = false;

  /** The input of the next search. */
  source(stdin: Operand): ByteSource {
    if (!this.#ended) return stdin;
    if (this.#offset === undefined || stdin.at === undefined) return memorySource("");
    return randomAccessSource(stdin.at, { offset: this.#offset });
  }

  /** Records the position at which a search ended. */
  stoppedAt(search: FileSearch): void {
    this.#offset = search.exhausted ? (this.#offset ?? 0) + search.selection.end : undefined;
    this.#ended = true;
  }
}

function shownName(name: string, settings: GrepSettings): string {
  return name === "-" ? settings.label : name;
}
