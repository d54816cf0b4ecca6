import { printable } from "../../../base/mod.ts";
import {
  type Drawn,
  drawn,
  editedText,
  type EditorState,
  isEmpty,
  type Key,
  newEditor,
  press,
  submitted,
  textColumns,
  withText,
} from "../editor/mod.ts";
import { MOST_INPUT } from "../lines.ts";
import { fitRow, type Style } from "../screen/mod.ts";

/** A line that was entered, and how it looks where it stays. */
export interface Entered {
  readonly text: string;
  readonly shown: string;
}

/** What a key asks of the console. */
export type Effect = "entered" | "end" | "suspend" | "clear";

/** What asks for a line. */
const PROMPT = "You: ";
const LEAVING = "Ctrl+C again, or Ctrl+D, ends llmcmd";
const LATER = "llmcmd ends after this";
const TOO_LONG = `What was pasted is longer than ${MOST_INPUT / 1024 ** 2} MiB and was left out: ` +
  "give the name of a file instead";

/**
 * The line that is edited below a talk, and those that were entered before they were asked for.
 * Keys in, rows out.
 */
export class ConsoleInput {
  readonly #style: Style;
  #editor: EditorState;
  #entered: Entered[] = [];
  #hint = "";
  #ending = false;
  /** Whether somebody waits for a line: if not, what is typed is for later. */
  asked = false;

  constructor(history: readonly string[], style: Style) {
    this.#editor = newEditor(history);
    this.#style = style;
  }

  /** Whether the input ends when no more lines are there. */
  get ending(): boolean {
    return this.#ending;
  }

  /** The text that is edited. */
  get text(): string {
    return editedText(this.#editor);
  }

  /** The first of the lines that were entered. */
  take(): Entered | undefined {
    return this.#entered.shift();
  }

  /** Takes a key, on a terminal with so many columns. */
  key(key: Key, columns: number): Effect | undefined {
    if (key.type === "paste" && key.text.length > MOST_INPUT) {
      this.#hint = TOO_LONG;
      return undefined;
    }
    const leaving = this.#hint === LEAVING;
    this.#hint = "";
    const { state, event } = press(this.#editor, key, textColumns(columns, PROMPT.length));
    this.#editor = state;
    switch (event) {
      case "submit":
        return this.#submit(columns);
      case "interrupt":
        if (leaving) return this.#end();
        this.#hint = LEAVING;
        return undefined;
      case "end":
        if (!this.asked) this.#hint = LATER;
        return this.#end();
      case "suspend":
        return "suspend";
      case "redraw":
        return "clear";
      default:
        return undefined;
    }
  }

  /**
   * What goes on is stopped. Lines that wait would begin something else: they go back to the line
   * that is edited.
   */
  interrupted(): void {
    this.#ending = false;
    this.#hint = "";
    const lines = this.#entered.map(({ text }) => text);
    if (lines.length === 0) return;
    const rest = isEmpty(this.#editor) ? [] : [this.text];
    this.#editor = withText(this.#editor, [...lines, ...rest].join("\n"));
    this.#entered = [];
  }

  /** The rows to show, at most so many, and where the cursor is if there is a line to edit. */
  rows(columns: number, most: number): { rows: string[]; cursor?: Drawn["cursor"] } {
    const faint = (text: string) => this.#style("faint", fitRow(text, columns - 1));
    const next = this.#entered.map(({ text }) =>
      faint(`Next: ${printable(text).replace(/\s+/g, " ").trim()}`)
    );
    const hint = this.#hint === "" ? [] : [faint(this.#hint)];
    if (!this.asked && isEmpty(this.#editor)) return { rows: [...next, ...hint] };
    const left = Math.max(1, most - next.length - hint.length);
    const { rows, cursor } = this.#drawn(this.#editor, columns, left);
    return {
      rows: [...next, ...rows, ...hint],
      cursor: { ...cursor, row: next.length + cursor.row },
    };
  }

  #submit(columns: number): Effect | undefined {
    const { text } = this;
    if (text.trim() === "") {
      this.#editor = submitted(this.#editor);
      return undefined;
    }
    const { rows } = this.#drawn(this.#editor, columns, Infinity);
    this.#entered.push({ text, shown: rows.map((row) => `${row}\n`).join("") });
    this.#editor = submitted(this.#editor);
    return "entered";
  }

  #end(): Effect {
    this.#ending = true;
    return "end";
  }

  #drawn(editor: EditorState, columns: number, most: number): Drawn {
    const prompt = `${this.#style("strong", PROMPT.trimEnd())} `;
    return drawn(editor, { prompt, promptColumns: PROMPT.length, columns, most });
  }
}
