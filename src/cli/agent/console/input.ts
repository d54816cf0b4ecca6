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

/** A line that was entered, and its rows as they stay on the screen. */
export interface Entered {
  readonly text: string;
  readonly shown: string;
}

/** Actions of a key that the console carries out. */
export type Effect = "entered" | "end" | "suspend" | "clear";

/** The prompt before a line. */
const PROMPT = "You: ";
const LEAVING = "Ctrl+C again, or Ctrl+D, ends llmcmd";
const LATER = "llmcmd ends after this";
const TOO_LONG = `The pasted text is longer than ${MOST_INPUT / 1024 ** 2} MiB and was dropped: ` +
  "give the name of a file instead";

/**
 * The line that is edited below a talk, and a queue of entered lines. Keys go in, rows come out.
 */
export class ConsoleInput {
  readonly #style: Style;
  #editor: EditorState;
  #entered: Entered[] = [];
  #hint = "";
  #ending = false;
  /** True while `next` waits for a line; otherwise lines are queued. */
  asked = false;

  constructor(history: readonly string[], style: Style) {
    this.#editor = newEditor(history);
    this.#style = style;
  }

  /** True if the input ends after the queued lines. */
  get ending(): boolean {
    return this.#ending;
  }

  /** The text that is edited. */
  get text(): string {
    return editedText(this.#editor);
  }

  /** Takes the first queued line. */
  take(): Entered | undefined {
    return this.#entered.shift();
  }

  /** Applies a key, on a terminal with the given columns. */
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
   * Call when the current work is stopped. Queued lines would begin other work, so they return to
   * the line that is edited.
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

  /** The rows to show, at most `most`, and the cursor if a line can be edited. */
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
