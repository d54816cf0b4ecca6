import { unicodeWidth } from "@std/cli/unicode-width";
import { printable } from "../../base/mod.ts";
import type { ByteSink } from "../../streams/mod.ts";
import { fit } from "../text/mod.ts";

/** Options of {@linkcode Messages}. */
export interface MessagesOptions {
  /** Standard error. */
  readonly sink: ByteSink;
  /** True if a status line may be shown: only on a terminal. */
  readonly terminal: boolean;
  /** True if styles may be used. */
  readonly color: boolean;
  /** Columns of the terminal; called again for each status line. */
  readonly columns: () => number;
  /** The command's name, printed before every message. */
  readonly name: string;
}

/**
 * Writes standard error: lines of text, and on a terminal one status line below them, which is
 * erased before anything else is written. Writes happen in order and never reject: if standard
 * error is closed, nobody could read the error.
 */
export class Messages {
  readonly #options: MessagesOptions;
  #redact: (text: string) => string = (text) => text;
  #queue: Promise<void> = Promise.resolve();
  #broken = false;
  #status = "";
  #shown = 0;
  #hidden = false;

  /** Prints nothing yet. */
  constructor(options: MessagesOptions) {
    this.#options = options;
  }

  /** Removes secrets from everything that is shown from now on. */
  redactWith(redact: (text: string) => string): void {
    this.#redact = redact;
  }

  /** Removes secrets from text. */
  redact(text: string): string {
    return this.#redact(text);
  }

  /** Writes a message, which may have several lines, after the command's name. */
  say(text: string): void {
    const { name } = this.#options;
    const lines = printable(this.#redact(text)).replace(/\n+$/, "").split("\n");
    this.#write(this.#erase() + lines.map((line) => `${name}: ${line}\n`).join("") + this.#draw());
  }

  /** Writes a warning. */
  warn(text: string): void {
    this.say(`warning: ${text}`);
  }

  /** Writes a line without changes, such as an event. */
  raw(line: string): Promise<void> {
    this.#write(this.#erase() + line + this.#draw());
    return this.#queue;
  }

  /** Shows a status line, or erases it (`""`). Does nothing without a terminal. */
  status(text: string): void {
    if (!this.#options.terminal || text === this.#status && this.#shown > 0) return;
    this.#status = text;
    this.#write(this.#erase() + this.#draw());
  }

  /** Erases the status line and keeps it hidden, so that others can write to the terminal. */
  hide(): void {
    this.#hidden = true;
    this.#write(this.#erase());
  }

  /** Shows the status line again from its next change on. */
  unhide(): void {
    this.#hidden = false;
  }

  /** Waits until everything is written. */
  flush(): Promise<void> {
    return this.#queue;
  }

  #erase(): string {
    if (this.#shown === 0) return "";
    const blank = `\r${" ".repeat(this.#shown)}\r`;
    this.#shown = 0;
    return blank;
  }

  #draw(): string {
    if (this.#status === "" || this.#hidden) return "";
    const text = fit(printable(this.#redact(this.#status)), this.#options.columns() - 1);
    this.#shown = unicodeWidth(text);
    return this.#options.color ? `\x1b[2m${text}\x1b[22m` : text;
  }

  #write(text: string): void {
    if (text === "" || this.#broken) return;
    this.#queue = this.#queue.then(async () => {
      try {
        await this.#options.sink.write(new TextEncoder().encode(text));
      } catch {
        this.#broken = true;
      }
    });
  }
}
