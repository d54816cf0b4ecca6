/**
 * Random patterns and texts, and GNU's answers to them, for differential tests.
 *
 * @module
 */

import { compileRegex, nextSymbol, type Regex, RegexError, type RegexOptions } from "./mod.ts";

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

  /** Whether an event of `percent` happens. */
  chance(percent: number): boolean {
    return this.int(100) < percent;
  }

  /** One of `items`. */
  pick<T>(items: readonly T[]): T {
    return items[this.int(items.length)] as T;
  }
}

/** What {@linkcode randomPattern} may use. */
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

/** A random line without newline, made of what the patterns look for; `raw` adds invalid bytes. */
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

/** One pattern against some lines. */
export interface Case {
  readonly pattern: string;
  readonly options: RegexOptions;
  readonly lines: readonly Uint8Array[];
  /** The pattern is of a kind that glibc and gnulib read in different ways. */
  readonly odd?: boolean;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

function command(test: Case): string {
  const { syntax, ignoreCase, whole, dialect } = test.options;
  const extended = syntax === "extended" ? " -E" : syntax === "fixed" ? " -F" : "";
  if (dialect === "sed") {
    const script = `s\x01${test.pattern}\x01${sedReplacement(test)}\x01g${ignoreCase ? "I" : ""}`;
    return `sed${extended} ${quoted(script)}`;
  }
  const flags = (ignoreCase ? " -i" : "") + (whole === "line" ? " -x" : "") +
    (whole === "word" ? " -w" : "");
  const only = wholeLines(test) ? "" : "o";
  return `grep -a -n${only}${extended}${flags} -e ${quoted(test.pattern)}`;
}

function groupsOf(test: Case): number {
  const opened = test.options.syntax === "extended" ? /\(/g : /\\\(/g;
  return Math.min(9, test.pattern.match(opened)?.length ?? 0);
}

function sedReplacement(test: Case): string {
  let out = "<&";
  for (let i = 1; i <= groupsOf(test); i++) out += `|\\${i}`;
  return `${out}>`;
}

/** An answer that is not comparable. */
export const skipped = "(skipped)";

const mark = "\x02\x03";

/** What GNU's tool prints for each case; a shell runs them all at once. */
export async function gnuAnswers(cases: readonly Case[]): Promise<string[]> {
  const folder = await Deno.makeTempDir();
  try {
    let script = "export LC_ALL=C.UTF-8\n";
    for (const [i, test] of cases.entries()) {
      const bytes: number[] = [];
      for (const line of test.lines) bytes.push(...line, 10);
      await Deno.writeFile(`${folder}/${i}`, Uint8Array.from(bytes));
      script += `timeout 5 ${
        command(test)
      } <${folder}/${i} 2>/dev/null; printf '${mark}%s${mark}' $?\n`;
    }
    await Deno.writeTextFile(`${folder}/script`, script);
    const { stdout } = await new Deno.Command("sh", { args: [`${folder}/script`] }).output();
    const parts = latin1(stdout).split(mark);
    // glibc hangs on some patterns.
    return cases.map((_, i) => parts[2 * i + 1] === "124" ? skipped : parts[2 * i] ?? "");
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/**
 * What GNU says of each pattern: the message on standard error, without the tool's name and place,
 * and with warnings left out.
 */
export async function gnuErrors(cases: readonly Case[]): Promise<string[]> {
  let script = "export LC_ALL=C.UTF-8\n";
  for (const test of cases) {
    script += `echo | timeout 5 ${command(test)} 2>&1 >/dev/null; printf '${mark}'\n`;
  }
  const { stdout } = await new Deno.Command("sh", { args: ["-c", script] }).output();
  return new TextDecoder().decode(stdout).split(mark).slice(0, cases.length).map((text) =>
    text.split("\n").filter((line) => line !== "" && !line.includes("warning:")).join("\n")
      .replace(/^grep: |^sed: -e expression #1, char \d+: |^sed: /, "")
  );
}

/** Bytes as a string of the same length. */
export function latin1(bytes: Uint8Array): string {
  let out = "";
  for (let i = 0; i < bytes.length; i += 4096) {
    out += String.fromCharCode(...bytes.subarray(i, i + 4096));
  }
  return out;
}

/** What our engine prints for a case, as the tool would. */
export function ourAnswer(test: Case): string {
  let regex: Regex;
  try {
    regex = compileRegex(test.pattern, test.options);
  } catch (error) {
    if (error instanceof RegexError) return "";
    throw error;
  }
  const work = test.options.dialect === "sed"
    ? substitute
    : wholeLines(test)
    ? matching
    : onlyMatching;
  const answers = test.lines.map((line, i) => work(regex, line, i + 1, groupsOf(test)));
  return answers.includes(skipped) ? skipped : answers.join("");
}

/**
 * With -w GNU's -o goes wrong after a line's first match, and with odd patterns -o follows glibc's
 * reading of them where line selection follows gnulib's.
 */
function wholeLines(test: Case): boolean {
  return test.options.whole === "word" || test.odd === true;
}

function matching(regex: Regex, line: Uint8Array, number: number): string {
  return regex.test(line, 0, line.length) ? `${number}:${latin1(line)}\n` : "";
}

function onlyMatching(regex: Regex, line: Uint8Array, number: number): string {
  let out = "";
  for (let at = 0; at <= line.length;) {
    const match = regex.exec(line, 0, line.length, at);
    if (match === null) break;
    const [from, to] = [match[0] as number, match[1] as number];
    if (to > from) out += `${number}:${latin1(line.subarray(from, to))}\n`;
    at = to > from ? to : to < line.length ? nextSymbol(line, to, line.length) : to + 1;
  }
  return out;
}

function substitute(regex: Regex, line: Uint8Array, _number: number, groups: number): string {
  let out = "";
  let at = 0;
  let last = -1;
  while (at <= line.length) {
    const match = regex.exec(line, 0, line.length, at);
    if (match === null) break;
    const [from, to] = [match[0] as number, match[1] as number];
    out += latin1(line.subarray(at, from));
    if (to > from || from !== last) {
      out += `<${latin1(line.subarray(from, to))}`;
      for (let i = 1; i <= groups; i++) {
        const start = match[2 * i] ?? -1;
        out += `|${start < 0 ? "" : latin1(line.subarray(start, match[2 * i + 1]))}`;
      }
      out += ">";
    }
    at = to;
    last = to;
    if (to === from) {
      // GNU sed 4.9 goes on inside the character.
      if ((line[to] ?? 0) >= 0x80) return skipped;
      at = to < line.length ? nextSymbol(line, to, line.length) : to + 1;
      out += latin1(line.subarray(to, at));
    }
  }
  return `${out}${latin1(line.subarray(at))}\n`;
}
