import type { Hunk, HunkLine } from "./_patch_parse.ts";

/** A hunk with its sides swapped. */
export function swapHunk({ first, newFirst, lines }: Hunk): Hunk {
  const swapped: HunkLine[] = [];
  // Removed lines come before added ones.
  let added: HunkLine[] = [];
  for (const { kind, text } of lines) {
    if (kind === "-") {
      added.push({ kind: "+", text });
      continue;
    }
    if (kind === " ") {
      swapped.push(...added, { kind, text });
      added = [];
    } else {
      swapped.push({ kind: "-", text });
    }
  }
  swapped.push(...added);
  return { first: newFirst, newFirst: first, lines: swapped };
}

/** Where a hunk was applied. */
export interface Placed {
  /** The line, counted from 1, of the result. */
  readonly where: number;
  readonly fuzz: number;
  readonly offset: number;
}

/** A file while hunks are applied to it, from its start to its end. */
export class PatchedFile {
  readonly #input: readonly string[];
  readonly #same: (a: string, b: string) => boolean;
  readonly #output: string[] = [];
  /** How many input lines have been put out or dropped: no hunk may touch them again. */
  #frozen = 0;
  /** How far from where they should be the last hunk was found. */
  #inOffset = 0;
  /** How many more lines the output has than the input. */
  #outOffset = 0;

  /** Starts with a file's lines; `ignoreSpace` compares white space loosely (`-l`). */
  constructor(lines: readonly string[], ignoreSpace: boolean) {
    this.#input = lines;
    const loose = (text: string): string => text.replace(/[ \t]+/g, " ").replace(/ ?\n?$/, "");
    this.#same = ignoreSpace ? (a, b) => a === b || loose(a) === loose(b) : (a, b) => a === b;
  }

  /** Finds where a hunk fits with that much fuzz: a line counted from 1, or 0. */
  locate({ first, lines }: Hunk, fuzz: number): number {
    const pattern = lines.filter(({ kind }) => kind !== "+").map(({ text }) => text);
    const [prefix, suffix] = contexts(lines);
    const context = Math.max(prefix, suffix);
    let prefixFuzz = fuzz + prefix - context;
    const suffixFuzz = fuzz + suffix - context;
    const guess = first + this.#inOffset;
    if (pattern.length === 0) return guess;
    const size = this.#input.length;
    const maxAhead = size - (pattern.length - suffixFuzz) + 1 - guess;
    const maxBack = Math.min(guess - this.#frozen - 1, guess - 1);
    const fits = (at: number, from: number, until: number): boolean => {
      for (let i = from; i < pattern.length - until; i++) {
        const line = this.#input[at - 1 + i];
        if (line === undefined || !this.#same(line, pattern[i] as string)) return false;
      }
      return true;
    };
    const found = (offset: number): number => {
      this.#inOffset += offset;
      return guess + offset;
    };
    if (prefixFuzz < 0 && first <= 1) {
      // Fits the start of the file only.
      if (suffixFuzz < 0 && (pattern.length !== size || prefix < this.#frozen)) return 0;
      const offset = 1 - guess;
      return this.#frozen <= prefix && offset <= maxAhead && fits(1, 0, Math.max(0, suffixFuzz))
        ? found(offset)
        : 0;
    }
    prefixFuzz = Math.max(0, prefixFuzz);
    if (suffixFuzz < 0) {
      // Fits the end of the file only.
      const offset = guess - (size - pattern.length + 1);
      return offset <= maxBack && fits(guess - offset, prefixFuzz, 0) ? found(-offset) : 0;
    }
    const most = Math.max(maxAhead, maxBack);
    const least = maxAhead < 0 ? -maxAhead : maxBack < 0 ? -maxBack : 0;
    for (let offset = least; offset <= most; offset++) {
      if (offset <= maxAhead && fits(guess + offset, prefixFuzz, suffixFuzz)) return found(offset);
      if (offset > 0 && offset <= maxBack && fits(guess - offset, prefixFuzz, suffixFuzz)) {
        return found(-offset);
      }
    }
    return 0;
  }

  /** Applies a hunk where it was found. */
  apply({ lines }: Hunk, where: number, fuzz: number): Placed {
    const placed = { where: where + this.#outOffset, fuzz, offset: this.#inOffset };
    let at = where;
    for (const { kind, text } of lines) {
      if (kind === " ") {
        at++;
        continue;
      }
      this.#copyUntil(at);
      if (kind === "-") {
        this.#frozen++;
        at++;
        this.#outOffset--;
      } else {
        this.#put(text);
        this.#outOffset++;
      }
    }
    return placed;
  }

  /** Where a hunk that does not fit would have been in the result. */
  wouldBe(hunk: Hunk): number {
    return hunk.first + this.#outOffset;
  }

  /** The result. */
  end(): readonly string[] {
    this.#copyUntil(this.#input.length + 1);
    return this.#output;
  }

  #put(line: string): void {
    const last = this.#output.length - 1;
    // What lacked a newline as the last line needs it when more follows.
    if (this.#output[last]?.endsWith("\n") === false) this.#output[last] += "\n";
    this.#output.push(line);
  }

  /** Puts out the input lines before line `until`, which counts from 1. */
  #copyUntil(until: number): void {
    while (this.#frozen < until - 1) {
      const line = this.#input[this.#frozen++];
      if (line !== undefined) this.#put(line);
    }
  }
}

/** How many lines of context a hunk starts and ends with. */
export function contexts(lines: readonly HunkLine[]): [number, number] {
  const changed = (line: HunkLine): boolean => line.kind !== " ";
  const first = lines.findIndex(changed);
  return first < 0
    ? [lines.length, lines.length]
    : [first, lines.length - 1 - lines.findLastIndex(changed)];
}
