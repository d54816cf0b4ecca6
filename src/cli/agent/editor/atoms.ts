import { unicodeWidth } from "@std/cli/unicode-width";
import { printable, withoutControls } from "../../../base/mod.ts";

/** What the cursor moves over in one step: a character as people see it, or folded text. */
export interface Atom {
  /** What it stands for in the text. */
  readonly text: string;
  /** What is shown of it; empty for a line break. */
  readonly shown: string;
  /** Columns that this takes. */
  readonly columns: number;
}

/** Pasted text of more lines or characters than these is folded. */
const MOST_LINES = 10;
const MOST_CHARACTERS = 1000;

const segmenter = new Intl.Segmenter(undefined, { granularity: "grapheme" });

/** The line break. */
export const BREAK: Atom = { text: "\n", shown: "", columns: 0 };

/** The atoms of a text. Line ends become `\n`, other control characters are left out. */
export function atomsOf(text: string): Atom[] {
  const plain = plainText(text);
  // deno-lint-ignore no-control-regex
  const characters = /^[\x00-\x7f]*$/.test(plain)
    ? [...plain]
    : Array.from(segmenter.segment(plain), ({ segment }) => segment);
  return characters.map(atomOf);
}

/** The atoms of pasted text: one mark that stands for all of it where it is long. */
export function pastedAtoms(text: string): Atom[] {
  const plain = plainText(text);
  const lines = plain.split("\n").length;
  if (lines <= MOST_LINES && plain.length <= MOST_CHARACTERS) return atomsOf(plain);
  const size = lines > 1 ? `${lines} lines` : `${plain.length} characters`;
  const shown = `[pasted ${size}]`;
  return [{ text: plain, shown, columns: shown.length }];
}

/** The text that atoms stand for. */
export function atomsText(atoms: readonly Atom[]): string {
  return atoms.map(({ text }) => text).join("");
}

function plainText(text: string): string {
  return withoutControls(text.replace(/\r\n?/g, "\n"));
}

function atomOf(text: string): Atom {
  if (text === "\n") return BREAK;
  if (text === "\t") return { text, shown: "    ", columns: 4 };
  const shown = printable(text);
  return { text, shown, columns: shown === text ? columnsOf(text) : shown.length };
}

/**
 * Columns of one character as people see it. Several emoji that are joined, and one with a colour of
 * skin, are drawn as one, two columns wide; elsewhere terminals add up what each code point takes.
 */
function columnsOf(character: string): number {
  const columns = unicodeWidth(character);
  return columns > 2 && /\u200d|[\u{1f3fb}-\u{1f3ff}]/u.test(character) ? 2 : columns;
}
