/**
 * Compiled patterns of POSIX syntax.
 *
 * @module
 */

import { Backtracker } from "./backtrack.ts";
import { Captures } from "./captures.ts";
import { Ends } from "./ends.ts";
import type { LineSet } from "./lines.ts";
import type { Literals } from "./literal.ts";
import type { Program } from "./program.ts";
import type { Regex } from "./regex.ts";
import { hasMatch, Starts } from "./search.ts";
import { LineSelector } from "./select.ts";

/** So often a match is looked for where its first bytes stand, before all places are found. */
const LED_TRIES = 3;

/** Where `needle` stands in `bytes[from..end)`, or -1. */
function placeOf(needle: Uint8Array, bytes: Uint8Array, from: number, end: number): number {
  const first = needle[0] as number;
  const last = end - needle.length;
  for (let at = from; at <= last; at++) {
    if (bytes[at] !== first) continue;
    let i = 1;
    while (i < needle.length && bytes[at + i] === needle[i]) i++;
    if (i === needle.length) return at;
  }
  return -1;
}

/** A pattern of POSIX syntax: leftmost-longest matches. */
export class CompiledRegex implements Regex {
  readonly groups: number;
  readonly warnings: readonly string[];
  readonly #program: Program;
  readonly #backtracker: Backtracker | undefined;
  readonly #registers: Int32Array;
  readonly #pair = new Int32Array(2);
  #captures: Captures | undefined;
  readonly #starts = new Starts();
  readonly #ends: Ends;
  #startsOf: Uint8Array | undefined;
  #startsFrom = 0;
  #startsTo = 0;
  readonly #selector: LineSelector;
  readonly #lead: Uint8Array | undefined;
  /** Whether `lead` is the whole match. */
  readonly #leadIsAll: boolean;

  /** Every match begins with `lead`, if there is one. */
  constructor(
    program: Program,
    groups: number,
    backrefs: boolean,
    warnings: readonly string[],
    maxSteps: number,
    literals: readonly Literals[],
    lead?: Uint8Array,
  ) {
    this.#lead = lead;
    this.#leadIsAll = lead !== undefined && literals[0]?.exact === true && literals[0].leads &&
      literals[0].strings[0]?.length === lead.length;
    this.#program = program;
    this.#ends = new Ends(program);
    this.groups = groups;
    this.warnings = warnings;
    this.#backtracker = backrefs ? new Backtracker(program, groups, maxSteps) : undefined;
    this.#registers = new Int32Array(2 * groups + 2);
    this.#selector = new LineSelector(
      program,
      literals,
      backrefs ? (block, start, end) => this.#backtrack(block, start, end, start, true) : undefined,
    );
  }

  test(bytes: Uint8Array, start: number, end: number): boolean {
    if (!hasMatch(this.#program, bytes, start, end, start)) return false;
    return this.#backtracker === undefined || this.#backtrack(bytes, start, end, start, true);
  }

  find(
    bytes: Uint8Array,
    start: number,
    end: number,
    from: number = start,
    fresh: boolean = from === start,
  ): Int32Array | null {
    if (fresh) {
      this.#startsOf = undefined;
      this.#ends.begin();
    }
    const pair = this.#pair;
    if (this.#backtracker !== undefined) {
      if (!this.#backtrack(bytes, start, end, from, false)) return null;
      pair.set(this.#registers.subarray(0, 2));
      return pair;
    }
    const led = this.#lead && this.#findLed(this.#lead, bytes, start, end, from);
    if (led !== undefined) return led;
    this.#collect(bytes, start, end, from);
    const { places, length } = this.#starts;
    if (length === 0) return null;
    pair[0] = places[length - 1] as number;
    pair[1] = this.#ends.longest(bytes, start, end, pair[0]);
    return pair;
  }

  exec(
    bytes: Uint8Array,
    start: number,
    end: number,
    from: number = start,
    fresh: boolean = from === start,
  ): Int32Array | null {
    const registers = this.#registers;
    if (this.#backtracker !== undefined) {
      if (fresh) this.#startsOf = undefined;
      return this.#backtrack(bytes, start, end, from, false) ? registers : null;
    }
    const pair = this.find(bytes, start, end, from, fresh);
    if (pair === null || this.groups === 0) return pair;
    this.#captures ??= new Captures(this.#program, this.groups);
    this.#captures.fill(bytes, start, end, pair[0] as number, pair[1] as number, registers);
    return registers;
  }

  matchingLines(
    block: Uint8Array,
    start: number,
    end: number,
    separator: number,
    invert: boolean,
  ): LineSet {
    return this.#selector.select(block, start, end, separator, invert);
  }

  likelyLines(block: Uint8Array, start: number, end: number, separator: number): LineSet {
    return this.#selector.likely(block, start, end, separator);
  }

  /**
   * The first match at `from` or later: where `lead` stands. `undefined` where that did not lead to
   * a match a few times: to go on like this may take quadratic time.
   */
  #findLed(
    lead: Uint8Array,
    bytes: Uint8Array,
    start: number,
    end: number,
    from: number,
  ): Int32Array | null | undefined {
    const pair = this.#pair;
    let at = from;
    for (let tries = 0; tries < LED_TRIES; tries++) {
      at = placeOf(lead, bytes, at, end);
      if (at < 0) return null;
      const to = this.#leadIsAll ? at + lead.length : this.#ends.longest(bytes, start, end, at);
      if (to >= 0) {
        pair[0] = at;
        pair[1] = to;
        return pair;
      }
      at++;
    }
    return undefined;
  }

  /** Makes `#starts` those at `from` and later. */
  #collect(bytes: Uint8Array, start: number, end: number, from: number): void {
    const starts = this.#starts;
    const known = this.#startsOf === bytes && this.#startsFrom === start &&
      this.#startsTo === end;
    if (!known) {
      starts.collect(this.#program, bytes, start, end);
      this.#startsOf = bytes;
      this.#startsFrom = start;
      this.#startsTo = end;
    }
    while (starts.length > 0 && (starts.places[starts.length - 1] as number) < from) {
      starts.length--;
    }
  }

  #backtrack(bytes: Uint8Array, start: number, end: number, from: number, first: boolean): boolean {
    const backtracker = this.#backtracker;
    if (backtracker === undefined) return false;
    this.#collect(bytes, start, end, from);
    backtracker.begin(bytes, start, end);
    const starts = this.#starts;
    for (; starts.length > 0; starts.length--) {
      const at = starts.places[starts.length - 1] as number;
      if (backtracker.match(at, this.#registers, first)) return true;
    }
    return false;
  }
}
