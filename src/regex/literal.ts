/**
 * Literals that every match of a pattern contains.
 *
 * @module
 */

import type { Node } from "./ast.ts";
import { type CharSet, INVALID } from "./charset.ts";

/**
 * Byte strings of which every match contains at least one, with one character a byte. A small
 * letter plus {@linkcode EITHER_CASE} stands for the letter in either case.
 */
export interface Literals {
  readonly strings: readonly string[];
  /** True if each text that contains one of them matches, so that no other test is needed. */
  readonly exact: boolean;
  /** True if there is one string and every match begins with it. */
  readonly leads: boolean;
}

/** Added to the code of a small letter that stands for both cases. */
export const EITHER_CASE = 0x100;

/** Largest number of strings to search for at once. */
const maxStrings = 4;

interface Info {
  /** All strings that the node matches, if they are few. */
  readonly all: readonly string[] | undefined;
  /** The best set of strings within the node of which every match contains one. */
  readonly best: readonly string[] | undefined;
  /** True if the match depends on the symbols next to it. */
  readonly asserts: boolean;
}

/** Largest number of literal sets to choose from. */
const maxChoices = 3;

/**
 * Sets of literals, the most selective first. Every match satisfies each set. Empty if there is no
 * useful set.
 */
export function requiredLiterals(tree: Node): readonly Literals[] {
  const { all, asserts, best } = analyse(tree);
  if (isUsable(all)) {
    return [{ strings: all, exact: !asserts, leads: all.length === 1 }];
  }
  const found = new Map<string, readonly string[]>();
  const note = (strings: readonly string[] | undefined): void => {
    if (isUsable(strings) && worth(strings) >= 0.3) found.set(strings.join("\0"), strings);
  };
  note(best);
  let inner = tree;
  while (inner.type === "group") inner = inner.item;
  if (inner.type === "cat") sequence(inner.items, note);
  const lead = leadingLiteral(tree);
  return [...found.values()].sort((a, b) => worth(b) - worth(a)).slice(0, maxChoices)
    .map((strings) => ({
      strings,
      exact: false,
      leads: strings.length === 1 && strings[0] === lead,
    }));
}

/** A string that every match begins with, found up to `depth` levels down. May be empty. */
export function leadingLiteral(tree: Node, depth = 8): string {
  const { all } = analyse(tree);
  if (all?.length === 1) return all[0] as string;
  if (depth === 0) return "";
  if (tree.type === "group") return leadingLiteral(tree.item, depth - 1);
  if (tree.type === "repeat") return tree.min > 0 ? leadingLiteral(tree.item, depth - 1) : "";
  if (tree.type !== "cat") return "";
  let text = "";
  for (const item of tree.items) {
    const next = analyse(item).all;
    if (next?.length !== 1) return text + leadingLiteral(item, depth - 1);
    text += next[0] as string;
  }
  return text;
}

/** Selectivity of a set of strings; higher is better. */
function worth(strings: readonly string[]): number {
  let least = Infinity;
  for (const text of strings) {
    let sum = 0;
    for (const char of text) sum += /[ a-z0-9]/.test(char) ? 1 : char < "\u0100" ? 1.5 : 0.8;
    least = Math.min(least, sum);
  }
  return least - 0.6 * strings.length;
}

/** True if the strings are known, not empty and few enough to search for. */
function isUsable(strings: readonly string[] | undefined): strings is readonly string[] {
  return strings !== undefined && strings.length <= maxStrings && !strings.includes("");
}

function better(
  a: readonly string[] | undefined,
  b: readonly string[] | undefined,
): readonly string[] | undefined {
  if (!isUsable(b)) return a;
  return a === undefined || worth(b) > worth(a) ? b : a;
}

function analyse(node: Node): Info {
  switch (node.type) {
    case "empty":
      return { all: [""], best: undefined, asserts: false };
    case "assert":
      return { all: [""], best: undefined, asserts: true };
    case "set":
      return ofStrings(stringsOf(node.set));
    case "group":
      return analyse(node.item);
    case "cat":
      return sequence(node.items);
    case "alt":
      return alternatives(node.items);
    case "repeat":
      return repetition(node.item, node.min, node.max);
    case "words":
      return alternatives(
        node.words.map((word) => ({
          type: "cat",
          items: word.map((set) => ({ type: "set", set })),
        })),
      );
    case "backref":
      return { all: undefined, best: undefined, asserts: true };
  }
}

function ofStrings(all: readonly string[] | undefined): Info {
  return { all, best: undefined, asserts: false };
}

/** The byte strings of a set's symbols, if they are few. */
function stringsOf(set: CharSet): readonly string[] | undefined {
  const [upper = 0, , lower = 0] = set;
  if (set.length === 4 && set[1] === upper && set[3] === lower && lower === upper + 32) {
    if (upper >= 65 && upper <= 90) return [String.fromCharCode(EITHER_CASE + lower)];
  }
  const strings: string[] = [];
  for (let i = 0; i + 1 < set.length; i += 2) {
    for (let symbol = set[i] as number; symbol <= (set[i + 1] as number); symbol++) {
      if (strings.length === maxStrings) return undefined;
      strings.push(encoded(symbol));
    }
  }
  return strings;
}

function encoded(symbol: number): string {
  if (symbol < 0x80) return String.fromCharCode(symbol);
  if (symbol >= INVALID) return String.fromCharCode(symbol - INVALID);
  const bytes = new TextEncoder().encode(String.fromCodePoint(symbol));
  return String.fromCharCode(...bytes);
}

/**
 * Analyses items in sequence. `note` receives each set of strings of which a match contains one.
 */
function sequence(
  items: readonly Node[],
  note: (strings: readonly string[] | undefined) => void = () => {},
): Info {
  let run: readonly string[] = [""];
  let whole = true;
  let best: readonly string[] | undefined;
  let asserts = false;
  for (const item of items) {
    const info = analyse(item);
    asserts ||= info.asserts;
    best = better(best, info.best);
    note(info.best);
    const { all } = info;
    if (all !== undefined && all.length * run.length <= maxStrings) {
      run = run.flatMap((start) => all.map((end) => start + end));
      continue;
    }
    best = better(best, run);
    note(run);
    whole = false;
    run = all !== undefined && all.length <= maxStrings ? all : [""];
  }
  note(run);
  return { all: whole ? run : undefined, best: better(best, run), asserts };
}

function alternatives(items: readonly Node[]): Info {
  const infos: Info[] = [];
  for (const item of items) {
    if (infos.length > maxStrings) break;
    infos.push(analyse(item));
  }
  const asserts = infos.some((info) => info.asserts);
  if (infos.length > maxStrings) return { all: undefined, best: undefined, asserts: true };
  const all: string[] = [];
  const needed: string[] = [];
  let known = true;
  let found = true;
  for (const info of infos) {
    if (info.all === undefined) known = false;
    else all.push(...info.all);
    const best = better(info.best, info.all);
    if (best === undefined) found = false;
    else needed.push(...best);
  }
  return {
    all: known && all.length <= maxStrings ? [...new Set(all)] : undefined,
    best: found && needed.length <= maxStrings ? [...new Set(needed)] : undefined,
    asserts,
  };
}

function repetition(item: Node, min: number, max: number): Info {
  const info = analyse(item);
  const { all, asserts } = info;
  if (min === 0 && max === 1 && all !== undefined && all.length < maxStrings) {
    return { all: [...new Set([...all, ""])], best: undefined, asserts };
  }
  if (min === 0) return { all: undefined, best: undefined, asserts };
  if (min === 1 && max === 1) return info;
  if (all?.length === 1 && min <= 64) {
    const text = (all[0] as string).repeat(min);
    if (min === max) return { all: [text], best: undefined, asserts };
    return { all: undefined, best: better(undefined, [text]), asserts };
  }
  return { all: undefined, best: better(info.best, all), asserts };
}
