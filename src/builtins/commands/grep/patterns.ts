import {
  compilePerl,
  compileRegex,
  type Regex,
  RegexError,
  TURN_SLICE,
} from "../../../regex/mod.ts";
import type { Chunk } from "../../../streams/mod.ts";
import { errorText, InvalidArgument, isFatal, openFile } from "../../core/mod.ts";
import type { BuiltinIo } from "../../builtin.ts";
import type { GrepSettings, PatternSource } from "./settings.ts";
import { utf8 } from "../../text/mod.ts";

/**
 * Maximum number of nodes of all patterns: NODES and two for each byte of their text, at most
 * MOST_NODES.
 */
const NODES = 100_000;
const MOST_NODES = 4_000_000;

/** A pattern and its origin. */
export interface Pattern {
  readonly bytes: Uint8Array;
  /** The file of `-f`, and the line in it. */
  readonly file?: string;
  readonly line: number;
}

/**
 * The patterns in one argument: lines of its text, or of the file that it names.
 *
 * @throws {InvalidArgument} When the file cannot be read.
 */
export async function readPatterns(from: PatternSource, io: BuiltinIo): Promise<Pattern[]> {
  if ("text" in from) return splitLines(utf8(from.text));
  const { file } = from;
  try {
    const source = file === "-" ? io.stdin : await openFile(file, io);
    const pieces: Chunk[] = [];
    for await (const chunk of source) pieces.push(chunk.slice());
    return splitFile(pieces).map((pattern) => ({ ...pattern, file }));
  } catch (error) {
    if (isFatal(error, io.signal)) throw error;
    throw new InvalidArgument(`${file}: ${errorText(error)}`);
  }
}

function splitFile(pieces: readonly Chunk[]): Pattern[] {
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

function splitLines(text: Uint8Array): Pattern[] {
  const lines: Pattern[] = [];
  for (let at = 0; at <= text.length;) {
    const found = text.indexOf(10, at);
    const end = found < 0 ? text.length : found;
    lines.push({ bytes: text.subarray(at, end), line: lines.length + 1 });
    at = end + 1;
  }
  return lines;
}

/**
 * True if no line can be selected in any file. GNU grep then opens no file and prints nothing,
 * except for `-L`, which lists files without a match.
 */
export function selectsNothing(settings: GrepSettings, patterns: readonly Pattern[]): boolean {
  if (settings.output === "without") return false;
  if (settings.maxCount === 0) return true;
  if (patterns.length === 0) return !settings.invert;
  return settings.invert && settings.whole === undefined &&
    patterns.every(({ bytes }) => bytes.length === 0);
}

/** Errors in patterns, with one message for each. */
export class WrongPatterns extends Error {
  /** The error's name. */
  override readonly name = "WrongPatterns";
  /** GNU's messages, with file and line of a pattern that comes from a file. */
  readonly messages: readonly string[];

  /** Creates the error. */
  constructor(messages: readonly string[]) {
    super(messages.join("; "));
    this.messages = messages;
  }
}

/**
 * Compiles the patterns; `undefined` if there are none (`-f /dev/null`), so that nothing matches.
 *
 * @throws {WrongPatterns} When some are invalid.
 */
export function compilePatterns(
  patterns: readonly Pattern[],
  settings: GrepSettings,
): Regex | undefined {
  if (patterns.length === 0) return undefined;
  try {
    return compile(withoutRepeated(patterns), settings);
  } catch (error) {
    if (!(error instanceof RegexError)) throw error;
    const seen = new Set<string>();
    const messages: string[] = [];
    for (const pattern of patterns) {
      const text = pattern.bytes.join();
      const fault = seen.has(text) ? undefined : faultOf(pattern, settings);
      seen.add(text);
      if (fault === undefined || fault.groups !== undefined) continue;
      const why = fault.message;
      const placed = pattern.file !== undefined && settings.syntax !== "perl";
      messages.push(placed ? `${pattern.file}:${pattern.line}: ${why}` : why);
    }
    // A valid but unsupported pattern is reported only if no pattern is invalid.
    const warnings = error.warnings.map((message) => `warning: ${message}`);
    throw new WrongPatterns(messages.length > 0 ? messages : [...warnings, error.message]);
  }
}

/** Removes duplicates, as GNU grep does: it warns only once about each pattern. */
function withoutRepeated(patterns: readonly Pattern[]): Pattern[] {
  const seen = new Map<string, Pattern>();
  for (const pattern of patterns) {
    const text = pattern.bytes.join();
    if (!seen.has(text)) seen.set(text, pattern);
  }
  return [...seen.values()];
}

function compile(patterns: readonly Pattern[], settings: GrepSettings): Regex {
  const { syntax, ignoreCase, whole } = settings;
  const size = patterns.reduce((sum, { bytes }) => sum + bytes.length, 0);
  const maxNodes = Math.min(MOST_NODES, NODES + 2 * size);
  const options = {
    ignoreCase,
    maxNodes,
    slice: TURN_SLICE,
    ...(whole !== undefined && { whole }),
  };
  if (syntax !== "perl") {
    const list = patterns.map(({ bytes }) => bytes);
    return compileRegex(list, { syntax, dialect: "grep", ...options });
  }
  const [first, second] = patterns;
  if (first === undefined || second !== undefined) {
    throw new InvalidArgument("the -P option only supports a single pattern");
  }
  return compilePerl(first.bytes, options);
}

function faultOf(pattern: Pattern, settings: GrepSettings): RegexError | undefined {
  try {
    compile([pattern], settings);
    return undefined;
  } catch (error) {
    if (error instanceof RegexError) return error;
    throw error;
  }
}
