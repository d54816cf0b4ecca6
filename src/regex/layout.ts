/**
 * Computes sub-expressions from the ends of a match, where their offsets are fixed. In
 * `user=([0-9]+);` the parts before and after the group have fixed lengths.
 *
 * @module
 */

import type { Node } from "./ast.ts";
import { type CharSet, INVALID } from "./charset.ts";
import { symbolLength } from "./utf8.ts";

/** A position in a match. */
interface Place {
  /** True if `distance` counts back from the match's end, false if on from its start. */
  readonly fromEnd: boolean;
  /** Distance in bytes. */
  readonly distance: number;
}

const BEGINNING: Place = { fromEnd: false, distance: 0 };
const END: Place = { fromEnd: true, distance: 0 };

/** The fixed offsets of a pattern's sub-expressions. */
export class Layout {
  /** Offset of each bound from the match's start or end. */
  readonly #offsets: Int32Array;
  /** 1 for the offsets from the end. */
  readonly #fromEnd: Uint8Array;

  private constructor(places: readonly Place[]) {
    this.#offsets = Int32Array.from(
      places,
      ({ fromEnd, distance }) => fromEnd ? -distance : distance,
    );
    this.#fromEnd = Uint8Array.from(places, ({ fromEnd }) => fromEnd ? 1 : 0);
  }

  /** The layout of a pattern with `groups` sub-expressions; `undefined` if their offsets vary. */
  static of(tree: Node, groups: number): Layout | undefined {
    const places: Place[] = [BEGINNING, END];
    if (groups === 0 || !find(tree, BEGINNING, END, places)) return undefined;
    for (let i = 0; i < 2 * groups + 2; i++) if (places[i] === undefined) return undefined;
    return new Layout(places);
  }

  /** Writes the registers of a match `from..to` to `out`. */
  fill(from: number, to: number, out: Int32Array): void {
    const offsets = this.#offsets;
    for (let i = 0; i < offsets.length; i++) {
      out[i] = (offsets[i] as number) + (this.#fromEnd[i] === 1 ? to : from);
    }
  }
}

/**
 * Records the bounds of all groups within `node`, which spans `start` to `end`. Returns false if
 * some bounds are unknown.
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
  // The start of each item, relative to the start if possible, otherwise to the end.
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

/** The position `by` bytes further. */
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

/** Number of bytes that a node matches, if it is constant. */
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
