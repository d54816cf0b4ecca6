import { nextSymbol, type Regex, RegexPause } from "../../../regex/mod.ts";
import type { Chunk } from "../../../streams/mod.ts";
import type { Substitution } from "./program.ts";
import { appendReplacement } from "./replace.ts";
import { Space } from "../../text/mod.ts";

/** The text in which matches are replaced: `bytes[start..end)`. */
interface Text {
  readonly bytes: Chunk;
  readonly start: number;
  readonly end: number;
}

/** Progress of replacing the matches in a text. */
interface Progress {
  /** Start of the next search. */
  next: number;
  /** True for the first search. */
  fresh: boolean;
  /** Number of matches found. */
  count: number;
  /** End of the last replaced match, or -1. */
  replaced: number;
  /** End of the last match, or -1. */
  previousEnd: number;
}

/**
 * Appends `text` to `into` with its matches replaced, up to the end of the last one. No match
 * begins before `from`; the text before `done` was already appended. Returns the offset up to which
 * the text has been appended, or -1 if nothing was replaced.
 *
 * @throws {RegexPause} When it takes long; the same call with `progress` then continues.
 */
export function replaceMatches(
  into: Space,
  { bytes, start, end }: Text,
  regex: Regex,
  { replacement, global, nth }: Substitution,
  from: number,
  done: number,
  progress: Progress = { next: from, fresh: true, count: 0, replaced: -1, previousEnd: -1 },
): number {
  const needsGroups = replacement.groups > 0;
  let { next, fresh, count, replaced, previousEnd } = progress;
  try {
    for (;;) {
      const registers = needsGroups
        ? regex.exec(bytes, start, end, next, fresh)
        : regex.find(bytes, start, end, next, fresh);
      if (registers === null) return replaced;
      fresh = false;
      const first = registers[0] as number;
      const last = registers[1] as number;
      const empty = first === last;
      // An empty match directly after another match is ignored.
      if (!empty || first !== previousEnd) {
        count++;
        if (count >= nth) {
          into.append(bytes, replaced < 0 ? done : replaced, first);
          appendReplacement(into, replacement, bytes, registers);
          replaced = last;
          if (!global) return replaced;
        }
      }
      previousEnd = last;
      if (empty && last >= end) return replaced;
      next = empty ? nextSymbol(bytes, last, end) : last;
      if (next > end) return replaced;
    }
  } catch (error) {
    Object.assign(progress, { next, fresh, count, replaced, previousEnd });
    throw error;
  }
}

/** Runs `s` on the pattern space; reuses the memory for results. */
export class Substituter {
  readonly #result: Space;
  /** Progress of a command that has paused. */
  #progress: Progress | undefined;

  /** Creates one whose results may have up to `most` bytes. */
  constructor(most: number) {
    this.#result = new Space(256, most);
  }

  /**
   * Replaces matches in the pattern space; false if there were none.
   *
   * @throws {RegexPause} When it takes long; the same call then continues.
   */
  substitute(pattern: Space, regex: Regex, substitution: Substitution): boolean {
    const result = this.#result;
    const { bytes, start, end } = pattern;
    let progress = this.#progress;
    if (progress === undefined) result.clear();
    progress ??= { next: start, fresh: true, count: 0, replaced: -1, previousEnd: -1 };
    let done: number;
    try {
      done = replaceMatches(result, pattern, regex, substitution, start, start, progress);
    } catch (error) {
      if (error instanceof RegexPause) this.#progress = progress;
      throw error;
    }
    this.#progress = undefined;
    if (done < 0) return false;
    result.append(bytes, done, end);
    pattern.takeFrom(result);
    return true;
  }
}
