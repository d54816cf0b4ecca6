/**
 * An automaton as labelled edges that can be followed in either direction.
 *
 * @module
 */

import { Beside } from "./ast.ts";
import { Kind, type Nfa } from "./nfa.ts";

/**
 * Edges of one kind. Those from state `q` have the indices from `index[q]` to `index[q + 1] - 1`.
 */
export interface Edges {
  readonly index: Int32Array;
  readonly to: Int32Array;
  /** Set of an edge that reads; `behind | ahead << 4` of one with an assertion; otherwise 0. */
  readonly label: Int32Array;
}

/** States `0..size-1` with edges that read nothing, read a symbol, or check an assertion. */
export interface Graph {
  readonly size: number;
  readonly entry: number;
  readonly final: number;
  readonly free: Edges;
  readonly reads: Edges;
  readonly asserts: Edges;
  readonly hasAsserts: boolean;
}

type EdgeList = [from: number, to: number, label: number][];

/**
 * The graph of an automaton, forwards or backwards. Back-references are widened to "any text", so
 * the graph accepts at least what the automaton does. `anySet` is the id of the set of all symbols.
 */
export function graphOf(nfa: Nfa, anySet: number, backwards: boolean): Graph {
  const free: EdgeList = [];
  const reads: EdgeList = [];
  const asserts: EdgeList = [];
  const size = nfa.kind.length;
  for (let q = 0; q < size; q++) {
    const arg = nfa.arg[q] as number;
    const out1 = nfa.out1[q] as number;
    const out2 = nfa.out2[q] as number;
    switch (nfa.kind[q]) {
      case Kind.read:
        reads.push([q, out1, arg]);
        break;
      case Kind.assert:
        asserts.push([q, out1, arg]);
        break;
      case Kind.accept:
        break;
      case Kind.backref:
        reads.push([q, q, anySet]);
        free.push([q, out1, 0]);
        break;
      default:
        free.push([q, out1, 0]);
        if (out2 >= 0) free.push([q, out2, 0]);
    }
  }
  if (backwards) {
    for (const list of [free, reads, asserts]) {
      for (const edge of list) [edge[0], edge[1]] = [edge[1], edge[0]];
    }
    for (const edge of asserts) edge[2] = edge[2] >> 4 | (edge[2] & Beside.any) << 4;
  }
  return {
    size,
    entry: backwards ? nfa.accept : nfa.start,
    final: backwards ? nfa.start : nfa.accept,
    free: edges(free, size),
    reads: edges(reads, size),
    asserts: edges(asserts, size),
    hasAsserts: asserts.length > 0,
  };
}

function edges(list: EdgeList, size: number): Edges {
  const index = new Int32Array(size + 1);
  for (const [from] of list) index[from + 1] = (index[from + 1] as number) + 1;
  for (let q = 0; q < size; q++) index[q + 1] = (index[q + 1] as number) + (index[q] as number);
  const at = index.slice();
  const to = new Int32Array(list.length);
  const label = new Int32Array(list.length);
  for (const [from, target, mark] of list) {
    const i = at[from] as number;
    at[from] = i + 1;
    to[i] = target;
    label[i] = mark;
  }
  return { index, to, label };
}
