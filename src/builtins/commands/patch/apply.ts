import type { Chunk } from "../../../streams/mod.ts";
import { blocksOf, type HeldBytes, type LineFile, LineView } from "../../hold/mod.ts";
import { contexts, type Hunk } from "./hunk.ts";
import { byteText, textBytes } from "./text.ts";

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

  /** Whether the file has lines. */
  get hasLines(): boolean {
    return this.#size > 0;
  }

  /** How far from where it should be the last hunk was found. */
  get offset(): number {
    return this.#inOffset;
  }

  /** How many more lines the result has than the input, so far. */
  get shift(): number {
    return this.#outOffset;
  }

  /**
   * Finds where a hunk fits with that much fuzz: a line counted from 1, or 0. Looks where it should
   * be, then farther and farther from there. What has no lines to look for fits everywhere.
   */
  async locate(hunk: Hunk, fuzz: number): Promise<number> {
    const pattern = hunk.lines.flatMap(({ kind, text }) => kind === "+" ? [] : [text]);
    const guess = hunk.first + this.#inOffset;
    if (pattern.length === 0) return guess;
    const [prefix, suffix] = contexts(hunk);
    const prefixFuzz = fuzz + prefix - Math.max(prefix, suffix);
    const suffixFuzz = fuzz + suffix - Math.max(prefix, suffix);
    const from = Math.max(0, prefixFuzz);
    const looked = pattern.slice(from, Math.max(from, pattern.length - Math.max(0, suffixFuzz)));
    // What was put out is not looked at, but where the hunk should be: it may be misordered.
    let least = Math.min(guess, this.#frozen + 1);
    let most = this.#size - from - looked.length + 1;
    // With less context at one end it fits the start or the end of the file only.
    if (prefixFuzz < 0 && hunk.first <= 1) most = Math.min(most, 1);
    if (suffixFuzz < 0) least = Math.max(least, this.#size - pattern.length + 1);
    const nearest = Math.max(0, guess - most, least - guess);
    for (let offset = nearest; offset <= Math.max(most - guess, guess - least); offset++) {
      for (let way = 1; way >= -1; way -= 2) {
        const where = guess + way * offset;
        if (where < least || where > most) continue;
        const view = way > 0 ? this.#ahead : this.#back;
        const first = where - 1 + from;
        if (!this.#mayFit(view, looked, first) || !await this.#fits(view, looked, first)) continue;
        this.#inOffset += where - guess;
        return where;
      }
    }
    return 0;
  }

  /** False if the first line is in memory and does not fit: most places, which cost no promise. */
  #mayFit(view: LineView | undefined, [text]: readonly string[], line: number): boolean {
    return text === undefined || view?.has(line) !== true || this.#same(view, text);
  }

  async #fits(
    view: LineView | undefined,
    texts: readonly string[],
    first: number,
  ): Promise<boolean> {
    for (const [i, text] of texts.entries()) {
      const line = first + i;
      if (view === undefined || line < 0) return false;
      if (!(view.has(line) || await view.load(line)) || !this.#same(view, text)) return false;
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

  /** Applies a hunk where it was found; false if that is before what has been put out. */
  async apply({ lines }: Hunk, where: number): Promise<boolean> {
    const change = lines.findIndex(({ kind }) => kind !== " ");
    if (this.#frozen > where - 1 + change) return false;
    let at = where;
    for (const { kind, text } of lines) {
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
    return true;
  }

  /** Whether a line of the file ends as those of a hunk don't: in CR LF, or in LF alone. */
  async endsOtherwise({ lines }: Hunk, line: number): Promise<boolean> {
    const view = this.#ahead;
    const at = Math.min(line, this.#size) - 1;
    if (at < 0 || view === undefined || !(view.has(at) || await view.load(at))) return false;
    const { bytes, start, end, incomplete } = view;
    const crlf = !incomplete && end > start && bytes[end - 1] === 13;
    return crlf !== (lines.find(({ kind }) => kind !== "+")?.text.endsWith("\r\n") === true);
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
    this.#frozen = Math.max(from, until - 1);
    const [view, input] = [this.#copied, this.#input];
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
