/**
 * Converts a syntax tree to a nondeterministic automaton (Thompson's construction).
 *
 * @module
 */

import type { Node, RepeatNode, WordsNode } from "./ast.ts";
import type { CharSet } from "./charset.ts";

/** Kinds of states. */
export const Kind = {
  /** Reads one symbol of set `arg`. */
  read: 0,
  /** Continues at `out1`, or else at `out2`. */
  split: 1,
  /** Continues if both neighbours fit: `before | after << 4`. */
  assert: 2,
  /** Sub-expression `arg` starts. */
  open: 3,
  /** Sub-expression `arg` ends. */
  close: 4,
  /** Sub-expression `arg`, which a repetition makes optional, ends. */
  closeOptional: 5,
  /** Matches the text of sub-expression `arg >> 1` again; an odd `arg` ignores case. */
  backref: 6,
  /** The whole expression matched. */
  accept: 7,
} as const;

/** States as parallel arrays; the entry state is `start`. */
export interface Nfa {
  readonly kind: readonly number[];
  readonly arg: readonly number[];
  readonly out1: readonly number[];
  readonly out2: readonly number[];
  readonly sets: readonly CharSet[];
  readonly start: number;
  readonly accept: number;
}

/** The implementation whose rules choose among several ways to match. */
export type Order = "glibc" | "perl";

/** Builds the automaton; without `captures` it has no states for sub-expressions. */
export function buildNfa(tree: Node, captures: boolean, order: Order): Nfa {
  return new Builder(captures, order).build(tree);
}

class Builder {
  readonly #captures: boolean;
  readonly #order: Order;
  readonly #kind: number[] = [];
  readonly #arg: number[] = [];
  readonly #out1: number[] = [];
  readonly #out2: number[] = [];
  readonly #sets: CharSet[] = [];
  readonly #setIds = new Map<string, number>();
  readonly #knownSets = new Map<CharSet, number>();

  constructor(captures: boolean, order: Order) {
    this.#captures = captures;
    this.#order = order;
  }

  build(tree: Node): Nfa {
    const accept = this.#state(Kind.accept, 0, -1);
    const start = this.#node(tree, accept, false, false);
    return {
      kind: this.#kind,
      arg: this.#arg,
      out1: this.#out1,
      out2: this.#out2,
      sets: this.#sets,
      start,
      accept,
    };
  }

  #state(kind: number, arg: number, out1: number, out2 = -1): number {
    this.#arg.push(arg);
    this.#out1.push(out1);
    this.#out2.push(out2);
    return this.#kind.push(kind) - 1;
  }

  #setId(set: CharSet): number {
    let id = this.#knownSets.get(set);
    if (id !== undefined) return id;
    const key = set.join();
    id = this.#setIds.get(key);
    if (id === undefined) {
      id = this.#sets.push(set) - 1;
      this.#setIds.set(key, id);
    }
    this.#knownSets.set(set, id);
    return id;
  }

  /**
   * Returns the entry state of `node`, which continues at `next`. `optional`: a repetition may skip
   * it. `copy`: it was expanded from an interval; in glibc a copy has no optional parts.
   */
  #node(node: Node, next: number, optional: boolean, copy: boolean): number {
    switch (node.type) {
      case "empty":
        return next;
      case "set":
        return this.#state(Kind.read, this.#setId(node.set), next);
      case "assert":
        return this.#state(Kind.assert, node.before | node.after << 4, next);
      case "backref":
        return this.#state(Kind.backref, node.index << 1 | (node.ignoreCase ? 1 : 0), next);
      case "cat": {
        let at = next;
        for (let i = node.items.length - 1; i >= 0; i--) {
          at = this.#node(node.items[i] as Node, at, false, copy);
        }
        return at;
      }
      case "alt":
        return this.#alternatives(node.items, next, copy);
      case "group": {
        if (!this.#captures) return this.#node(node.item, next, false, copy);
        const drops = optional && this.#order === "glibc";
        const kind = drops ? Kind.closeOptional : Kind.close;
        const close = this.#state(kind, node.index, next);
        return this.#state(Kind.open, node.index, this.#node(node.item, close, false, copy));
      }
      case "repeat":
        return this.#repeat(node, next, copy);
      case "words":
        return this.#words(node, next);
    }
  }

  #alternatives(items: readonly Node[], next: number, copy: boolean): number {
    const order = [...items];
    const [first, second] = order;
    const swaps = this.#order === "glibc" && first?.type === "empty";
    if (swaps && second !== undefined && second.type !== "empty") {
      order[0] = second;
      order[1] = first;
    }
    let at = -1;
    for (let i = order.length - 1; i >= 0; i--) {
      const branch = this.#node(order[i] as Node, next, false, copy);
      at = at < 0 ? branch : this.#state(Kind.split, 0, branch, at);
    }
    return at;
  }

  /** `x{n,m}` as n times x, then the optional ones nested to the left, as in glibc. */
  #repeat(node: RepeatNode, next: number, copy: boolean): number {
    const { item, min, max } = node;
    let at = next;
    if (max < 0) {
      const loop = this.#state(Kind.split, 0, -1, next);
      this.#out1[loop] = this.#node(item, loop, !copy, copy || min > 0);
      // A loop around nothing would never end.
      if (this.#out1[loop] === loop) this.#out1[loop] = next;
      if (node.lazy === true) this.#swap(loop);
      at = loop;
    } else {
      let outer = -1;
      let inner = -1;
      const splits: number[] = [];
      for (let i = max; i > min; i--) {
        const split = this.#state(Kind.split, 0, -1, at);
        if (outer < 0) outer = split;
        else this.#out1[inner] = split;
        const leftmost = i === min + 1;
        at = this.#node(item, at, leftmost && !copy, copy || min > 0 || !leftmost);
        this.#out1[split] = at;
        inner = split;
        splits.push(split);
      }
      if (node.lazy === true) splits.forEach((split) => this.#swap(split));
      if (outer >= 0) at = outer;
    }
    for (let i = min; i > 0; i--) at = this.#node(item, at, false, copy || i > 1);
    return at;
  }

  #swap(split: number): void {
    const first = this.#out1[split] as number;
    this.#out1[split] = this.#out2[split] as number;
    this.#out2[split] = first;
  }

  /** Builds a trie, so that words share their prefixes. */
  #words(node: WordsNode, next: number): number {
    const children: Map<number, number>[] = [new Map()];
    const ends: boolean[] = [false];
    for (const word of node.words) {
      let at = 0;
      for (const set of word) {
        const id = this.#setId(set);
        const known = children[at] as Map<number, number>;
        let child = known.get(id);
        if (child === undefined) {
          child = children.push(new Map()) - 1;
          ends.push(false);
          known.set(id, child);
        }
        at = child;
      }
      ends[at] = true;
    }
    const entry: number[] = [];
    for (let i = children.length - 1; i >= 0; i--) {
      let at = ends[i] ? next : -1;
      for (const [set, child] of children[i] as Map<number, number>) {
        const read = this.#state(Kind.read, set, entry[child] as number);
        at = at < 0 ? read : this.#state(Kind.split, 0, read, at);
      }
      entry[i] = at;
    }
    return entry[0] as number;
  }
}
