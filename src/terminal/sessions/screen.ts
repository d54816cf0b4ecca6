import type { Terminal } from "@xterm/headless";
import { paint } from "./paint.ts";

/** Most lines that scrolled off the top and are kept until they are read. */
const SCROLLBACK = 2000;

/** Position of the cursor, from 1. */
export interface Cursor {
  readonly row: number;
  readonly column: number;
}

/** The screen that a program draws, as a person would see it. */
export class Screen {
  readonly #terminal: Terminal;
  /** The text that was given last, and the first line that was visible then. */
  #given: string | undefined;
  #top: { readonly line: number; dispose(): void } | undefined;

  private constructor(terminal: Terminal) {
    this.#terminal = terminal;
  }

  /** Makes an empty screen; `reply` receives answers to queries of the program. */
  static async open(
    size: { readonly columns: number; readonly rows: number },
    reply: (text: string) => void,
  ): Promise<Screen> {
    // Imported here, because it takes a while, and most sessions need no screen. The package's main
    // entry names a module that it does not contain, which bundlers follow, so this names the file.
    const { Terminal }: typeof import("@xterm/headless") = await import("@xterm/headless/module");
    const terminal = new Terminal({
      cols: size.columns,
      rows: size.rows,
      scrollback: SCROLLBACK,
      allowProposedApi: true,
      logLevel: "off",
    });
    terminal.onData(reply);
    return new Screen(terminal);
  }

  /** True if a program uses the alternate screen. */
  get alternate(): boolean {
    return this.#terminal.buffer.active.type === "alternate";
  }

  /** True if the program has turned on the application codes of the cursor keys. */
  get applicationCursor(): boolean {
    return this.#terminal.modes.applicationCursorKeysMode;
  }

  /** Position of the cursor. */
  get cursor(): Cursor {
    const { cursorX, cursorY } = this.#terminal.buffer.active;
    const { cols } = this.#terminal;
    return { row: cursorY + 1, column: Math.min(cursorX, cols - 1) + 1 };
  }

  /** Draws output; resolves when that is done. */
  write(text: string): Promise<void> {
    return new Promise((resolve) => this.#terminal.write(text, resolve));
  }

  /** Changes its size. */
  resize(columns: number, rows: number): void {
    this.#terminal.resize(columns, rows);
  }

  /** Text that draws it on another terminal. */
  get painted(): string {
    return paint(this.#terminal);
  }

  /**
   * The visible text, and before it the lines that scrolled off the top since it was last given.
   * Blanks and empty lines at the end are left out.
   */
  get text(): string {
    const buffer = this.#terminal.buffer.active;
    const lines: string[] = [];
    let from = buffer.baseY;
    if (!this.alternate && this.#top !== undefined) {
      // A marker whose line is gone is at -1: then all kept lines are new.
      from = Math.min(from, Math.max(0, this.#top.line));
    }
    for (let at = from; at < buffer.baseY + this.#terminal.rows; at++) {
      const line = buffer.getLine(at);
      const text = line?.translateToString(true) ?? "";
      if (line?.isWrapped === true && lines.length > 0) lines.push((lines.pop() ?? "") + text);
      else lines.push(text);
    }
    return lines.map((line) => line.trimEnd()).join("\n").trimEnd();
  }

  /** The visible text if it has changed since it was given. */
  get changed(): string | undefined {
    const { text } = this;
    return text === this.#given ? undefined : text;
  }

  /** Notes that the visible text was given. */
  give(): void {
    this.#top?.dispose();
    this.#top = undefined;
    if (!this.alternate) {
      const { cursorY } = this.#terminal.buffer.active;
      this.#top = this.#terminal.registerMarker(-cursorY);
    }
    this.#given = this.text;
  }

  /** The row of the cursor, up to the cursor. */
  get cursorLine(): string {
    const { baseY, cursorX, cursorY } = this.#terminal.buffer.active;
    const line = this.#terminal.buffer.active.getLine(baseY + cursorY);
    return line?.translateToString(false, 0, cursorX) ?? "";
  }

  /** Frees its resources. */
  close(): void {
    this.#terminal.dispose();
  }
}
