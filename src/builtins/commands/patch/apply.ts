import type { Chunk } from "../../../streams/mod.ts";
import { blocksOf, type HeldBytes, type LineFile, LineView } from "../../hold/mod.ts";
import { contexts, type Hunk } from "./hunk.ts";
import { byteText, textBytes } from "./text.ts";

/** A file to which hunks are applied, from its start to its end. */
export class PatchedFile {
  readonly #size: number;
  readonly #input: LineFile | undefined;
  readonly #ignoreSpace: boolean;
  readonly #output: HeldBytes;
  /** Views for searching from the expected position forwards and backwards, and for copying. */
  readonly #back: LineView | undefined;
  readonly #ahead: LineView | undefined;
  readonly #copied: LineView | undefined;
  /** Input lines already output or dropped: no hunk may change them again. */
  #frozen = 0;
  /** Distance of the last hunk from its expected position. */
  #inOffset = 0;
  /** Number of lines that the output has more than the input. */
  #outOffset = 0;
  /** True if the output ends within a line. */
  #open = false;

  /** Starts with the lines of a file, if any; `ignoreSpace` compares white space loosely (`-l`). */
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

  /** True if the file has lines. */
  get hasLines(): boolean {
    return this.#size > 0;
  }

  /** Distance of the last hunk from its expected position, in lines. */
  get offset(): number {
    return this.#inOffset;
  }

  /** Number of lines that the result has more than the input, so far. */
  get shift(): number {
    return this.#outOffset;
  }

  /**
   * Finds the position of a hunk with the given fuzz: a line from 1, or 0 if it does not fit.
   * Starts at the expected position and moves away from it. A hunk without old lines fits
   * everywhere.
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
    // Lines already output are not searched, except the expected position, as hunks may be
    // misordered.
    let least = Math.min(guess, this.#frozen + 1);
    let most = this.#size - from - looked.length + 1;
    // With less context at one end, the hunk fits only at the start or end of the file.
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

  /**
   * False if the first line is in memory and does not fit. That is the common case, and needs no
   * promise.
   */
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

  /** Applies a hunk at its position; false if that is before lines already output. */
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

  /** True if a line of the file and the lines of a hunk have different endings: CR LF or LF. */
  async endsOtherwise({ lines }: Hunk, line: number): Promise<boolean> {
    const view = this.#ahead;
    const at = Math.min(line, this.#size) - 1;
    if (at < 0 || view === undefined || !(view.has(at) || await view.load(at))) return false;
    const { bytes, start, end, incomplete } = view;
    const crlf = !incomplete && end > start && bytes[end - 1] === 13;
    return crlf !== (lines.find(({ kind }) => kind !== "+")?.text.endsWith("\r\n") === true);
  }

  /** Outputs the rest of the file. */
  async end(): Promise<void> {
    await this.#copyUntil(this.#size + 1);
  }

  async #put(piece: Chunk): Promise<void> {
    // A last line without newline gets one when more follows.
    if (this.#open) await this.#output.add(NEWLINE);
    await this.#output.add(piece);
    this.#open = piece.at(-1) !== 10;
  }

  /** Outputs the input lines before line `until`, counted from 1. */
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

/** A line in the form that `-l` compares. */
function loose(text: string): string {
  return text.replace(/[ \t]+/g, " ").replace(/ ?\n?$/, "");
}
