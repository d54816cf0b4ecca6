/**
 * One line of a terminal that is still being written: programs go back in it to overwrite, erase and
 * insert. A line longer than the terminal is wide goes on in the next row, and counts as one here.
 */
export class LineCells {
  #columns: number;
  /** A character a cell; the further cells of a wide one, and of a tab, are empty. */
  #cells: string[] = [];
  #at = 0;

  /** `columns`: the width of the terminal. */
  constructor(columns: number) {
    this.#columns = columns;
  }

  /** Where the next character goes. */
  get at(): number {
    return this.#at;
  }

  /** How many cells there are. */
  get length(): number {
    return this.#cells.length;
  }

  /** The characters of the line. */
  get text(): string {
    return this.#cells.join("");
  }

  /** The terminal has another width now. */
  resize(columns: number): void {
    this.#columns = columns;
  }

  /** Begins anew. */
  clear(): void {
    this.#cells = [];
    this.#at = 0;
  }

  /** Writes characters, none of them a control character but the tab. */
  put(text: string): void {
    for (const character of text) {
      const width = character === "\t" ? 8 - this.#at % 8 : widthOf(character);
      if (width === 0) {
        // It joins the character before it.
        let before = Math.min(this.#at, this.#cells.length) - 1;
        while (before > 0 && this.#cells[before] === "") before--;
        if (before >= 0) this.#cells[before] += character;
        continue;
      }
      this.#fill(this.#at);
      this.#cells[this.#at] = character;
      for (let more = 1; more < width; more++) this.#cells[this.#at + more] = "";
      this.#at += width;
    }
  }

  /** Goes to the first column of its row. */
  toRowStart(): void {
    this.#at = this.#rowStart();
  }

  /** Goes to a column of its row, from 0. */
  toColumn(column: number): void {
    this.#at = this.#rowStart() + Math.min(column, this.#columns - 1);
  }

  /** Goes to the left or right in its row. */
  move(by: number): void {
    const start = this.#rowStart();
    this.#at = Math.min(Math.max(start, this.#at + by), start + this.#columns - 1);
  }

  /** Goes up or down by rows of this line; false, and nothing done, where they are not of it. */
  moveRows(by: number): boolean {
    const to = this.#at + by * this.#columns;
    if (to < 0 || by > 0 && to - to % this.#columns > this.#cells.length) return false;
    this.#at = to;
    return true;
  }

  /** Erases from the cursor to the end of its row, from its start to the cursor, or all of it. */
  eraseRow(part: number): void {
    const start = this.#rowStart();
    const end = start + this.#columns;
    this.#erase(part === 0 ? this.#at : start, part === 1 ? this.#at + 1 : end);
  }

  /** Erases all from the cursor on. */
  eraseAfter(): void {
    this.#erase(this.#at, this.#cells.length);
  }

  /** Erases `count` cells from the cursor on. */
  eraseNext(count: number): void {
    this.#erase(this.#at, this.#at + count);
  }

  /** Takes `count` cells out. */
  remove(count: number): void {
    this.#cells.splice(this.#at, count);
  }

  /** Puts `count` empty cells in. */
  insert(count: number): void {
    this.#fill(this.#at);
    this.#cells.splice(this.#at, 0, ...Array(Math.min(count, this.#columns)).fill(" "));
  }

  #rowStart(): number {
    const column = this.#at % this.#columns;
    // A terminal wraps with the next character, not after the last column.
    return column === 0 && this.#at > 0 && this.#at === this.#cells.length
      ? this.#at - this.#columns
      : this.#at - column;
  }

  #fill(to: number): void {
    while (this.#cells.length < to) this.#cells.push(" ");
  }

  #erase(from: number, to: number): void {
    if (to >= this.#cells.length) this.#cells.length = Math.min(this.#cells.length, from);
    else for (let at = from; at < to; at++) this.#cells[at] = " ";
  }
}

const NO_WIDTH = /^[\p{Mn}\p{Me}\p{Cf}]$/u;
/** East Asian wide characters, and emoji. */
const WIDE =
  /^[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1f64f}\u{1f680}-\u{1f6ff}\u{1f900}-\u{1f9ff}\u{20000}-\u{3fffd}]$/u;

/** How many columns a character takes. */
function widthOf(character: string): number {
  if (character < "\u0300") return 1;
  return NO_WIDTH.test(character) ? 0 : WIDE.test(character) ? 2 : 1;
}
