import { unicodeWidth } from "@std/cli/unicode-width";
import { printable, withoutControls } from "../../../base/mod.ts";

/** A unit that the cursor moves over in one step: a grapheme or a folded paste. */
export interface Atom {
  /** The characters in the text. */
  readonly text: string;
  /** The characters on the screen; empty for a line break. */
  readonly shown: string;
  /** Columns of `shown`. */
  readonly columns: number;
}

/** Pasted text with more lines or characters is folded into one atom. */
const MOST_LINES = 10;
const MOST_CHARACTERS = 1000;

const segmenter = new Intl.Segmenter(undefined, { granularity: "grapheme" });

/** The line break. */
export const BREAK: Atom = { text: "\n", shown: "", columns: 0 };

/** Splits a text into atoms. Line ends become `\n`, other control characters are dropped. */
export function atomsOf(text: string): Atom[] {
  const plain = plainText(text);
  // deno-lint-ignore no-control-regex
  const characters = /^[\x00-\x7f]*$/.test(plain)
    ? [...plain]
    : Array.from(segmenter.segment(plain), ({ segment }) => segment);
  return characters.map(atomOf);
}

/** The atoms of pasted text; a long one becomes a single atom, shown as a mark with its size. */
export function pastedAtoms(text: string): Atom[] {
  const plain = plainText(text);
  const lines = plain.split("\n").length;
  if (lines <= MOST_LINES && plain.length <= MOST_CHARACTERS) return atomsOf(plain);
  const size = lines > 1 ? `${lines} lines` : `${plain.length} characters`;
  const shown = `[pasted ${size}]`;
  return [{ text: plain, shown, columns: shown.length }];
}

/** The text of atoms. */
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
 * Columns of a grapheme. Joined emoji, and an emoji with a skin tone, are drawn as one, two columns
 * wide; for all others terminals add up the widths of the code points.
 */
function columnsOf(character: string): number {
  const columns = unicodeWidth(character);
  return columns > 2 && /\u200d|[\u{1f3fb}-\u{1f3ff}]/u.test(character) ? 2 : columns;
}
