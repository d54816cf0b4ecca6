import { unicodeWidth } from "@std/cli/unicode-width";
import { printable } from "../../base/mod.ts";
import type { ByteSink } from "../../streams/mod.ts";
import { fit } from "../text/mod.ts";

/** How messages are shown. */
export interface MessagesOptions {
  /** Standard error. */
  readonly sink: ByteSink;
  /** Whether a status line may be shown: only on a terminal. */
  readonly terminal: boolean;
  /** Whether styles may be used. */
  readonly color: boolean;
  /** Columns of the terminal, asked each time. */
  readonly columns: () => number;
  /** Before every message: the command's name. */
  readonly name: string;
}

/**
 * Standard error: lines of text, and on a terminal one status line below them, which is erased
 * before anything else is written. Writes happen in order and never fail: when nobody reads
 * standard error there is nobody to tell.
 */
export class Messages {
  readonly #options: MessagesOptions;
  #redact: (text: string) => string = (text) => text;
  #queue: Promise<void> = Promise.resolve();
  #broken = false;
  #status = "";
  #shown = 0;
  #hidden = false;

  /** Shows nothing yet. */
  constructor(options: MessagesOptions) {
    this.#options = options;
  }

  /** Hides secrets in everything that is shown from now on. */
  redactWith(redact: (text: string) => string): void {
    this.#redact = redact;
  }

  /** Hides secrets in text. */
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

  /** Writes a line as it is, such as an event. */
  raw(line: string): Promise<void> {
    this.#write(this.#erase() + line + this.#draw());
    return this.#queue;
  }

  /** Shows a status line, or erases it (`""`). Does nothing where there is no terminal. */
  status(text: string): void {
    if (!this.#options.terminal || text === this.#status && this.#shown > 0) return;
    this.#status = text;
    this.#write(this.#erase() + this.#draw());
  }

  /** Erases the status line and keeps it away, for others who write to the terminal. */
  hide(): void {
    this.#hidden = true;
    this.#write(this.#erase());
  }

  /** Lets the status line come back with its next change. */
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
