import type { Regex } from "../../../regex/mod.ts";
import type { Chunk } from "../../../streams/mod.ts";
import { countNewlines } from "../../text/mod.ts";
import { AnchorRegex } from "./anchor.ts";
import type { SedInput } from "./input.ts";
import { RangeState, type SedCommand, type SedProgram } from "./program.ts";

/** With more regular expressions, the search takes longer than it saves. */
const MOST_REGEXES = 3;
/** After a block whose lines were mostly selected, this many lines run without a search. */
const REST = 16;

/**
 * Finds lines that no command of a program can select. Whole runs of them are printed, or dropped
 * with `-n`, without a cycle for each line.
 */
export class Gate {
  readonly #separator: number;
  readonly #regexes: readonly Regex[];
  /** Commands selected by line numbers. */
  readonly #numbered: readonly SedCommand[];
  readonly #selectsLast: boolean;
  /** Commands with a range, which may be active. */
  readonly #ranges: readonly SedCommand[];
  readonly #counts: boolean;
  #block: Chunk | undefined;
  #rest = 0;
  #starts: Int32Array = new Int32Array(64);
  #length = 0;
  #next = 0;

  private constructor(
    separator: number,
    regexes: readonly Regex[],
    selectors: readonly SedCommand[],
    counts: boolean,
  ) {
    this.#separator = separator;
    this.#regexes = regexes;
    this.#numbered = selectors.filter(({ from }) => from?.type === "line" || from?.type === "step");
    this.#ranges = selectors.filter(({ to }) => to !== undefined);
    this.#selectsLast = selectors.some(({ from }) => from?.type === "last");
    this.#counts = counts;
  }

  /** Creates a gate for a program; `undefined` if every line needs its cycle. */
  static of(program: SedProgram, separator: number): Gate | undefined {
    const { commands } = program;
    // A skipped line might set the last regular expression used.
    if (commands.some(usesLastRegex)) return undefined;
    const regexes = new Set<Regex>();
    const selectors: SedCommand[] = [];
    for (let i = 0; i < commands.length; i++) {
      const command = commands[i] as SedCommand;
      const { from, name, substitution } = command;
      if (command.negate) return undefined;
      if (from === undefined) {
        // A new line has no replacement yet, so t does not jump.
        if (name === "t") continue;
        if (!substitution?.regex) return undefined;
        regexes.add(substitution.regex.regex);
        continue;
      }
      if (from.type === "regex") {
        if (from.regex !== undefined) regexes.add(from.regex.regex);
      }
      selectors.push(command);
      if (name === "{") i = command.target - 1;
    }
    for (const regex of regexes) if (regex instanceof AnchorRegex) return undefined;
    if (regexes.size > MOST_REGEXES || regexes.size + selectors.length === 0) return undefined;
    // Also needed if only a command within a block uses the number.
    const counts = commands.some(({ name, from, to }) =>
      name === "=" || to !== undefined || from?.type === "line" || from?.type === "step"
    );
    return new Gate(separator, [...regexes], selectors, counts);
  }

  /**
   * Skips lines that cannot be selected, from the cursor on, within its block. Moves the cursor and
   * the line number, and returns the skipped bytes; `undefined` if there are none.
   */
  skip(input: SedInput): { readonly from: number; readonly to: number } | undefined {
    const { cursor } = input;
    const { block, at: from } = cursor;
    for (const { range } of this.#ranges) if (range === RangeState.active) return undefined;
    if (this.#block !== block && !this.#enter(block, from)) return undefined;
    const number = this.#nextNumber(input.line + 1);
    if (number === input.line + 1) return undefined;
    let limit = this.#nextMatch(from, block.length);
    if (this.#selectsLast) limit = Math.min(limit, lastLine(block, this.#separator));
    if (limit <= from) return undefined;
    let to = limit;
    if (number < Infinity) {
      to = from;
      for (let line = input.line + 1; line < number && to < limit; line++) {
        to = lineEnd(block, to, this.#separator);
      }
      input.line = to < limit ? number - 1 : input.line + this.#count(block, from, to);
    } else if (this.#counts) {
      input.line += this.#count(block, from, to);
    }
    cursor.at = to;
    return { from, to };
  }

  /** Searches a new block; false if that does not pay. */
  #enter(block: Chunk, from: number): boolean {
    if (this.#rest > 0) {
      this.#rest--;
      this.#block = undefined;
      return false;
    }
    this.#block = block;
    this.#length = 0;
    this.#next = 0;
    let selected = 0;
    for (const regex of this.#regexes) {
      // With back-references, candidate lines are faster than confirmed matches.
      const { spans, length, end } = regex.backReferences
        ? regex.likelyLines(block, from, block.length, this.#separator)
        : regex.matchingLines(block, from, block.length, this.#separator, false);
      if (end < block.length) {
        // The search takes long, so lines are tested one by one, with pauses.
        this.#rest = REST;
        this.#block = undefined;
        return false;
      }
      selected += this.#merge(spans, length);
    }
    if (selected * 2 > block.length - from) this.#rest = REST;
    return true;
  }

  /**
   * Merges the starts of spans into the known ones, in order; returns the number of bytes in the
   * spans.
   */
  #merge(spans: Int32Array, length: number): number {
    const before = this.#starts.slice(0, this.#length);
    if (this.#starts.length < this.#length + length / 2) {
      this.#starts = new Int32Array(2 * (this.#length + length));
    }
    let bytes = 0;
    let i = 0;
    this.#length = 0;
    for (let k = 0; k < length; k += 2) {
      const start = spans[k] as number;
      bytes += (spans[k + 1] as number) - start;
      while (i < before.length && (before[i] as number) < start) {
        this.#starts[this.#length++] = before[i++] as number;
      }
      if (i < before.length && before[i] === start) i++;
      this.#starts[this.#length++] = start;
    }
    while (i < before.length) this.#starts[this.#length++] = before[i++] as number;
    return bytes;
  }

  #nextMatch(from: number, end: number): number {
    while (this.#next < this.#length && (this.#starts[this.#next] as number) < from) this.#next++;
    return this.#next < this.#length ? this.#starts[this.#next] as number : end;
  }

  /** The number of the first line, from `line` on, that a line number may select. */
  #nextNumber(line: number): number {
    let next = Infinity;
    for (const command of this.#numbered) next = Math.min(next, nextNumber(command, line));
    return next;
  }

  #count(block: Chunk, from: number, to: number): number {
    if (this.#separator === 10) {
      return countNewlines(block.subarray(from, to)) + (block[to - 1] === 10 ? 0 : 1);
    }
    let lines = 0;
    for (let at = from; at < to; lines++) at = lineEnd(block, at, this.#separator);
    return lines;
  }
}

function usesLastRegex({ from, to, substitution }: SedCommand): boolean {
  return from?.type === "regex" && from.regex === undefined ||
    to?.type === "regex" && to.regex === undefined ||
    substitution !== undefined && substitution.regex === undefined;
}

function nextNumber(command: SedCommand, line: number): number {
  const { from, to, range } = command;
  if (from?.type === "line") {
    const first = from.line || 1;
    if (to !== undefined && range === RangeState.closed) return Infinity;
    if (first >= line) return first;
    return to === undefined ? Infinity : line;
  }
  if (from?.type !== "step") return Infinity;
  if (from.first >= line) return from.first;
  const past = (line - from.first) % from.step;
  return past === 0 ? line : line + from.step - past;
}

function lineEnd(block: Chunk, at: number, separator: number): number {
  const found = block.indexOf(separator, at);
  return found < 0 ? block.length : found + 1;
}

function lastLine(block: Chunk, separator: number): number {
  return block.length < 2 ? 0 : block.lastIndexOf(separator, block.length - 2) + 1;
}
