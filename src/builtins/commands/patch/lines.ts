import type { Talk } from "./talk.ts";
import type { TextLines } from "./text.ts";

/** What is taken off a patch's lines: what a mail or an editor has put before and behind them. */
export interface Wrapping {
  /** Columns of indentation. */
  readonly indent: number;
  /** How often lines that begin with `-` were given another `- `, as RFC 934 does. */
  readonly nesting: number;
  /** Whether carriage returns before newlines belong to the transport. */
  readonly stripCr: boolean;
}

/** Nothing to take off. */
export const BARE: Wrapping = { indent: 0, nesting: 0, stripCr: false };

/** Reads the lines of a patch file; comments, which begin with `#`, are passed over. */
export class PatchLines {
  /** Index of the next line. */
  at = 0;
  /** Number of the line that was read last, as messages tell it. */
  number = 0;
  readonly #lines: TextLines;
  readonly #talk: Talk;

  /** Reads from the start. */
  constructor(lines: TextLines, talk: Talk) {
    this.#lines = lines;
    this.#talk = talk;
  }

  /** Goes to a line; `number` is that of the one before. */
  seek(at: number, number: number): void {
    this.at = at;
    this.number = number;
  }

  /** Whether nothing is left. */
  async isAtEnd(): Promise<boolean> {
    return await this.#lines.at(this.at) === undefined;
  }

  /**
   * The next line; as for GNU's, a last one without newline is none. With `comments` it may be one
   * that begins with `#`.
   */
  async next(
    { indent, nesting, stripCr }: Wrapping,
    comments = false,
  ): Promise<string | undefined> {
    for (;;) {
      const raw = await this.#lines.at(this.at);
      if (raw === undefined) return undefined;
      this.at++;
      let line = indent === 0 ? raw : withoutIndent(raw, indent);
      if (!line.endsWith("\n")) {
        if (line !== "") this.#talk.say("patch unexpectedly ends in middle of line\n");
        return undefined;
      }
      this.number++;
      for (let i = 0; i < nesting && line.startsWith("- "); i++) line = line.slice(2);
      if (line.startsWith("#") && !comments) continue;
      return stripCr && line.endsWith("\r\n") ? `${line.slice(0, -2)}\n` : line;
    }
  }

  /** Passes over the note that the line before lacks its newline, and says whether it was there. */
  async takesNote(): Promise<boolean> {
    if ((await this.#lines.at(this.at))?.startsWith("\\") !== true) return false;
    this.at++;
    return true;
  }

  /** Says of a line that it has more words than it should; GNU's tells where it begins, in bytes. */
  async noteWords(at: number): Promise<void> {
    const offset = await this.#lines.offsetOf(at);
    this.#talk.say(`Prereq: with multiple words at line ${offset} of patch\n`);
  }

  /** Says, where much is told, that a context diff is of the new style after all. */
  noteNewStyle(): void {
    if (!this.#talk.verbose) return;
    this.#talk.say(
      "(Fascinating -- this is really a new-style context diff but without\n" +
        "the telltale extra asterisks on the *** line that usually indicate\nthe new style...)\n",
    );
  }

  /** The lines of the file from one index to before another. */
  async *between(from: number, to: number): AsyncGenerator<string, void, void> {
    const lines = this.#lines.again();
    for (let i = from; i < to; i++) yield await lines.at(i) ?? "";
  }
}

function withoutIndent(line: string, indent: number): string {
  let at = 0;
  for (let column = 0; column < indent; at++) {
    const character = line[at];
    if (character === "\t") column = (column + 8) & ~7;
    else if (character === " " || character === "X") column++;
    else break;
  }
  return line.slice(at);
}
