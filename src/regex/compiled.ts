/**
 * Compiled patterns of POSIX syntax.
 *
 * @module
 */

import { Backtracker } from "./backtrack.ts";
import { BaseRegex, type RegexSearch } from "./base_regex.ts";
import { ByteSearch } from "./bytes.ts";
import { Captures } from "./captures.ts";
import { Ends } from "./ends.ts";
import type { Literals } from "./literal.ts";
import type { Layout } from "./layout.ts";
import { Kept, RegexPause } from "./pace.ts";
import type { Program } from "./program.ts";
import { hasMatch, Starts } from "./search.ts";
import { LineSelector } from "./select.ts";

/** Candidates to try at occurrences of the leading bytes, before all match starts are collected. */
const LED_TRIES = 3;

/** Bytes from which on it pays to try the first position separately. */
const LONG = 1024;

/** Work of a search of any length. */
const CALL_COST = 40;

/** The stages of a search, for continuing after a pause. */
const Stage = {
  /** No search has paused. */
  none: 0,
  /** Tries occurrences of the leading bytes. */
  led: 1,
  /** Tries a match at the first position. */
  here: 2,
  /** Collects the positions where matches begin. */
  collect: 3,
  /** Finds the end of the match at the first of them. */
  end: 4,
  /** Fills in sub-expressions. */
  captures: 5,
  /** Tests a line's back-references. */
  confirm: 6,
} as const;

/** A pattern of POSIX syntax, with leftmost-longest matches. */
export class CompiledRegex extends BaseRegex {
  protected override readonly lines: LineSelector;
  readonly #program: Program;
  readonly #backtracker: Backtracker | undefined;
  readonly #registers: Int32Array;
  readonly #pair = new Int32Array(2);
  #captures: Captures | undefined;
  readonly #layout: Layout | undefined;
  readonly #starts = new Starts();
  readonly #ends: Ends;
  #startsOf: Uint8Array | undefined;
  /** True while each match in the text began at the first position tried. */
  #triesHere = true;
  #startsFrom = 0;
  #startsTo = 0;
  readonly #lead: ByteSearch | undefined;
  /** True if `lead` is the whole match. */
  readonly #leadIsAll: boolean;
  /** The stage of a search, for continuing after a pause. */
  #stage: number = Stage.none;
  #paused = false;
  /** The arguments of the paused search, and the progress of {@linkcode Stage.led}. */
  #bytes: Uint8Array | undefined;
  #start = 0;
  #end = 0;
  #from = 0;
  #ledTries = 0;
  #ledAt = 0;
  /** The line that {@linkcode Stage.confirm} tests. */
  readonly #confirmed = new Kept();

  /** Every match begins with `lead`, and has its sub-expressions as `layout` says, where given. */
  constructor(
    program: Program,
    groups: number,
    backrefs: boolean,
    warnings: readonly string[],
    maxSteps: number,
    literals: readonly Literals[],
    lead?: Uint8Array,
    layout?: Layout,
  ) {
    super({ groups, warnings, backReferences: backrefs, steps: 0 });
    this.#layout = layout;
    this.#lead = lead && new ByteSearch(lead);
    this.#leadIsAll = lead !== undefined && literals[0]?.exact === true && literals[0].leads &&
      literals[0].strings[0]?.length === lead.length;
    this.#program = program;
    this.#ends = new Ends(program);
    const backtracker = backrefs ? new Backtracker(program, groups, maxSteps) : undefined;
    this.#backtracker = backtracker;
    this.#registers = new Int32Array(2 * groups + 2);
    this.lines = new LineSelector(
      program,
      literals,
      this.#leadIsAll ? this.#lead : undefined,
      backtracker && {
        test: (block, start, end) => this.#confirm(block, start, end),
      },
    );
  }

  override get steps(): number {
    return this.#backtracker?.total ?? 0;
  }

  override test(bytes: Uint8Array, start: number, end: number): boolean {
    if (this.#leadIsAll && this.#lead !== undefined) {
      return this.#lead.find(bytes, start, end) >= 0;
    }
    // With back-references, the automaton had already matched when the search paused.
    if (!this.#confirms(bytes, start, end) && !hasMatch(this.#program, bytes, start, end)) {
      return false;
    }
    return this.#backtracker === undefined || this.#confirm(bytes, start, end);
  }

  protected override readonly search: RegexSearch = (bytes, start, end, from, fresh, groups) => {
    this.#enter(bytes, start, end, from, fresh);
    try {
      if (this.#backtracker !== undefined) {
        if (!this.#backtrack(this.#backtracker, bytes, start, end, from, false)) return null;
        if (groups) return this.#registers;
        this.#pair.set(this.#registers.subarray(0, 2));
        return this.#pair;
      }
      const fills = groups && this.#stage === Stage.captures;
      if (!fills && !this.#finds(bytes, start, end, from)) return null;
      return groups && this.groups > 0 ? this.#filled(bytes, start, end) : this.#pair;
    } catch (error) {
      throw this.#left(error, bytes, start, end, from);
    }
  };

  /** The match in `#pair` with its sub-expressions. */
  #filled(bytes: Uint8Array, start: number, end: number): Int32Array {
    const registers = this.#registers;
    const [from, to] = [this.#pair[0] as number, this.#pair[1] as number];
    if (this.#layout !== undefined) {
      this.#layout.fill(from, to, registers);
      return registers;
    }
    this.#captures ??= new Captures(this.#program, this.groups);
    if (this.#stage !== Stage.captures) this.#captures.begin();
    this.#stage = Stage.captures;
    this.#captures.fill(bytes, start, end, from, to, registers);
    return registers;
  }

  /** Starts a search or continues a paused one; pauses if that is due. */
  #enter(bytes: Uint8Array, start: number, end: number, from: number, fresh: boolean): void {
    const paused = this.#paused;
    this.#paused = false;
    if (paused && this.#isCall(bytes, start, end, from)) return;
    if (fresh) this.#begin(bytes, start, end);
    this.#stage = Stage.led;
    this.#ledTries = 0;
    this.#ledAt = from;
    const { pace } = this.#program;
    pace.left -= CALL_COST;
    if (pace.left >= 0) return;
    try {
      pace.pause();
    } catch (error) {
      throw this.#left(error, bytes, start, end, from);
    }
  }

  /** Records the arguments of a search that has paused; returns the error. */
  #left(error: unknown, bytes: Uint8Array, start: number, end: number, from: number): unknown {
    if (error instanceof RegexPause) {
      this.#paused = true;
      this.#bytes = bytes;
      this.#start = start;
      this.#end = end;
      this.#from = from;
    }
    return error;
  }

  #isCall(bytes: Uint8Array, start: number, end: number, from: number): boolean {
    return this.#bytes === bytes && this.#start === start && this.#end === end &&
      this.#from === from;
  }

  /** Sets `#pair` to the first match at or after `from`, continuing at the search's stage. */
  #finds(bytes: Uint8Array, start: number, end: number, from: number): boolean {
    const pair = this.#pair;
    if (this.#stage === Stage.led) {
      const led = this.#lead && this.#findLed(this.#lead, bytes, start, end);
      if (led !== undefined) return led;
      this.#stage = Stage.here;
    }
    if (this.#stage === Stage.here) {
      if (this.#triesHere && end - from > LONG && this.#lead === undefined) {
        pair[1] = this.#ends.longest(bytes, start, end, from);
        pair[0] = from;
        if (pair[1] >= 0) return true;
        this.#triesHere = false;
      }
      this.#stage = Stage.collect;
    }
    if (this.#stage === Stage.collect) {
      this.#collect(bytes, start, end, from);
      this.#stage = Stage.end;
    }
    const { places, length } = this.#starts;
    if (length === 0) return false;
    pair[0] = places[length - 1] as number;
    pair[1] = this.#ends.longest(bytes, start, end, pair[0]);
    return true;
  }

  /**
   * Sets `#pair` to the first match, which begins at an occurrence of `lead`. `undefined` after a
   * few occurrences without a match: trying all of them may take quadratic time.
   */
  #findLed(lead: ByteSearch, bytes: Uint8Array, start: number, end: number): boolean | undefined {
    const pair = this.#pair;
    for (; this.#ledTries < LED_TRIES; this.#ledTries++) {
      const at = lead.find(bytes, this.#ledAt, end);
      if (at < 0) return false;
      this.#ledAt = at;
      const to = this.#leadIsAll
        ? at + lead.needle.length
        : this.#ends.longest(bytes, start, end, at);
      if (to >= 0) {
        pair[0] = at;
        pair[1] = to;
        return true;
      }
      this.#ledAt++;
    }
    return undefined;
  }

  /** Starts a new text. */
  #begin(bytes: Uint8Array, start: number, end: number): void {
    this.#startsOf = undefined;
    this.#ends.begin();
    this.#triesHere = true;
    this.#backtracker?.begin(bytes, start, end);
  }

  /** Sets `#starts` to the match starts at or after `from`. */
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

  /** True if a test of this line's back-references has paused. */
  #confirms(bytes: Uint8Array, start: number, end: number): boolean {
    return this.#stage === Stage.confirm && this.#confirmed.holds(bytes, start, end);
  }

  /** True if the line `bytes[start..end)` matches with its back-references. */
  #confirm(bytes: Uint8Array, start: number, end: number): boolean {
    const backtracker = this.#backtracker;
    if (backtracker === undefined) return false;
    this.#paused = false;
    if (!this.#confirms(bytes, start, end)) {
      this.#begin(bytes, start, end);
      this.#confirmed.keep(bytes, start, end, start, 0, 0);
      this.#bytes = bytes;
      this.#start = start;
      this.#end = end;
      this.#stage = Stage.confirm;
    }
    // The line may come as another view of the same buffer; offsets refer to the first one.
    const line = this.#bytes ?? bytes;
    return this.#backtrack(backtracker, line, this.#start, this.#end, this.#start, true);
  }

  /**
   * Finds the first match with its back-references. With `first`, any of the matches from there.
   */
  #backtrack(
    backtracker: Backtracker,
    bytes: Uint8Array,
    start: number,
    end: number,
    from: number,
    first: boolean,
  ): boolean {
    const starts = this.#starts;
    this.#collect(bytes, start, end, from);
    for (; starts.length > 0; starts.length--) {
      const at = starts.places[starts.length - 1] as number;
      if (!backtracker.match(at, this.#registers, first)) continue;
      this.#stage = Stage.none;
      return true;
    }
    this.#stage = Stage.none;
    return false;
  }
}
