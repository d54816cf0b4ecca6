/**
 * Sets of a graph's states, closed under edges that read nothing.
 *
 * @module
 */

import { Beside } from "./ast.ts";
import type { Graph } from "./graph.ts";

/** One set under construction. The object is reused for the next set. */
export class Closure {
  /**
   * The members, in the first `count` items. Without `keepAll`, states with only free edges are
   * left out.
   */
  readonly list: Int32Array;
  /** Number of members. */
  count = 0;
  /** True if a member depends on the next symbol. */
  pending = false;
  readonly #graph: Graph;
  readonly #keepAll: boolean;
  readonly #mark: Uint32Array;
  readonly #stack: Int32Array;
  #generation = 0;

  constructor(graph: Graph, keepAll: boolean) {
    this.#graph = graph;
    this.#keepAll = keepAll;
    this.list = new Int32Array(graph.size);
    this.#mark = new Uint32Array(graph.size);
    this.#stack = new Int32Array(graph.size + 1);
  }

  /** Starts an empty set. */
  begin(): void {
    if (++this.#generation > 0xffff_fff0) {
      this.#mark.fill(0);
      this.#generation = 1;
    }
    this.count = 0;
    this.pending = false;
  }

  /** True if `state` was reached. */
  has(state: number): boolean {
    return this.#mark[state] === this.#generation;
  }

  /** Adds the states of a set that is already closed. */
  addAll(set: Int32Array): void {
    for (const state of set) this.#mark[state] = this.#generation;
    this.list.set(set, this.count);
    this.count += set.length;
  }

  /**
   * Adds `state` and all states that it leads to without reading. `behind` and `ahead` are bits of
   * {@linkcode Beside}; an `ahead` of 0 means not known yet.
   */
  add(state: number, behind: number, ahead: number): void {
    const mark = this.#mark;
    const generation = this.#generation;
    if (mark[state] === generation) return;
    const { free, asserts, reads, final } = this.#graph;
    const stack = this.#stack;
    let depth = 0;
    mark[state] = generation;
    stack[depth++] = state;
    while (depth > 0) {
      const q = stack[--depth] as number;
      let keep = this.#keepAll || q === final ||
        (reads.index[q] as number) < (reads.index[q + 1] as number);
      for (let e = free.index[q] as number; e < (free.index[q + 1] as number); e++) {
        const target = free.to[e] as number;
        if (mark[target] === generation) continue;
        mark[target] = generation;
        stack[depth++] = target;
      }
      for (let e = asserts.index[q] as number; e < (asserts.index[q + 1] as number); e++) {
        const label = asserts.label[e] as number;
        if ((label & behind) === 0) continue;
        if (label >> 4 !== Beside.any && (label >> 4 & ahead) === 0) {
          if (ahead !== 0) continue;
          keep = true;
          this.pending = true;
          continue;
        }
        const target = asserts.to[e] as number;
        if (mark[target] === generation) continue;
        mark[target] = generation;
        stack[depth++] = target;
      }
      if (keep) this.list[this.count++] = q;
    }
  }

  /** A hash of the members that does not depend on their order. */
  hash(): number {
    let hash = 0;
    for (let i = 0; i < this.count; i++) {
      const x = Math.imul((this.list[i] as number) + 1, 0x9e3779b1);
      hash = hash + (x ^ x >>> 15) | 0;
    }
    return hash;
  }

  /** True if the members are those of `set`. */
  equals(set: Int32Array): boolean {
    if (set.length !== this.count) return false;
    const mark = this.#mark;
    const generation = this.#generation;
    for (let i = 0; i < set.length; i++) {
      if (mark[set[i] as number] !== generation) return false;
    }
    return true;
  }
}
