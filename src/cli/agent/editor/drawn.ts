import { fit } from "../../text/mod.ts";
import type { EditorState } from "./editor.ts";
import { type Position, positionOf, rowsOf } from "./layout.ts";

/** An editor's text as rows of the screen. */
export interface Drawn {
  /** The rows, with the columns of the prompt. */
  readonly rows: readonly string[];
  /** The position of the cursor. */
  readonly cursor: Position;
}

/** Columns of the text beside a prompt; one is left for the cursor behind a full row. */
export function textColumns(columns: number, prompt: number): number {
  return Math.max(4, columns - prompt - 1);
}

/**
 * Draws an editor behind a prompt. The first row begins with the prompt, the others with as many
 * spaces. If the text has more than `most` rows, those around the cursor are shown.
 */
export function drawn(
  { atoms, cursor }: EditorState,
  { prompt, promptColumns, columns, most }: {
    readonly prompt: string;
    readonly promptColumns: number;
    readonly columns: number;
    readonly most: number;
  },
): Drawn {
  const width = textColumns(columns, promptColumns);
  const rows = rowsOf(atoms, width);
  const at = positionOf(atoms, rows, cursor, width);
  const first = Math.max(0, Math.min(at.row - most + 1, rows.length - most));
  const shown = rows.slice(first, first + Math.max(1, most)).map(({ from, to }, index) => {
    const text = atoms.slice(from, to).map(({ shown }) => shown).join("");
    const before = first + index === 0 ? prompt : " ".repeat(promptColumns);
    // A single atom may be wider than a row.
    return before + (to - from === 1 ? fit(text, width) : text.trimEnd());
  });
  return { rows: shown, cursor: { row: at.row - first, column: promptColumns + at.column } };
}
