import { type Atom, atomsOf, atomsText, BREAK, pastedAtoms } from "./atoms.ts";
import type { Key, KeyCommand } from "./keys.ts";
import { cursorAt, positionOf, rowsOf } from "./layout.ts";

/** An edited text, its cursor and its history. It is immutable: each key returns a new state. */
export interface EditorState {
  /** The text. */
  readonly atoms: readonly Atom[];
  /** The index of the atom behind the cursor. */
  readonly cursor: number;
  /** Earlier texts, oldest first. */
  readonly history: readonly string[];
  /** The index of the shown text in `history`; `history.length` for a new text. */
  readonly at: number;
  /** The new text, kept while a text of the history is shown. */
  readonly own: readonly Atom[];
  /** The last deleted part, for `yank`. */
  readonly deleted: readonly Atom[];
  /** True if the last key deleted text, so that the next deletion adds to `deleted`. */
  readonly deleting: boolean;
  /** The column that `up` and `down` keep. */
  readonly column: number | undefined;
}

/**
 * Requests of a key to the owner of the editor: take the text, note that it was cleared, interrupt,
 * end, suspend the program, redraw the screen.
 */
export type EditorEvent = "submit" | "cleared" | "interrupt" | "end" | "suspend" | "redraw";

/** The result of a key. */
export interface Pressed {
  readonly state: EditorState;
  readonly event?: EditorEvent;
}

/** Most texts in the history. */
const MOST_HISTORY = 1000;

/** Returns an editor without text. */
export function newEditor(history: readonly string[] = []): EditorState {
  const kept = history.slice(-MOST_HISTORY);
  return {
    ...{ atoms: [], cursor: 0, history: kept, at: kept.length },
    ...{ own: [], deleted: [], deleting: false, column: undefined },
  };
}

/** True if there is no text. */
export function isEmpty({ atoms }: EditorState): boolean {
  return atoms.length === 0;
}

/** Returns the whole text. */
export function editedText({ atoms }: EditorState): string {
  return atomsText(atoms);
}

/** Replaces the text, with the cursor at its end. */
export function withText(state: EditorState, text: string): EditorState {
  return edited(state, pastedAtoms(text), Infinity);
}

/**
 * Clears the text, and adds it to the history unless it is blank. An earlier copy there is removed.
 */
export function submitted(state: EditorState): EditorState {
  const text = editedText(state);
  const history = text.trim() === ""
    ? state.history
    : [...state.history.filter((it) => it !== text), text].slice(-MOST_HISTORY);
  return { ...newEditor(history), deleted: state.deleted };
}

/** Applies a key to a text that is shown in rows of `width` columns. */
export function press(state: EditorState, key: Key, width: number): Pressed {
  if (key.type === "text") return { state: inserted(state, atomsOf(key.text)) };
  if (key.type === "paste") return { state: inserted(state, pastedAtoms(key.text)) };
  const { command } = key;
  const event = eventOf(state, command);
  if (event === "cleared") return { state: deleteRange(state, 0, state.atoms.length), event };
  if (event !== undefined) return { state, event };
  return { state: changed(state, command, width) };
}

function eventOf(state: EditorState, command: KeyCommand): EditorEvent | undefined {
  switch (command) {
    case "submit":
      return state.atoms[state.cursor - 1]?.text === "\\" ? undefined : "submit";
    case "interrupt":
      return isEmpty(state) ? "interrupt" : "cleared";
    case "end":
      return isEmpty(state) ? "end" : undefined;
    case "suspend":
    case "redraw":
      return command;
    default:
      return undefined;
  }
}

function changed(state: EditorState, command: KeyCommand, width: number): EditorState {
  const { atoms, cursor } = state;
  switch (command) {
    case "submit":
      // A backslash before Enter becomes a line break.
      return edited(state, [...atoms.slice(0, cursor - 1), BREAK, ...atoms.slice(cursor)], cursor);
    case "newline":
      return inserted(state, [BREAK]);
    case "left":
      return moved(state, cursor - 1);
    case "right":
      return moved(state, cursor + 1);
    case "word-left":
      return moved(state, wordStart(state));
    case "word-right":
      return moved(state, wordEnd(state));
    case "line-start":
      return moved(state, lineStart(state));
    case "line-end":
      return moved(state, lineEnd(state));
    case "up":
      return vertical(state, -1, width);
    case "down":
      return vertical(state, 1, width);
    case "older":
      return recalled(state, state.at - 1);
    case "newer":
      return recalled(state, state.at + 1);
    case "delete-left":
      return removed(state, cursor - 1, cursor);
    case "end":
    case "delete-right":
      return removed(state, cursor, cursor + 1);
    case "delete-word-left":
      return deleteRange(state, wordStart(state), cursor);
    case "delete-word-right":
      return deleteRange(state, cursor, wordEnd(state));
    case "delete-to-start":
      return deleteRange(state, lineStart(state), cursor);
    case "delete-to-end": {
      const end = lineEnd(state);
      // At the end of a line its line break is deleted.
      return deleteRange(state, cursor, end === cursor ? cursor + 1 : end);
    }
    case "yank":
      return inserted(state, state.deleted);
    case "transpose":
      return transposed(state);
    default:
      return { ...state, deleting: false };
  }
}

function edited(state: EditorState, atoms: readonly Atom[], cursor: number): EditorState {
  const place = Math.max(0, Math.min(cursor, atoms.length));
  return { ...state, atoms, cursor: place, deleting: false, column: undefined };
}

function moved(state: EditorState, cursor: number): EditorState {
  return edited(state, state.atoms, cursor);
}

function inserted(state: EditorState, added: readonly Atom[]): EditorState {
  const { atoms, cursor } = state;
  const before = atoms.slice(0, cursor);
  const after = atoms.slice(cursor);
  const last = before.at(-1);
  const [first] = added;
  // A combining mark joins the character before it, which was typed earlier.
  const joined = last === undefined || first === undefined || last.columns === 0 ||
      last.text.length > 64
    ? undefined
    : atomsOf(last.text + first.text);
  const all = joined?.length === 1
    ? [...before.slice(0, -1), ...joined, ...added.slice(1)]
    : [...before, ...added];
  return edited(state, [...all, ...after], all.length);
}

function removed(state: EditorState, from: number, to: number): EditorState {
  const { atoms } = state;
  const [start, end] = [Math.max(0, from), Math.min(to, atoms.length)];
  return edited(state, [...atoms.slice(0, start), ...atoms.slice(end)], start);
}

/** Deletes a part that `yank` can restore. Consecutive deletions are restored together. */
function deleteRange(state: EditorState, from: number, to: number): EditorState {
  const { atoms, cursor, deleted, deleting } = state;
  const part = atoms.slice(from, to);
  if (part.length === 0) return { ...state, deleting };
  const earlier = deleting ? deleted : [];
  const kept = from < cursor ? [...part, ...earlier] : [...earlier, ...part];
  return { ...removed(state, from, to), deleted: kept, deleting: true };
}

function transposed(state: EditorState): EditorState {
  const { atoms, cursor } = state;
  const at = cursor === atoms.length ? cursor - 1 : cursor;
  const [before, after] = [atoms[at - 1], atoms[at]];
  if (before === undefined || after === undefined) return state;
  return edited(state, [...atoms.slice(0, at - 1), after, before, ...atoms.slice(at + 1)], at + 1);
}

/** Moves to the row above or below; past the first or last row, through the history. */
function vertical(state: EditorState, step: -1 | 1, width: number): EditorState {
  const { atoms, cursor } = state;
  const rows = rowsOf(atoms, width);
  const { row, column } = positionOf(atoms, rows, cursor, width);
  const target = rows[row + step];
  if (target === undefined) return recalled(state, state.at + step);
  const goal = state.column ?? column;
  const last = row + step === rows.length - 1;
  return { ...moved(state, cursorAt(atoms, target, goal, last)), column: goal };
}

/** Shows another text of the history. */
function recalled(state: EditorState, at: number): EditorState {
  const { history } = state;
  if (at < 0 || at > history.length) return state;
  const own = state.at === history.length ? state.atoms : state.own;
  const text = history[at];
  const atoms = text === undefined ? own : pastedAtoms(text);
  return { ...edited(state, atoms, atoms.length), at, own };
}

function lineStart({ atoms, cursor }: EditorState): number {
  return atoms.slice(0, cursor).findLastIndex(({ text }) => text === "\n") + 1;
}

function lineEnd({ atoms, cursor }: EditorState): number {
  const at = atoms.slice(cursor).findIndex(({ text }) => text === "\n");
  return at < 0 ? atoms.length : cursor + at;
}

function wordStart({ atoms, cursor }: EditorState): number {
  let at = cursor;
  while (at > 0 && !isWord(atoms[at - 1])) at--;
  while (at > 0 && isWord(atoms[at - 1])) at--;
  return at;
}

function wordEnd({ atoms, cursor }: EditorState): number {
  let at = cursor;
  while (at < atoms.length && !isWord(atoms[at])) at++;
  while (at < atoms.length && isWord(atoms[at])) at++;
  return at;
}

function isWord(atom: Atom | undefined): boolean {
  return atom !== undefined && /^[\p{L}\p{N}_]/u.test(atom.text);
}
