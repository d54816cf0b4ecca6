/**
 * A deterministic automaton that is built while it reads (lazy subset construction), with a bounded
 * number of states.
 *
 * @module
 */

import type { Alphabet } from "./alphabet.ts";
import { Beside } from "./ast.ts";
import { Closure } from "./closure.ts";
import type { Graph } from "./graph.ts";
import type { Pace } from "./pace.ts";

/** The transition is not computed yet. */
export const UNKNOWN = -1;
/** A match was found; only in automata that stop there. */
export const MATCH = -2;
/** The byte is not ASCII: decode the symbol and look up its column. */
export const MORE = -3;

/** A value that no transition has. */
export const NOWHERE = -9;

/** Options of a {@linkcode Dfa}. */
export interface DfaOptions {
  /** A match may begin anywhere. */
  readonly anywhere: boolean;
  /**
   * Only the existence of a match matters. A transition is then a row's offset, {@linkcode MATCH}
   * ends the search, and the end of a text leads back to the start. Otherwise a transition is the
   * offset * 4, plus 1 if a match ends after the symbol, plus 2 if one ended before it.
   */
  readonly firstMatch: boolean;
  /** Keeps all states in the sets, for {@linkcode Dfa.closed}. */
  readonly keepAll?: boolean;
}

/** One state: the set of pattern positions that the text so far leads to. */
export interface DfaState {
  readonly set: Int32Array;
  /** The kind of the previous symbol, a bit of {@linkcode Beside}. */
  readonly behind: number;
  /** True if some positions depend on the next symbol. */
  readonly pending: boolean;
  readonly accepts: boolean;
  readonly hash: number;
  /** Sets for each kind of next symbol; see {@linkcode Dfa.closed}. */
  readonly closures: (Uint8Array | undefined)[];
}

/** See {@linkcode Dfa.idle}. */
export interface Idle {
  readonly transition: number;
  readonly stay: Uint8Array;
  readonly epoch: number;
}

/** Integers in transitions and sets at which all states are dropped. */
const budget = 1 << 21;

/** Largest graph, in states, for which the sets of {@linkcode Dfa.closed} are kept. */
export const keptSize = 2048;

/** Work of building a state: a fixed part, and one for each position examined. */
const STATE_COST = 100;
const PLACE_COST = 10;

/** A lazy DFA over the columns of an {@linkcode Alphabet}. */
export class Dfa {
  /** Rows of `stride` transitions each; replaced when it grows. */
  transitions: Int32Array;
  /** Number of columns. */
  readonly stride: number;
  /** Number of times that all states were dropped. Offsets are valid within one epoch only. */
  epoch = 0;
  readonly #graph: Graph;
  readonly #alphabet: Alphabet;
  readonly #pace: Pace;
  readonly #options: DfaOptions;
  #states: DfaState[] = [];
  #ids = new Map<number, number[]>();
  #starts = new Map<number, number>();
  #used = 0;
  #idle: Idle | undefined;
  /** The set that a transition leads to. */
  readonly #next: Closure;
  /** The set of a state once the next symbol is known. */
  readonly #resolved: Closure;
  readonly #scratch: Uint8Array;

  /** Deducts the work of building states from `pace`; pausing is up to the caller. */
  constructor(graph: Graph, alphabet: Alphabet, pace: Pace, options: DfaOptions) {
    this.#graph = graph;
    this.#alphabet = alphabet;
    this.#pace = pace;
    this.#options = options;
    this.stride = alphabet.classes + 2;
    this.transitions = new Int32Array(this.stride * 16);
    this.#next = new Closure(graph, options.keepAll === true);
    this.#resolved = new Closure(graph, options.keepAll === true);
    this.#scratch = new Uint8Array(options.keepAll === true ? graph.size : 0);
    this.#reset();
  }

  /** All states, by row / `stride`; a new list in each epoch. */
  get states(): readonly DfaState[] {
    return this.#states;
  }

  /** Number of states. */
  get size(): number {
    return this.#states.length;
  }

  #reset(): void {
    this.epoch++;
    this.#states = [];
    this.#ids = new Map();
    this.#starts = new Map();
    this.#used = 0;
    this.#next.begin();
    this.#intern(Beside.other); // row 0: nothing can match any more
    if (!this.#options.firstMatch && !this.#options.anywhere) {
      this.transitions.fill(0, 0, this.stride - 1);
    }
  }

  /** The transition into the start state, if `behind` precedes the text. */
  start(behind: number): number {
    const beside = this.#alphabet.asserts ? behind : Beside.other;
    const known = this.#starts.get(beside);
    if (known !== undefined) return known;
    this.#next.begin();
    this.#next.add(this.#graph.entry, beside, 0);
    const made = this.#intern(beside);
    this.#starts.set(beside, made);
    return made;
  }

  /**
   * The state in which most texts stay, and the bytes that keep it there (1 for each). A search may
   * skip these without a table look-up. Valid for one epoch.
   */
  get idle(): Idle {
    if (this.#idle?.epoch !== this.epoch) this.#idle = this.#findIdle();
    return this.#idle;
  }

  #findIdle(): Idle {
    const { ofByte, wideClasses } = this.#alphabet;
    const stay = new Uint8Array(256);
    const counts = new Map<number, number>();
    for (let byte = 0; byte < 0x80; byte++) {
      const column = ofByte[byte] as number;
      counts.set(column, (counts.get(column) ?? 0) + 1);
    }
    const [common = 0] = [...counts].sort((a, b) => b[1] - a[1])[0] ?? [];
    const offset = (transition: number) => this.#options.firstMatch ? transition : transition >> 2;
    const { epoch } = this;
    const none: Idle = { transition: NOWHERE, stay, epoch };
    const start = this.start(Beside.edge);
    if (start < 0) return none;
    const transition = this.next(offset(start), common);
    if (transition < 0 || !this.#options.firstMatch && (transition & 3) !== 0) return none;
    const stays = (column: number) => this.next(offset(transition), column) === transition;
    for (const column of counts.keys()) {
      if (this.epoch !== epoch) return none;
      if (!stays(column)) continue;
      for (let byte = 0; byte < 0x80; byte++) if (ofByte[byte] === column) stay[byte] = 1;
    }
    if (wideClasses?.every(stays) === true) stay.fill(1, 0x80);
    return { transition, stay, epoch: this.epoch };
  }

  /** The state that a transition leads to. */
  stateOf(transition: number): DfaState {
    const offset = this.#options.firstMatch ? transition : transition >> 2;
    return this.#states[offset / this.stride] as DfaState;
  }

  /** The transition from the row at `offset` for `column`, built if necessary. */
  next(offset: number, column: number): number {
    const known = this.transitions[offset + column] as number;
    if (known !== UNKNOWN) return known;
    const epoch = this.epoch;
    const made = this.#make(this.#states[offset / this.stride] as DfaState, column);
    if (epoch === this.epoch) this.transitions[offset + column] = made;
    return made;
  }

  #make(state: DfaState, column: number): number {
    const { classes, beside, has } = this.#alphabet;
    const { firstMatch, anywhere } = this.#options;
    const { index, to, label } = this.#graph.reads;
    const ahead = beside[column] as number;
    let source = state.set;
    let length = source.length;
    let before = 0;
    if (state.pending) {
      const resolved = this.#resolve(state, ahead);
      source = resolved.list;
      length = resolved.count;
      if (!state.accepts && resolved.has(this.#graph.final)) before = 2;
    }
    if (firstMatch && before !== 0) return MATCH;
    if (column === classes) return firstMatch ? this.start(Beside.edge) : before;
    const behind = this.#alphabet.asserts ? ahead : Beside.other;
    const following = this.#next;
    following.begin();
    for (let i = 0; i < length; i++) {
      const q = source[i] as number;
      for (let e = index[q] as number; e < (index[q + 1] as number); e++) {
        if (has[(label[e] as number) * classes + column] === 1) {
          following.add(to[e] as number, behind, 0);
        }
      }
    }
    if (anywhere) following.add(this.#graph.entry, behind, 0);
    this.#pace.left -= STATE_COST + PLACE_COST * (length + following.count);
    const made = this.#intern(behind);
    return firstMatch ? made : made | before;
  }

  /** All positions of `state` if `ahead` comes next. */
  #resolve(state: DfaState, ahead: number): Closure {
    const { index, to, label } = this.#graph.asserts;
    const resolved = this.#resolved;
    resolved.begin();
    resolved.addAll(state.set);
    for (const q of state.set) {
      for (let e = index[q] as number; e < (index[q + 1] as number); e++) {
        const mark = label[e] as number;
        if ((mark & state.behind) !== 0 && (mark >> 4 & ahead) !== 0) {
          resolved.add(to[e] as number, state.behind, ahead);
        }
      }
    }
    return resolved;
  }

  /**
   * Marks with 1 each state of the graph that `state` contains if `ahead` comes next. Valid until
   * the next call. Needs `keepAll`.
   */
  closed(state: DfaState, ahead: number): Uint8Array {
    const known = state.closures[ahead];
    if (known !== undefined) return known;
    const { list, count } = this.#resolve(state, ahead);
    const { size } = this.#graph;
    const keeps = size <= keptSize;
    const made = keeps ? new Uint8Array(size) : this.#scratch.fill(0);
    for (let i = 0; i < count; i++) made[list[i] as number] = 1;
    if (keeps) state.closures[ahead] = made;
    return made;
  }

  /** The transition to the state for the set `#next`. */
  #intern(behind: number): number {
    const following = this.#next;
    const accepts = following.has(this.#graph.final);
    if (accepts && this.#options.firstMatch) return MATCH;
    const { pending } = following;
    // If nothing depends on the next symbol, the previous one no longer matters.
    const kept = pending || this.#options.keepAll === true ? behind : Beside.other;
    const hash = following.hash() + kept;
    const bucket = this.#ids.get(hash);
    if (bucket !== undefined) {
      for (const id of bucket) {
        const state = this.#states[id] as DfaState;
        if (state.behind === kept && state.pending === pending && following.equals(state.set)) {
          return this.#encode(id, accepts);
        }
      }
    }
    return this.#encode(this.#add(kept, pending, accepts, hash), accepts);
  }

  #encode(id: number, accepts: boolean): number {
    const offset = id * this.stride;
    return this.#options.firstMatch ? offset : offset << 2 | (accepts ? 1 : 0);
  }

  #add(behind: number, pending: boolean, accepts: boolean, hash: number): number {
    const set = this.#next.list.slice(0, this.#next.count);
    this.#used += this.stride + set.length + 16;
    if (this.#used > budget && this.#states.length > 8) {
      this.#reset();
      this.#used += this.stride + set.length + 16;
    }
    const id = this.#states.length;
    this.#states.push({ set, behind, pending, accepts, hash, closures: [] });
    const bucket = this.#ids.get(hash);
    if (bucket === undefined) this.#ids.set(hash, [id]);
    else bucket.push(id);
    const offset = id * this.stride;
    if (offset + this.stride > this.transitions.length) {
      const grown = new Int32Array(this.transitions.length * 2);
      grown.set(this.transitions);
      this.transitions = grown;
    }
    this.transitions.fill(UNKNOWN, offset, offset + this.stride - 1);
    this.transitions[offset + this.stride - 1] = MORE;
    return id;
  }
}
