import { nextSymbol, type Regex } from "../regex/mod.ts";
import type { Substitution } from "./sed_program.ts";
import { appendReplacement } from "./sed_replace.ts";
import { Space } from "./_space.ts";

/** Runs `s`. Keeps the memory in which results are put together. */
export class Substituter {
  readonly #result = new Space();

  /** Replaces matches in the pattern space; says whether any was replaced. */
  substitute(pattern: Space, regex: Regex, substitution: Substitution): boolean {
    const { replacement, global, nth } = substitution;
    const { bytes, start, end } = pattern;
    const needsGroups = replacement.groups > 0;
    let registers = needsGroups ? regex.exec(bytes, start, end) : regex.find(bytes, start, end);
    if (registers === null) return false;
    const result = this.#result;
    result.clear();
    let count = 0;
    let replaced = false;
    /** Up to here all is in the result. */
    let done = start;
    let previousEnd = -1;
    while (registers !== null) {
      const from = registers[0] as number;
      const to = registers[1] as number;
      const empty = from === to;
      // An empty match right behind a match is none.
      if (!empty || from !== previousEnd) {
        count++;
        if (count >= nth) {
          result.append(bytes, done, from);
          appendReplacement(result, replacement, bytes, registers);
          done = to;
          replaced = true;
          if (!global) break;
        }
      }
      previousEnd = to;
      let next = to;
      if (empty) {
        if (to >= end) break;
        next = nextSymbol(bytes, to, end);
      }
      if (next > end) break;
      registers = needsGroups
        ? regex.exec(bytes, start, end, next)
        : regex.find(bytes, start, end, next);
    }
    if (!replaced) return false;
    result.append(bytes, done, end);
    pattern.takeFrom(result);
    return true;
  }
}
