import { nextSymbol, type Regex } from "../regex/mod.ts";
import type { Chunk } from "../streams/mod.ts";
import type { Substitution } from "./sed_program.ts";
import { appendReplacement } from "./sed_replace.ts";
import { Space } from "./_space.ts";

/** Where the text stands that matches are replaced in: `bytes[start..end)`. */
interface Text {
  readonly bytes: Chunk;
  readonly start: number;
  readonly end: number;
}

/**
 * Adds `text` to `into` with its matches replaced, up to the last of them. No match begins before
 * `from`; what stands before `done` has already been added. Returns up to where the text has been
 * added, or -1 where nothing was replaced and added.
 */
export function replaceMatches(
  into: Space,
  { bytes, start, end }: Text,
  regex: Regex,
  { replacement, global, nth }: Substitution,
  from: number,
  done: number,
): number {
  const needsGroups = replacement.groups > 0;
  const find = (at: number, fresh: boolean) =>
    needsGroups
      ? regex.exec(bytes, start, end, at, fresh)
      : regex.find(bytes, start, end, at, fresh);
  let count = 0;
  let replaced = -1;
  let previousEnd = -1;
  for (let registers = find(from, true); registers !== null;) {
    const first = registers[0] as number;
    const last = registers[1] as number;
    const empty = first === last;
    // An empty match right behind a match is none.
    if (!empty || first !== previousEnd) {
      count++;
      if (count >= nth) {
        into.append(bytes, replaced < 0 ? done : replaced, first);
        appendReplacement(into, replacement, bytes, registers);
        replaced = last;
        if (!global) break;
      }
    }
    previousEnd = last;
    if (empty && last >= end) break;
    const next = empty ? nextSymbol(bytes, last, end) : last;
    if (next > end) break;
    registers = find(next, false);
  }
  return replaced;
}

/** Runs `s` on the pattern space. Keeps the memory in which results are put together. */
export class Substituter {
  readonly #result: Space;

  /** Makes one whose results may have `most` bytes. */
  constructor(most: number) {
    this.#result = new Space(256, most);
  }

  /** Replaces matches in the pattern space; says whether any was replaced. */
  substitute(pattern: Space, regex: Regex, substitution: Substitution): boolean {
    const result = this.#result;
    result.clear();
    const { bytes, start, end } = pattern;
    const done = replaceMatches(result, pattern, regex, substitution, start, start);
    if (done < 0) return false;
    result.append(bytes, done, end);
    pattern.takeFrom(result);
    return true;
  }
}
