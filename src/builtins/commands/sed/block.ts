import { type Regex, RegexPause } from "../../../regex/mod.ts";
import type { Chunk } from "../../../streams/mod.ts";
import { MAX_LINE, Space } from "../../text/mod.ts";
import { AnchorRegex } from "./anchor.ts";
import type { LineCursor } from "./cursor.ts";
import type { SedOutput } from "./output.ts";
import type { SedOptions, SedProgram, Substitution } from "./program.ts";
import { appendReplacement } from "./replace.ts";
import { replaceMatches } from "./substituter.ts";

/** Bytes processed at a time. */
const PIECE = 64 * 1024;
/** Longer pieces, which contain long lines, are not processed here: each line may take long. */
const LONGEST = 4 * PIECE;
/** After a slow piece, this many lines are processed one by one. */
const REST = 16;

interface Step {
  readonly regex: Regex;
  readonly substitution: Substitution;
  /** The text that is inserted at an anchor in each line. */
  readonly text: Chunk | undefined;
}

/**
 * Runs a script of only `s` commands on whole blocks: text between two matches is copied at once,
 * even across lines. With `-n` it runs a single `s` with `p`.
 */
export class BlockSubstituter {
  readonly #steps: readonly Step[];
  readonly #separator: number;
  readonly #quiet: boolean;
  #rest = 0;
  readonly #between = [new Space(4096, MAX_LINE), new Space(4096, MAX_LINE)] as const;

  private constructor(steps: readonly Step[], separator: number, quiet: boolean) {
    this.#steps = steps;
    this.#separator = separator;
    this.#quiet = quiet;
  }

  /** Creates a runner; `undefined` if lines must be processed one by one. */
  static of(program: SedProgram, options: SedOptions): BlockSubstituter | undefined {
    const { commands } = program;
    const quiet = options.quiet || program.silent;
    if (commands.length === 0 || quiet && commands.length > 1) return undefined;
    const steps: Step[] = [];
    for (const { name, from, substitution } of commands) {
      if (name !== "s" || from !== undefined || substitution?.regex === undefined) return undefined;
      const { regex: { regex }, replacement, print, output } = substitution;
      // After a replacement with a newline, the pattern space has several lines.
      const breaks = replacement.parts.some((part) =>
        part.type === "text" && part.bytes.includes(options.separator)
      );
      // A search with back-references may take long, so a whole block would need a pause.
      if (regex.backReferences) return undefined;
      if (print !== quiet || output >= 0 || breaks && commands.length > 1) return undefined;
      if (replacement.groups > regex.groups && !options.posix) return undefined;
      steps.push({ regex, substitution, text: textAt(regex, substitution) });
    }
    return new BlockSubstituter(steps, options.separator, quiet);
  }

  /** Processes lines in memory; false if there are none, or they must be processed one by one. */
  run(cursor: LineCursor, output: SedOutput): boolean {
    if (!cursor.ready) return false;
    if (this.#rest > 0) {
      this.#rest--;
      return false;
    }
    const { block, at } = cursor;
    const separator = this.#separator;
    const nominal = at + PIECE;
    const found = nominal < block.length ? block.indexOf(separator, nominal) : -1;
    const stop = found < 0 ? block.length : found + 1;
    if (stop - at > LONGEST) return false;
    const buffer = this.#quiet ? output.channel.buffer : output.begin();
    const { length } = buffer;
    try {
      this.#piece(cursor, output, stop);
    } catch (error) {
      if (!(error instanceof RegexPause)) throw error;
      // The piece is processed again line by line, where a search can continue after a pause.
      buffer.end = buffer.start + length;
      this.#rest = REST;
      return false;
    }
    cursor.at = stop;
    return true;
  }

  #piece(cursor: LineCursor, output: SedOutput, stop: number): void {
    const { block, at } = cursor;
    let bytes = block;
    let start = at;
    let end = stop;
    const last = this.#steps.length - 1;
    for (let i = 0; i < last; i++) {
      const into = this.#between[i & 1] as Space;
      into.clear();
      this.#step(this.#steps[i] as Step, bytes, start, end, into);
      ({ bytes, start, end } = into);
    }
    const step = this.#steps[last] as Step;
    if (!this.#quiet) return output.ended(this.#step(step, bytes, start, end, output.begin()));
    // An empty output must not begin a line.
    const printed = this.#between[0];
    printed.clear();
    const complete = this.#step(step, bytes, start, end, printed);
    if (printed.length === 0) return;
    output.begin().append(printed.bytes, printed.start, printed.end);
    output.ended(complete);
  }

  /**
   * Adds the lines of `bytes[start..end)` after replacement; with `-n` only lines with a
   * replacement. Returns true if the last of them has its separator.
   */
  #step(
    { regex, substitution, text: inserted }: Step,
    bytes: Chunk,
    start: number,
    end: number,
    into: Space,
  ): boolean {
    const separator = this.#separator;
    if (regex instanceof AnchorRegex && inserted !== undefined) {
      regex.insert(into, bytes, start, end, separator, inserted);
      return bytes[end - 1] === separator;
    }
    const { spans, length, places, end: seen } = regex.likelyLines(bytes, start, end, separator);
    if (seen < end) throw new RegexPause();
    let done = start;
    for (let i = 0; i < length; i += 2) {
      const line = spans[i] as number;
      const next = spans[i + 1] as number;
      const stop = bytes[next - 1] === separator ? next - 1 : next;
      const place = places === undefined ? line : places[i >> 1] as number;
      const text = { bytes, start: line, end: stop };
      const from = this.#quiet ? line : done;
      const upTo = replaceMatches(into, text, regex, substitution, place, from);
      if (upTo < 0) continue;
      done = upTo;
      if (!this.#quiet) continue;
      into.append(bytes, done, next);
      done = next;
    }
    if (!this.#quiet) into.append(bytes, done, end);
    return bytes[(this.#quiet ? done : end) - 1] === separator;
  }
}

/** The text that a substitution inserts at an anchor in each line. */
function textAt(regex: Regex, { replacement, nth }: Substitution): Chunk | undefined {
  if (!(regex instanceof AnchorRegex) || nth > 1) return undefined;
  const text = new Space();
  // The match is empty in each line.
  appendReplacement(text, replacement, new Uint8Array(0), new Int32Array(2));
  return text.bytes.slice(text.start, text.end);
}
