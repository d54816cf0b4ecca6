/**
 * One line of a terminal that is still being written: programs overwrite, erase and insert in it. A
 * line longer than the terminal's width continues in the next row, and counts as one here.
 */
export class LineCells {
  #columns: number;
  /** One character per cell; the further cells of a wide one, and of a tab, are empty. */
  #cells: string[] = [];
  #at = 0;

  /** `columns`: the width of the terminal. */
  constructor(columns: number) {
    this.#columns = columns;
  }

  /** Position of the next character. */
  get at(): number {
    return this.#at;
  }

  /** Number of cells. */
  get length(): number {
    return this.#cells.length;
  }

  /** The characters of the line. */
  get text(): string {
    return this.#cells.join("");
  }

  /** Sets the width of the terminal. */
  resize(columns: number): void {
    this.#columns = columns;
  }

  /** Empties the line. */
  clear(): void {
    this.#cells = [];
    this.#at = 0;
  }

  /** Writes characters without control characters other than the tab. */
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

  /** Moves to the first column of its row. */
  toRowStart(): void {
    this.#at = this.#rowStart();
  }

  /** Moves to a column of its row, from 0. */
  toColumn(column: number): void {
    this.#at = this.#rowStart() + Math.min(column, this.#columns - 1);
  }

  /** Moves right in its row, or left if negative. */
  move(by: number): void {
    const start = this.#rowStart();
    this.#at = Math.min(Math.max(start, this.#at + by), start + this.#columns - 1);
  }

  /**
   * Moves down by rows of this line, or up if negative; false, without a move, if the row is not
   * part of it.
   */
  moveRows(by: number): boolean {
    const to = this.#at + by * this.#columns;
    if (to < 0 || by > 0 && to - to % this.#columns > this.#cells.length) return false;
    this.#at = to;
    return true;
  }

  /**
   * Erases from the cursor to the end of its row (0), from the row's start to the cursor (1), or
   * the whole row (else).
   */
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

  /** Deletes `count` cells. */
  remove(count: number): void {
    this.#cells.splice(this.#at, count);
  }

  /** Inserts `count` empty cells. */
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

/** Number of columns that a character takes. */
function widthOf(character: string): number {
  if (character < "\u0300") return 1;
  return NO_WIDTH.test(character) ? 0 : WIDE.test(character) ? 2 : 1;
}
