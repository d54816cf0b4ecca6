/**
 * The automata of a compiled pattern, each built on first use.
 *
 * @module
 */

import { Alphabet, type Looks } from "./alphabet.ts";
import { Beside, type Node } from "./ast.ts";
import type { CharSet } from "./charset.ts";
import { characterClass } from "./classes.ts";
import { Dfa } from "./dfa.ts";
import { graphOf } from "./graph.ts";
import { buildNfa, Kind, type Nfa, type Order } from "./nfa.ts";
import { Kept, Pace } from "./pace.ts";
import { symbolAt, symbolBefore } from "./utf8.ts";

/** The automata of one pattern. Patterns share nothing. */
export class Program {
  /** The automaton without sub-expressions. */
  readonly nfa: Nfa;
  /** The columns of {@linkcode select}, {@linkcode starts} and {@linkcode longest}. */
  readonly alphabet: Alphabet;
  /** Decides when its searches pause. */
  readonly pace: Pace;
  /** Saved positions of a paused search of one text, and of one of a block of lines. */
  readonly kept = { text: new Kept(), lines: new Kept() };
  readonly #tree: Node;
  readonly #order: Order;
  #select: Dfa | undefined;
  #starts: Dfa | undefined;
  #longest: Dfa | undefined;
  #captureNfa: Nfa | undefined;
  #trace: Dfa | undefined;
  #traceAll: Dfa | undefined;

  /**
   * `word` is the set of word characters for assertions; default: letters, digits and `_`. Without
   * `pace` searches never pause.
   */
  constructor(tree: Node, order: Order, pace?: Pace, word?: CharSet) {
    this.pace = pace ?? new Pace();
    this.#tree = tree;
    this.#order = order;
    this.nfa = buildNfa(tree, false, order);
    this.alphabet = alphabetOf(this.nfa, word);
  }

  /** Tests if a text has a match. */
  get select(): Dfa {
    return this.#select ??= this.#dfa(false, true, true);
  }

  /** Reads backwards and finds all positions where a match begins. */
  get starts(): Dfa {
    return this.#starts ??= this.#dfa(true, true, false);
  }

  /** Finds the longest match that begins at a position. */
  get longest(): Dfa {
    return this.#longest ??= this.#dfa(false, false, false);
  }

  #dfa(backwards: boolean, anywhere: boolean, firstMatch: boolean): Dfa {
    const graph = graphOf(this.nfa, this.nfa.sets.length, backwards);
    return new Dfa(graph, this.alphabet, this.pace, { anywhere, firstMatch });
  }

  /** The automaton with sub-expressions; it has the same sets as {@linkcode nfa}. */
  get captureNfa(): Nfa {
    return this.#captureNfa ??= buildNfa(this.#tree, true, this.#order);
  }

  /**
   * Reads a match backwards and records the states of {@linkcode captureNfa} that can reach its
   * end.
   */
  get trace(): Dfa {
    return this.#trace ??= this.#tracer(false);
  }

  /** Like {@linkcode trace}, for matches that may end anywhere. */
  get traceAll(): Dfa {
    return this.#traceAll ??= this.#tracer(true);
  }

  #tracer(anywhere: boolean): Dfa {
    return new Dfa(
      graphOf(this.captureNfa, this.captureNfa.sets.length, true),
      this.alphabet,
      this.pace,
      { anywhere, firstMatch: false, keepAll: true },
    );
  }

  /** The symbol before `at`, as a bit of {@linkcode Beside}. */
  before(bytes: Uint8Array, at: number, start: number): number {
    if (!this.alphabet.asserts) return Beside.other;
    if (at <= start) return Beside.edge;
    return this.alphabet.besideSymbol(symbolBefore(bytes, at, start));
  }

  /** The symbol at `at`, as a bit of {@linkcode Beside}. */
  after(bytes: Uint8Array, at: number, end: number): number {
    if (!this.alphabet.asserts) return Beside.other;
    if (at >= end) return Beside.edge;
    return this.alphabet.besideSymbol(symbolAt(bytes, at, end));
  }
}

function alphabetOf(nfa: Nfa, word: CharSet | undefined): Alphabet {
  let asserts = false;
  const looks: { -readonly [key in keyof Looks]: boolean } = { word: false, newline: false };
  nfa.kind.forEach((kind, q) => {
    if (kind !== Kind.assert) return;
    asserts = true;
    const arg = nfa.arg[q] as number;
    for (const mask of [arg & Beside.any, arg >> 4]) {
      const plain = (mask & Beside.other) !== 0;
      if (((mask & Beside.word) !== 0) !== plain) looks.word = true;
      if (((mask & Beside.newline) !== 0) !== plain) looks.newline = true;
    }
  });
  // Most patterns need no word characters, and that table takes a millisecond to build.
  const letters = looks.word ? word ?? characterClass("word") ?? [] : [];
  return new Alphabet(nfa.sets, looks, asserts, letters);
}
