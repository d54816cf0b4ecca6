/**
 * Perl's patterns (`grep -P`), as far as they can be matched in linear time.
 *
 * @module
 */

import { BaseRegex, type RegexSearch } from "../base_regex.ts";
import { Beside, empty, type Node, nodeCount } from "../ast.ts";
import { RegexError, RegexLimitError } from "../errors.ts";
import { requiredLiterals } from "../literal.ts";
import { Pace } from "../pace.ts";
import { parsePerl, type PerlParsed } from "./parse.ts";
import { unsupported, UnsupportedPattern } from "./pieces.ts";
import { asciiWord } from "./escapes.ts";
import { utf8Fault } from "./utf8.ts";
import { Program } from "../program.ts";
import type { Regex } from "../regex.ts";
import { hasMatch } from "../search.ts";
import { LineSelector } from "../select.ts";
import { symbolsOf } from "../utf8.ts";
import { Walker } from "../walk.ts";

/** Options of {@linkcode compilePerl}. */
export interface PerlOptions {
  /** Matches letters of either case. */
  readonly ignoreCase?: boolean;
  /** Matches whole lines only (`-x`), or only text without adjacent word characters (`-w`). */
  readonly whole?: "line" | "word";
  /** Maximum number of nodes of the pattern, with intervals expanded. Default: 100,000. */
  readonly maxNodes?: number;
  /** See `RegexOptions.slice`. */
  readonly slice?: number;
}

/**
 * Compiles a pattern in Perl's syntax. Finds the leftmost match, and of several the one that Perl
 * would try first, in linear time. An error refuses what is not supported: back-references,
 * negative look-around, look-around elsewhere than at the pattern's ends, atomic groups, possessive
 * repetition, recursion, verbs except `(*FAIL)`, settings that change newlines, `\G`, `\X`.
 *
 * @throws {RegexError} When the pattern is invalid (with PCRE2's message) or not supported.
 * @throws {RegexLimitError} When it needs more than `maxNodes` nodes.
 *
 * @example
 * ```ts
 * import { compilePerl } from "@llmcmd/llmcmd/regex";
 *
 * const line = new TextEncoder().encode("id=42; id=7");
 * const match = compilePerl("id=\\K\\d+?").exec(line, 0, line.length);
 * if (match?.join() !== "3,4") throw new Error(String(match));
 * ```
 */
export function compilePerl(pattern: Uint8Array | string, options: PerlOptions = {}): Regex {
  const bytes = typeof pattern === "string" ? new TextEncoder().encode(pattern) : pattern;
  const fault = utf8Fault(bytes);
  if (fault !== undefined) throw new RegexError(fault);
  const { ignoreCase = false, whole, maxNodes = 100_000 } = options;
  const mask = whole === "line"
    ? Beside.edge
    : whole === "word"
    ? Beside.any & ~Beside.word
    : Beside.any;
  const edge = (before: number, after: number): Node =>
    whole === undefined ? empty : { type: "assert", before, after };
  const edges = [edge(mask, Beside.any), edge(Beside.any, mask)] as const;
  const symbols = symbolsOf(bytes);
  if (whole === "word") checkEnclosed(symbols, ignoreCase);
  const parsed = parsePerl(symbols, ignoreCase, edges, whole === "word");
  if (nodeCount(parsed.tree) > maxNodes) {
    throw new RegexLimitError("Regular expression too big", "maxNodes", maxNodes);
  }
  return new PerlRegex(parsed, new Pace(options.slice));
}

/** Work of a search, and of a position where no match begins. */
const CALL_COST = 40;
const PLACE_COST = 8;

/**
 * Checks the pattern as GNU grep does: it puts the pattern of -w (not that of -x) in parentheses.
 */
function checkEnclosed(symbols: readonly number[], ignoreCase: boolean): void {
  let fault: unknown;
  try {
    parsePerl(symbols, ignoreCase, [empty, empty], true);
  } catch (error) {
    fault = error;
  }
  try {
    const open = [0x28, 0x3f, 0x3a];
    parsePerl([...open, ...symbols, 0x29], ignoreCase, [empty, empty]);
  } catch (error) {
    // A construct that is only supported outside of groups.
    if (!(error instanceof UnsupportedPattern)) throw error;
    return;
  }
  if (fault instanceof RegexError && !(fault instanceof UnsupportedPattern)) {
    throw unsupported("-w with unbalanced parentheses");
  }
}

class PerlRegex extends BaseRegex {
  protected override readonly lines: LineSelector;
  readonly #parsed: PerlParsed;
  readonly #program: Program;
  readonly #registers: Int32Array;
  /** The first two registers. */
  readonly #pair: Int32Array;
  #walker: Walker | undefined;
  #bytes: Uint8Array | undefined;
  #start = 0;
  #end = 0;
  #from = 0;
  /** True if the walker has traced the text. */
  #traced = false;
  /** True if a search has paused; `#at` is then its position. */
  #paused = false;
  #at = 0;
  /** True if a walk of the match at `#at` has paused. */
  #walking = false;

  constructor(parsed: PerlParsed, pace: Pace) {
    super({ groups: parsed.groups, warnings: [], backReferences: false, steps: 0 });
    this.#parsed = parsed;
    this.#program = new Program(parsed.tree, "perl", pace, asciiWord);
    this.lines = new LineSelector(this.#program, requiredLiterals(parsed.tree));
    this.#registers = new Int32Array(2 * parsed.groups + 2);
    this.#pair = this.#registers.subarray(0, 2);
  }

  override test(bytes: Uint8Array, start: number, end: number): boolean {
    return hasMatch(this.#program, bytes, start, end);
  }

  protected override readonly search: RegexSearch = (bytes, start, end, from, fresh, all) => {
    const text = { bytes, start, end };
    const { groups, keep, stop, behind } = this.#parsed;
    const program = this.#program;
    const { pace } = program;
    const walker = this.#walker ??= new Walker(program, program.traceAll, groups + 2);
    const known = this.#bytes === bytes && this.#start === start && this.#end === end;
    if (!this.#paused || !known || this.#from !== from) {
      this.#traced &&= known && !fresh;
      this.#at = Math.max(start, from - behind);
      this.#bytes = bytes;
      this.#start = start;
      this.#end = end;
      this.#from = from;
      this.#paused = true;
      this.#walking = false;
      pace.left -= CALL_COST;
      if (pace.left < 0) pace.pause();
    }
    if (!this.#traced) walker.trace(text, start, end, false);
    this.#traced = true;
    const { now } = walker.registers;
    for (; this.#at <= end; this.#at++, pace.left -= PLACE_COST) {
      if (pace.left < 0) pace.pause();
      if (!this.#walking) {
        if (!walker.begins(this.#at)) continue;
        walker.begin();
        this.#walking = true;
      }
      const last = walker.walk(text, this.#at);
      this.#walking = false;
      const first = keep === 0 ? this.#at : now[2 * keep] as number;
      if (first < from) continue;
      this.#registers.set(now.subarray(0, 2 * groups + 2));
      this.#registers[0] = first;
      this.#registers[1] = stop === 0 ? last : now[2 * stop] as number;
      this.#paused = false;
      return all ? this.#registers : this.#pair;
    }
    this.#paused = false;
    return null;
  };
}
