/**
 * Compiled patterns of POSIX syntax.
 *
 * @module
 */

import { Backtracker } from "./backtrack.ts";
import { ByteSearch } from "./bytes.ts";
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

/** From so many bytes on a look at the first place saves more than it costs. */
const LONG = 1024;

/** A pattern of POSIX syntax: leftmost-longest matches. */
export class CompiledRegex implements Regex {
  readonly groups: number;
  readonly warnings: readonly string[];
  readonly backReferences: boolean;
  readonly #program: Program;
  readonly #backtracker: Backtracker | undefined;
  readonly #registers: Int32Array;
  readonly #pair = new Int32Array(2);
  #captures: Captures | undefined;
  readonly #starts = new Starts();
  readonly #ends: Ends;
  #startsOf: Uint8Array | undefined;
  /** Whether all matches in the text so far began where they were looked for first. */
  #triesHere = true;
  #startsFrom = 0;
  #startsTo = 0;
  readonly #selector: LineSelector;
  readonly #lead: ByteSearch | undefined;
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
    this.#lead = lead && new ByteSearch(lead);
    this.#leadIsAll = lead !== undefined && literals[0]?.exact === true && literals[0].leads &&
      literals[0].strings[0]?.length === lead.length;
    this.#program = program;
    this.#ends = new Ends(program);
    this.groups = groups;
    this.warnings = warnings;
    this.backReferences = backrefs;
    const backtracker = backrefs ? new Backtracker(program, groups, maxSteps) : undefined;
    this.#backtracker = backtracker;
    this.#registers = new Int32Array(2 * groups + 2);
    this.#selector = new LineSelector(
      program,
      literals,
      this.#leadIsAll ? this.#lead : undefined,
      backtracker && {
        get steps() {
          return backtracker.total;
        },
        matches: (block, start, end) => this.#backtrack(block, start, end, start, true),
      },
    );
  }

  get steps(): number {
    return this.#backtracker?.total ?? 0;
  }

  test(bytes: Uint8Array, start: number, end: number): boolean {
    if (this.#leadIsAll && this.#lead !== undefined) {
      return this.#lead.find(bytes, start, end) >= 0;
    }
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
    if (fresh) this.#begin();
    const pair = this.#pair;
    if (this.#backtracker !== undefined) {
      if (!this.#referred(bytes, start, end, from)) return null;
      pair.set(this.#registers.subarray(0, 2));
      return pair;
    }
    const led = this.#lead && this.#findLed(this.#lead, bytes, start, end, from);
    if (led !== undefined) return led;
    if (this.#triesHere && end - from > LONG && this.#lead === undefined) {
      pair[1] = this.#ends.longest(bytes, start, end, from);
      pair[0] = from;
      if (pair[1] >= 0) return pair;
      this.#triesHere = false;
    }
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
      if (fresh) this.#begin();
      return this.#referred(bytes, start, end, from) ? registers : null;
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
    lead: ByteSearch,
    bytes: Uint8Array,
    start: number,
    end: number,
    from: number,
  ): Int32Array | null | undefined {
    const pair = this.#pair;
    let at = from;
    for (let tries = 0; tries < LED_TRIES; tries++) {
      at = lead.find(bytes, at, end);
      if (at < 0) return null;
      const to = this.#leadIsAll
        ? at + lead.needle.length
        : this.#ends.longest(bytes, start, end, at);
      if (to >= 0) {
        pair[0] = at;
        pair[1] = to;
        return pair;
      }
      at++;
    }
    return undefined;
  }

  /** Begins a new text. */
  #begin(): void {
    this.#startsOf = undefined;
    this.#ends.begin();
    this.#triesHere = true;
  }

  /** Finds the first match of a pattern with back-references at `from` or later. */
  #referred(bytes: Uint8Array, start: number, end: number, from: number): boolean {
    if (this.#triesHere && this.#backtracker !== undefined) {
      this.#backtracker.begin(bytes, start, end);
      if (
        this.#ends.longest(bytes, start, end, from) >= 0 &&
        this.#backtracker.match(from, this.#registers, false)
      ) return true;
      this.#triesHere = false;
    }
    return this.#backtrack(bytes, start, end, from, false);
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
