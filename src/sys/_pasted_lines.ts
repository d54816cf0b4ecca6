/** Stands for a line break within a line that is edited: the symbol for a newline. */
const BREAK = "\u2424";
const BEGIN = "\x1b[200~";
const END = "\x1b[201~";

/**
 * Makes one line of pasted text of several lines. A terminal puts marks around what is pasted;
 * between them line breaks become a symbol, and other control characters, which would be commands,
 * are left out.
 */
export class PastedLines {
  #pasting = false;
  #held = "";

  /** What a line editor is to be given for what the terminal sent. */
  keys(text: string): string {
    let rest = this.#held + text;
    this.#held = "";
    let keys = "";
    for (;;) {
      const mark = this.#pasting ? END : BEGIN;
      const at = rest.indexOf(mark);
      const part = at < 0 ? rest : rest.slice(0, at);
      if (at < 0) {
        // Outside of pasted text an escape alone is a key.
        this.#held = heldBack(part, mark, this.#pasting ? 1 : 2);
        const sure = part.slice(0, part.length - this.#held.length);
        return keys + (this.#pasting ? pasted(sure) : sure);
      }
      keys += this.#pasting ? pasted(part) : part;
      rest = rest.slice(at + mark.length);
      this.#pasting = !this.#pasting;
    }
  }

  /** How a text of several lines stands in one. */
  show(text: string): string {
    return text.replaceAll("\n", BREAK);
  }

  /** The text that stands in a line. */
  read(line: string): string {
    return line.replaceAll(BREAK, "\n");
  }
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
