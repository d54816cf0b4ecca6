import type { Chunk } from "../../../streams/mod.ts";
import { blocksOf, type HeldBytes, type LineFile, LineView } from "../../hold/mod.ts";
import { contexts, type Hunk } from "./hunk.ts";
import { PatchError } from "./talk.ts";
import { byteText, textBytes } from "./text.ts";

/** Where a hunk was applied. */
export interface Placed {
  /** The line, counted from 1, of the result. */
  readonly where: number;
  readonly fuzz: number;
  readonly offset: number;
}

/** A file while hunks are applied to it, from its start to its end. */
export class PatchedFile {
  readonly #size: number;
  readonly #input: LineFile | undefined;
  readonly #ignoreSpace: boolean;
  readonly #output: HeldBytes;
  /** Looks at where hunks may fit, before and after where they should, and at what is copied. */
  readonly #back: LineView | undefined;
  readonly #ahead: LineView | undefined;
  readonly #copied: LineView | undefined;
  /** How many input lines have been put out or dropped: no hunk may touch them again. */
  #frozen = 0;
  /** How far from where they should be the last hunk was found. */
  #inOffset = 0;
  /** How many more lines the output has than the input. */
  #outOffset = 0;
  /** Whether the output ends within a line. */
  #open = false;

  /** Starts with a file's lines, if there are any; `ignoreSpace` compares space loosely (`-l`). */
  constructor(input: LineFile | undefined, ignoreSpace: boolean, output: HeldBytes) {
    this.#input = input;
    this.#size = input?.count ?? 0;
    this.#ignoreSpace = ignoreSpace;
    this.#output = output;
    if (input === undefined) return;
    this.#back = new LineView(input);
    this.#ahead = new LineView(input);
    this.#copied = new LineView(input);
  }

  /**
   * Finds where a hunk fits with that much fuzz: a line counted from 1, or 0. What has no lines to
   * look for fits everywhere, also before the file.
   */
  async locate(hunk: Hunk, fuzz: number): Promise<number> {
    const { first, lines } = hunk;
    const pattern = lines.filter(({ kind }) => kind !== "+").map(({ text }) => text);
    const [prefix, suffix] = contexts(hunk);
    const context = Math.max(prefix, suffix);
    let prefixFuzz = fuzz + prefix - context;
    const suffixFuzz = fuzz + suffix - context;
    const guess = first + this.#inOffset;
    if (pattern.length === 0) return guess;
    const size = this.#size;
    const maxAhead = size - (pattern.length - suffixFuzz) + 1 - guess;
    const free = guess - this.#frozen - 1;
    const maxBack = Math.min(free, guess - 1);
    const found = (offset: number): number => {
      this.#inOffset += offset;
      return guess + offset;
    };
    if (prefixFuzz < 0 && first <= 1) {
      // Fits the start of the file only.
      if (suffixFuzz < 0 && (pattern.length !== size || prefix < this.#frozen)) return 0;
      const offset = 1 - guess;
      const fits = this.#frozen <= prefix && offset <= maxAhead &&
        await this.#fits(this.#back, pattern, 1, 0, Math.max(0, suffixFuzz));
      return fits ? found(offset) : 0;
    }
    prefixFuzz = Math.max(0, prefixFuzz);
    if (suffixFuzz < 0) {
      // Fits the end of the file only.
      const offset = guess - (size - pattern.length + 1);
      const fits = offset <= maxBack &&
        await this.#fits(this.#ahead, pattern, guess - offset, prefixFuzz, 0);
      return fits ? found(-offset) : 0;
    }
    const most = Math.max(maxAhead, maxBack);
    // As GNU's does, it also finds what stands before the hunk before; that will be misordered.
    const least = maxAhead < 0 ? -maxAhead : Math.min(0, free);
    for (let offset = least; offset <= most; offset++) {
      if (
        offset <= maxAhead &&
        this.#mayFit(this.#ahead, pattern, guess + offset, prefixFuzz, suffixFuzz) &&
        await this.#fits(this.#ahead, pattern, guess + offset, prefixFuzz, suffixFuzz)
      ) return found(offset);
      if (
        offset !== 0 && offset <= maxBack &&
        this.#mayFit(this.#back, pattern, guess - offset, prefixFuzz, suffixFuzz) &&
        await this.#fits(this.#back, pattern, guess - offset, prefixFuzz, suffixFuzz)
      ) return found(-offset);
    }
    return 0;
  }

  /** False if the first line does not fit, as far as it is in memory. */
  #mayFit(
    view: LineView | undefined,
    pattern: readonly string[],
    at: number,
    from: number,
    until: number,
  ): boolean {
    const first = pattern[from];
    if (first === undefined || from >= pattern.length - until) return true;
    return view?.has(at - 1 + from) !== true || this.#same(view, first);
  }

  async #fits(
    view: LineView | undefined,
    pattern: readonly string[],
    at: number,
    from: number,
    until: number,
  ): Promise<boolean> {
    for (let i = from; i < pattern.length - until; i++) {
      const line = at - 1 + i;
      const text = pattern[i] as string;
      if (view === undefined || line < 0 || line >= this.#size) {
        // What is outside of the file counts as empty.
        if ((this.#ignoreSpace ? loose(text) : text) !== "") return false;
        continue;
      }
      if (!view.has(line)) await view.load(line);
      if (!this.#same(view, text)) return false;
    }
    return true;
  }

  #same(view: LineView, text: string): boolean {
    const { bytes, start } = view;
    const end = view.end + (view.incomplete ? 0 : 1);
    if (this.#ignoreSpace) return loose(byteText(bytes, start, end)) === loose(text);
    if (end - start !== text.length) return false;
    for (let i = 0; i < text.length; i++) {
      if (bytes[start + i] !== text.charCodeAt(i)) return false;
    }
    return true;
  }

  /** Applies a hunk where it was found; `undefined` if that is before what has been put out. */
  async apply(hunk: Hunk, where: number, fuzz: number): Promise<Placed | undefined> {
    const { lines, mangled } = hunk;
    const placed = { where: where + this.#outOffset, fuzz, offset: this.#inOffset };
    const change = lines.findIndex(({ kind }) => kind !== " ");
    const before = change < 0 ? lines.length : change;
    if (this.#frozen > where - 1 + before) return undefined;
    let at = where;
    for (const [i, { kind, text }] of lines.entries()) {
      if (i === mangled?.at) break;
      if (kind === " ") {
        at++;
        continue;
      }
      await this.#copyUntil(at);
      if (kind === "-") {
        this.#frozen++;
        at++;
        this.#outOffset--;
      } else {
        await this.#put(textBytes(text));
        this.#outOffset++;
      }
    }
    if (mangled !== undefined) {
      const numbers = mangled.numbers.join();
      throw new PatchError(
        `Out-of-sync patch, lines ${numbers} -- mangled text or line numbers, maybe?`,
      );
    }
    return placed;
  }

  /** Whether the file has lines. */
  get hasLines(): boolean {
    return this.#size > 0;
  }

  /** How many more lines the result has than the input, so far. */
  get shift(): number {
    return this.#outOffset;
  }

  /** Whether a line of the file ends as those of a hunk don't: in CR LF, or in LF alone. */
  async endsOtherwise({ lines }: Hunk, line: number): Promise<boolean> {
    const view = this.#ahead;
    const at = Math.min(line, this.#size) - 1;
    if (at < 0 || view === undefined || !(view.has(at) || await view.load(at))) return false;
    const first = lines.find(({ kind }) => kind !== "+");
    if (first?.text === "") return false;
    const { bytes, start, end, incomplete } = view;
    const crlf = !incomplete && end > start && bytes[end - 1] === 13;
    return crlf !== (first?.text.endsWith("\r\n") === true);
  }

  /** Puts out what is left. */
  async end(): Promise<void> {
    await this.#copyUntil(this.#size + 1);
  }

  async #put(piece: Chunk): Promise<void> {
    // What lacked a newline as the last line needs it when more follows.
    if (this.#open) await this.#output.add(NEWLINE);
    await this.#output.add(piece);
    this.#open = piece.at(-1) !== 10;
  }

  /** Puts out the input lines before line `until`, which counts from 1. */
  async #copyUntil(until: number): Promise<void> {
    const from = this.#frozen;
    const to = Math.min(until - 1, this.#size);
    if (from < until - 1) this.#frozen = until - 1;
    const view = this.#copied;
    const input = this.#input;
    if (from >= to || view === undefined || input === undefined) return;
    if (!view.has(from)) await view.load(from);
    const start = view.offset;
    let end = input.size;
    if (to < this.#size) {
      if (!view.has(to)) await view.load(to);
      end = view.offset;
    } else if (input.incomplete) {
      end--;
    }
    if (this.#open) await this.#output.add(NEWLINE);
    for await (const piece of blocksOf(input.at, start, end)) await this.#output.add(piece);
    this.#open = to === this.#size && input.incomplete;
  }
}

const NEWLINE = Uint8Array.of(10);

/** A line as `-l` compares it. */
function loose(text: string): string {
  return text.replace(/[ \t]+/g, " ").replace(/ ?\n?$/, "");
}
