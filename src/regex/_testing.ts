/**
 * Random patterns and texts for tests.
 *
 * @module
 */

/** A small seeded generator (mulberry32). */
export class Random {
  #state: number;

  /** Numbers follow from the seed alone. */
  constructor(seed: number) {
    this.#state = seed | 0;
  }

  /** An integer from 0 to `below - 1`. */
  int(below: number): number {
    this.#state = this.#state + 0x6d2b79f5 | 0;
    let t = Math.imul(this.#state ^ this.#state >>> 15, 1 | this.#state);
    t = t + Math.imul(t ^ t >>> 7, 61 | t) ^ t;
    return ((t ^ t >>> 14) >>> 0) % below;
  }

  /** True with a probability of `percent`. */
  chance(percent: number): boolean {
    return this.int(100) < percent;
  }

  /** One of `items`. */
  pick<T>(items: readonly T[]): T {
    return items[this.int(items.length)] as T;
  }
}

/** Constructs that {@linkcode randomPattern} may use. */
export interface PatternOptions {
  readonly extended: boolean;
  /** Back-references. */
  readonly backrefs?: boolean;
  /** `^ $ \b \< \>` at the ends of a pattern's branches, where glibc gets them right. */
  readonly anchors?: boolean;
  /** Letters beyond ASCII, and classes that hold them. */
  readonly wide?: boolean;
}

/** Deepest nesting of random patterns. */
const depth = 3;

/** A random pattern in GNU's dialect that is always valid. */
export function randomPattern(random: Random, options: PatternOptions): string {
  return new Patterns(random, options).alternatives(depth);
}

class Patterns {
  readonly #random: Random;
  readonly #options: PatternOptions;
  readonly #closed: number[] = [];
  readonly #top = depth;
  #groups = 0;

  constructor(random: Random, options: PatternOptions) {
    this.#random = random;
    this.#options = options;
  }

  #special(character: string): string {
    return this.#options.extended ? character : `\\${character}`;
  }

  alternatives(depth: number): string {
    const random = this.#random;
    const count = random.chance(25) ? 2 + random.int(2) : 1;
    const branches: string[] = [];
    for (let i = 0; i < count; i++) branches.push(this.#branch(depth));
    return branches.join(this.#special("|"));
  }

  #branch(depth: number): string {
    const random = this.#random;
    const { anchors } = this.#options;
    const top = anchors === true && depth === this.#top;
    let out = top && random.chance(20) ? random.pick(["^", "^", "\\b", "\\<"]) : "";
    const count = 1 + random.int(4);
    for (let i = 0; i < count; i++) {
      out += this.#piece(depth);
    }
    return out + (top && random.chance(20) ? random.pick(["$", "$", "\\b", "\\>"]) : "");
  }

  #piece(depth: number): string {
    const random = this.#random;
    const atom = this.#atom(depth);
    if (!random.chance(35)) return atom;
    return atom + random.pick([
      "*",
      "*",
      this.#special("+"),
      this.#special("?"),
      `${this.#special("{")}2${this.#special("}")}`,
      `${this.#special("{")}1,2${this.#special("}")}`,
      `${this.#special("{")},2${this.#special("}")}`,
      `${this.#special("{")}0,3${this.#special("}")}`,
      `${this.#special("{")}2,${this.#special("}")}`,
    ]);
  }

  #atom(depth: number): string {
    const random = this.#random;
    const { wide, backrefs } = this.#options;
    const roll = random.int(100);
    if (roll < 22 && depth > 0) {
      const index = ++this.#groups;
      const inner = this.alternatives(depth - 1);
      this.#closed.push(index);
      return this.#special("(") + inner + this.#special(")");
    }
    if (roll < 28 && backrefs === true && this.#closed.length > 0) {
      const index = random.pick(this.#closed);
      if (index <= 9) return `\\${index}`;
    }
    if (roll < 36) return ".";
    if (roll < 46) {
      return random.pick([
        "[ab]",
        "[^a]",
        "[a-c]",
        "[^ab]",
        "[[:alpha:]]",
        "[]a]",
        "[^]a-]",
        "[b-]",
      ]);
    }
    if (roll < 52) return random.pick(["\\w", "\\W", "\\s", "\\S", "[[:upper:]]", "[[:punct:]]"]);
    if (wide === true && roll < 64) {
      return random.pick([
        "\u00e9",
        "\u3042",
        "[\u00e9\u3042]",
        "[^\u3042]",
        "\u00c9",
        "\u{1f600}",
      ]);
    }
    return random.pick(["a", "a", "b", "b", "c", "ab", "_", "A"]);
  }
}

/** A random line without newline, of characters that the patterns use; `raw` adds invalid bytes. */
export function randomLine(random: Random, wide: boolean, raw: boolean): Uint8Array {
  const out: number[] = [];
  const count = random.int(random.chance(20) ? 30 : 9);
  for (let i = 0; i < count; i++) {
    if (raw && random.chance(6)) {
      out.push(random.pick([0xff, 0xc3, 0xe3, 0x81, 0x82, 0xa9]));
    } else {
      const wideOnes = ["\u00e9", "\u00c9", "\u3042", "\u{1f600}", "\u3000"];
      const text = wide && random.chance(25)
        ? random.pick(wideOnes)
        : random.pick(["a", "a", "a", "b", "b", "c", "A", "B", " ", "_", "-", "]", "ab"]);
      out.push(...new TextEncoder().encode(text));
    }
  }
  return Uint8Array.from(out);
}

/** Bytes as a string of the same length. */
export function latin1(bytes: Uint8Array): string {
  let out = "";
  for (let i = 0; i < bytes.length; i += 4096) {
    out += String.fromCharCode(...bytes.subarray(i, i + 4096));
  }
  return out;
}

/** The bytes of lines, each with a newline. */
export function joined(lines: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const bytes: number[] = [];
  for (const line of lines) bytes.push(...line, 10);
  return Uint8Array.from(bytes);
}
