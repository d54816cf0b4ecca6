/** Stands for a line break within a line that is edited: the symbol for a newline. */
const BREAK = "\u2424";
const BEGIN = "\x1b[200~";
const END = "\x1b[201~";

/** Input for a line editor: keys one by one, or text to insert at once. */
export interface Typed {
  readonly text: string;
  /** Whether it is text that is inserted as it is. */
  readonly whole: boolean;
}

/**
 * So many characters without a control character between them are pasted text: nobody types them at
 * once.
 */
// deno-lint-ignore no-control-regex
const MANY = /[^\x00-\x1f\x7f]{32,}/;

/**
 * Makes one line from pasted text of several lines. A terminal puts marks around pasted text;
 * between them line breaks become a symbol, and other control characters, which would be commands
 * of the editor, are left out.
 */
export class PastedLines {
  #pasting = false;
  #held = "";

  /** Converts what the terminal sent to input for a line editor. */
  typed(text: string): Typed[] {
    let rest = this.#held + text;
    this.#held = "";
    const all: Typed[] = [];
    const add = (part: string) => {
      if (this.#pasting) all.push({ text: pasted(part), whole: true });
      else all.push(...keys(part));
    };
    for (;;) {
      const mark = this.#pasting ? END : BEGIN;
      const at = rest.indexOf(mark);
      const part = at < 0 ? rest : rest.slice(0, at);
      if (at < 0) {
        // Outside of pasted text an escape alone is a key.
        this.#held = heldBack(part, mark, this.#pasting ? 1 : 2);
        const sure = part.slice(0, part.length - this.#held.length);
        add(sure);
        return all.filter(({ text }) => text !== "");
      }
      add(part);
      rest = rest.slice(at + mark.length);
      this.#pasting = !this.#pasting;
    }
  }

  /** Converts a text of several lines to one line with symbols. */
  show(text: string): string {
    return text.replaceAll("\n", BREAK);
  }

  /** Converts such a line back to the text. */
  read(line: string): string {
    return line.replaceAll(BREAK, "\n");
  }
}

/** Keys. Very many at once were pasted on a terminal that puts no marks. */
function keys(text: string): Typed[] {
  const all: Typed[] = [];
  for (let rest = text; rest !== "";) {
    const match = rest.includes("\x1b") ? null : MANY.exec(rest);
    if (match === null) return [...all, { text: rest, whole: false }];
    all.push({ text: rest.slice(0, match.index), whole: false }, { text: match[0], whole: true });
    rest = rest.slice(match.index + match[0].length);
  }
  return all;
}

function pasted(text: string): string {
  // deno-lint-ignore no-control-regex
  return text.replace(/\r\n?|\n/g, BREAK).replace(/[\x00-\x08\x0b-\x1f\x7f]/g, "");
}

/** The end of a text that may be the beginning of a mark, if it has `least` characters. */
function heldBack(text: string, mark: string, least: number): string {
  for (let length = Math.min(text.length, mark.length - 1); length >= least; length--) {
    if (text.endsWith(mark.slice(0, length))) return mark.slice(0, length);
  }
  return "";
}
