import { unicodeWidth } from "@std/cli/unicode-width";

/**
 * A terminal for tests, with the features that the agent uses: it moves the cursor, clears, breaks
 * rows at its width, and scrolls. It ignores colours and modes.
 */
export class FakeTerminal {
  columns: number;
  readonly height: number;
  /** All rows written. A cell is one character, `""` behind a wide one. */
  #rows: string[][] = [[]];
  #row = 0;
  #column = 0;

  constructor(columns: number, height = 24) {
    this.columns = columns;
    this.height = height;
  }

  write(text: string): void {
    // deno-lint-ignore no-control-regex
    for (const [part] of text.matchAll(/\x1b\[[?\d;]*[A-Za-z]|[^]/gu)) this.#put(part);
  }

  /** The rows, without trailing blanks. */
  get screen(): string {
    return this.#rows.map((row) => row.join("").trimEnd()).join("\n").trimEnd();
  }

  get cursor(): { row: number; column: number } {
    return { row: this.#row, column: this.#column };
  }

  /** Changes the width; rows that are too wide are broken, as most terminals do. */
  resize(columns: number): void {
    const rows: string[][] = [];
    let [row, column] = [this.#row, this.#column];
    for (const [at, cells] of this.#rows.entries()) {
      const parts = Math.max(1, Math.ceil(cells.length / columns));
      if (at === this.#row) {
        row = rows.length + Math.floor(this.#column / columns);
        column = this.#column % columns;
      }
      for (let part = 0; part < parts; part++) {
        rows.push(cells.slice(part * columns, (part + 1) * columns));
      }
    }
    this.columns = columns;
    this.#rows = rows;
    this.#row = row;
    this.#column = column;
  }

  #put(part: string): void {
    if (part === "\n") this.#down();
    else if (part === "\r") this.#column = 0;
    else if (part.startsWith("\x1b[")) this.#sequence(part);
    else this.#character(part);
  }

  #down(): void {
    this.#row++;
    this.#rows[this.#row] ??= [];
  }

  #character(character: string): void {
    const width = unicodeWidth(character);
    const row = this.#rows[this.#row] ??= [];
    if (width === 0) {
      const at = this.#column - 1;
      row[at] = (row[at] ?? "") + character;
      return;
    }
    if (this.#column + width > this.columns) {
      this.#column = 0;
      this.#down();
      return this.#character(character);
    }
    while (row.length < this.#column) row.push(" ");
    row[this.#column] = character;
    if (width === 2) row[this.#column + 1] = "";
    this.#column += width;
  }

  #sequence(sequence: string): void {
    const count = Number(sequence.slice(2, -1)) || 0;
    const row = this.#rows[this.#row] ??= [];
    switch (sequence.at(-1)) {
      case "A":
        this.#row = Math.max(0, this.#row - Math.max(1, count));
        break;
      case "C":
        this.#column = Math.min(this.columns - 1, this.#column + Math.max(1, count));
        break;
      case "H":
        this.#row = this.#column = 0;
        break;
      case "K":
        row.length = Math.min(row.length, this.#column);
        break;
      case "J":
        if (count === 2) this.#rows = [];
        else {
          row.length = Math.min(row.length, this.#column);
          this.#rows.length = this.#row + 1;
        }
        this.#rows[this.#row] ??= [];
    }
  }
}
