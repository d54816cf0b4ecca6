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

/** How far the replacement of a text's matches has come. */
interface Progress {
  /** Where the next search begins. */
  next: number;
  /** Whether it is the first one. */
  fresh: boolean;
  /** Matches found. */
  count: number;
  /** Where the last match that was replaced ends, or -1. */
  replaced: number;
  /** Where the last match ends, or -1. */
  previousEnd: number;
}

/**
 * Adds `text` to `into` with its matches replaced, up to the last of them. No match begins before
 * `from`; what stands before `done` has already been added. Returns up to where the text has been
 * added, or -1 where nothing was replaced and added.
 *
 * @throws {RegexPause} When that takes long; the same call with `progress` then goes on.
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
      // An empty match directly after a match does not count.
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

/** Runs `s` on the pattern space. Keeps the memory in which results are put together. */
export class Substituter {
  readonly #result: Space;
  /** Of the command that has paused. */
  #progress: Progress | undefined;

  /** Makes one whose results may have `most` bytes. */
  constructor(most: number) {
    this.#result = new Space(256, most);
  }

  /**
   * Replaces matches in the pattern space; says whether any was replaced.
   *
   * @throws {RegexPause} When that takes long; the same call then goes on.
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
