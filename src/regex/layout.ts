/**
 * Sub-expressions whose place follows from where a match begins and ends, as in `user=([0-9]+);`:
 * what stands before each of their bounds, or after it, always has the same length.
 *
 * @module
 */

import type { Node } from "./ast.ts";
import { type CharSet, INVALID } from "./charset.ts";
import { symbolLength } from "./utf8.ts";

/** A place in a match. */
interface Place {
  /** Whether it is so many bytes before the match's end, and not after its beginning. */
  readonly fromEnd: boolean;
  /** The number of bytes. */
  readonly distance: number;
}

const BEGINNING: Place = { fromEnd: false, distance: 0 };
const END: Place = { fromEnd: true, distance: 0 };

/** Where the sub-expressions of every match stand. */
export class Layout {
  /** What each bound is away from the match's beginning or end. */
  readonly #offsets: Int32Array;
  /** 1 for those that count from the end. */
  readonly #fromEnd: Uint8Array;

  private constructor(places: readonly Place[]) {
    this.#offsets = Int32Array.from(
      places,
      ({ fromEnd, distance }) => fromEnd ? -distance : distance,
    );
    this.#fromEnd = Uint8Array.from(places, ({ fromEnd }) => fromEnd ? 1 : 0);
  }

  /** The layout of a pattern with `groups` sub-expressions; `undefined` where it has none. */
  static of(tree: Node, groups: number): Layout | undefined {
    const places: Place[] = [BEGINNING, END];
    if (groups === 0 || !find(tree, BEGINNING, END, places)) return undefined;
    for (let i = 0; i < 2 * groups + 2; i++) if (places[i] === undefined) return undefined;
    return new Layout(places);
  }

  /** Puts the registers of a match `from..to` into `out`. */
  fill(from: number, to: number, out: Int32Array): void {
    const offsets = this.#offsets;
    for (let i = 0; i < offsets.length; i++) {
      out[i] = (offsets[i] as number) + (this.#fromEnd[i] === 1 ? to : from);
    }
  }
}

/**
 * Notes where the groups within `node` stand, which begins at `start` and ends at `end`. Says
 * whether it knows that of all of them.
 */
function find(node: Node, start: Place | undefined, end: Place | undefined, out: Place[]): boolean {
  switch (node.type) {
    case "group":
      if (start === undefined || end === undefined) return false;
      out[2 * node.index] = start;
      out[2 * node.index + 1] = end;
      return find(node.item, start, end, out);
    case "cat":
      return findInSequence(node.items, start, end, out);
    case "alt":
      return !node.items.some(hasGroups);
    case "repeat":
      return !hasGroups(node.item);
    case "backref":
      return false;
    default:
      return true;
  }
}

function findInSequence(
  items: readonly Node[],
  start: Place | undefined,
  end: Place | undefined,
  out: Place[],
): boolean {
  const lengths = items.map(lengthOf);
  // Where each item begins, as far as that follows from the start, or else from the end.
  const bounds: (Place | undefined)[] = [start];
  for (const length of lengths) bounds.push(moved(bounds.at(-1), length));
  let place = end;
  for (let i = items.length; i >= 0; i--) {
    bounds[i] ??= place;
    const length = lengths[i - 1];
    place = moved(place, length === undefined ? undefined : -length);
  }
  return items.every((item, i) => find(item, bounds[i], bounds[i + 1], out));
}

/** The place that is so many bytes further on. */
function moved(place: Place | undefined, by: number | undefined): Place | undefined {
  if (place === undefined || by === undefined) return undefined;
  const { fromEnd, distance } = place;
  return { fromEnd, distance: fromEnd ? distance - by : distance + by };
}

function hasGroups(node: Node): boolean {
  switch (node.type) {
    case "group":
      return true;
    case "cat":
    case "alt":
      return node.items.some(hasGroups);
    case "repeat":
      return hasGroups(node.item);
    default:
      return false;
  }
}

/** How many bytes a node matches, if that is always the same. */
function lengthOf(node: Node): number | undefined {
  switch (node.type) {
    case "set":
      return lengthOfSet(node.set);
    case "empty":
    case "assert":
      return 0;
    case "group":
      return lengthOf(node.item);
    case "cat":
      return sum(node.items.map(lengthOf));
    case "alt":
      return same(node.items.map(lengthOf));
    case "words":
      return same(node.words.map((word) => sum(word.map(lengthOfSet))));
    case "repeat": {
      const length = lengthOf(node.item);
      return length === 0 || node.min === node.max ? times(length, node.min) : undefined;
    }
    case "backref":
      return undefined;
  }
}

function lengthOfSet(set: CharSet): number | undefined {
  const lengths: (number | undefined)[] = [];
  for (let i = 0; i + 1 < set.length; i += 2) {
    const [first, last] = [set[i] as number, set[i + 1] as number];
    const crosses = first < INVALID && last >= INVALID;
    lengths.push(crosses ? undefined : symbolLength(first), symbolLength(last));
  }
  return same(lengths);
}

function times(length: number | undefined, count: number): number | undefined {
  return length === undefined ? undefined : length * count;
}

function sum(lengths: readonly (number | undefined)[]): number | undefined {
  let total = 0;
  for (const length of lengths) {
    if (length === undefined) return undefined;
    total += length;
  }
  return total;
}

function same(lengths: readonly (number | undefined)[]): number | undefined {
  const [first] = lengths;
  return lengths.every((length) => length === first) ? first : undefined;
}
