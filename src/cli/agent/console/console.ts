import { unicodeWidth } from "@std/cli/unicode-width";
import {
  openRawTerminal,
  raise,
  type RawTerminal,
  type TerminalListener,
} from "../../../sys/mod.ts";
import { type Key, KeyReader } from "../editor/mod.ts";
import type { LineInput, Question } from "../lines.ts";
import { type Cursor, fitRow, Painter, type Style } from "../screen/mod.ts";
import { ConsoleInput, type Effect } from "./input.ts";
import { answerBy, answeredText, questionRows } from "./question.ts";

/** Options of an {@linkcode AgentConsole}. */
export interface ConsoleOptions {
  /** Earlier lines, oldest first. */
  readonly history: readonly string[];
  readonly style: Style;
  /** Writes to the terminal. */
  write(bytes: Uint8Array<ArrayBuffer>): Promise<void>;
  /** Stops the current work; false if there is none. */
  interrupt(): boolean;
  /** Opens the terminal; for tests. */
  readonly open?: (() => Promise<RawTerminal>) | undefined;
  /** Milliseconds of a monotonic clock; for tests. */
  readonly now?: (() => number) | undefined;
}

/** Milliseconds without input after which an Escape is a key of its own. */
const ESCAPE_TIME = 50;
/** Milliseconds after a key during which the user counts as typing. */
const WRITING = 1000;
/** Milliseconds between two redraws of the status, which shows seconds. */
const FRAME = 1000;

/** A question that waits for its answer. */
interface Asking {
  readonly question: Question;
  settle(answer: string): void;
}

/**
 * The terminal of a talk: printed text, which stays, and below it status rows and the line that is
 * edited. Keys are always read. Text typed while the agent works stays for the next prompt, and
 * lines entered then are returned by the next calls of `next`.
 */
export class AgentConsole implements LineInput {
  readonly #options: ConsoleOptions;
  readonly #now: () => number;
  readonly #keys = new KeyReader();
  readonly #terminal: RawTerminal;
  readonly #painter: Painter;
  readonly #input: ConsoleInput;
  readonly #asking: Asking[] = [];
  readonly #listener: TerminalListener = {
    onBytes: (bytes) => this.#typed(bytes),
    onChange: () => this.#changed(),
    onEnd: () => this.#end(),
  };
  #status: (() => readonly string[]) | undefined;
  #frames: ReturnType<typeof setInterval> | undefined;
  #escape: ReturnType<typeof setTimeout> | undefined;
  #wake: () => void = () => {};
  /** The time when a key last changed the line. */
  #written = -Infinity;
  #printed = false;
  #ended = false;
  #lent = false;
  #suspended = false;
  #closed: Promise<void> | undefined;
  #queue: Promise<void> = Promise.resolve();
  #failure: { readonly error: unknown } | undefined;

  /** Takes over the terminal. */
  static async open(options: ConsoleOptions): Promise<AgentConsole> {
    const terminal = await (options.open ?? openRawTerminal)();
    const opened = new AgentConsole(options, terminal);
    terminal.take(opened.#listener);
    return opened;
  }

  private constructor(options: ConsoleOptions, terminal: RawTerminal) {
    this.#options = options;
    this.#now = options.now ?? (() => performance.now());
    this.#terminal = terminal;
    this.#input = new ConsoleInput(options.history, options.style);
    this.#painter = new Painter(terminal.size().columns);
  }

  /** Columns of a row. */
  get columns(): number {
    return this.#terminal.size().columns - 1;
  }

  /** True while a command uses the terminal. */
  get lent(): boolean {
    return this.#lent;
  }

  /**
   * Prints text that stays; it must have no control characters but colours. Rejects if the terminal
   * cannot be written to.
   */
  async print(text: string): Promise<void> {
    this.#printed ||= text !== "";
    this.#put(this.#painter.print(text));
    await this.#flush();
  }

  /** Shows live rows, which `rows` returns anew each second; removes them if it is absent. */
  status(rows: (() => readonly string[]) | undefined): void {
    this.#status = rows;
    clearInterval(this.#frames);
    if (rows !== undefined) this.#frames = setInterval(() => this.#draw(), FRAME);
    this.#draw();
  }

  /** Redraws the status after a change. */
  update(): void {
    this.#draw();
  }

  /** Resolves to the next line that the user enters; `undefined` at the end of the input. */
  async next(): Promise<string | undefined> {
    if (this.#printed) await this.print(this.#painter.open ? "\n\n" : "\n");
    this.#input.asked = true;
    try {
      for (;;) {
        const entered = this.#input.take();
        if (entered !== undefined) {
          this.#input.asked = false;
          await this.print(entered.shown);
          return entered.text;
        }
        if (this.#ended || this.#input.ending) return undefined;
        const woken = new Promise<void>((resolve) => this.#wake = resolve);
        this.#draw();
        await woken;
      }
    } finally {
      this.#input.asked = false;
      this.#draw();
    }
  }

  /**
   * Asks a question that one key answers, in place of the line that is edited. While the user is
   * typing, keys still go to the line until there is a pause, so that a letter does not answer by
   * accident.
   */
  async ask<Answer extends string>(
    question: Question<Answer>,
    signal: AbortSignal,
  ): Promise<Answer> {
    const { otherwise, answers } = question;
    if (this.#ended || signal.aborted) return otherwise;
    let abort = () => {};
    const given = await new Promise<string>((settle) => {
      const asking = { question, settle };
      abort = () => this.#answer(asking, otherwise);
      signal.addEventListener("abort", abort, { once: true });
      this.#asking.push(asking);
      this.#draw();
    });
    signal.removeEventListener("abort", abort);
    await this.print(answeredText(question, given, this.columns));
    return answers.find(({ answer }) => answer === given)?.answer ?? otherwise;
  }

  /** Lends the terminal to another program, in its usual mode. */
  async lend<Result>(borrow: () => Promise<Result>): Promise<Result> {
    this.#put(this.#painter.leave());
    this.#lent = true;
    await this.#flush();
    this.#terminal.release();
    try {
      return await borrow();
    } finally {
      this.#terminal.take(this.#listener);
      this.#lent = false;
      const { columns } = this.#terminal.size();
      // After a line without its end this moves to the next row; else the cursor stays.
      this.#put(`${" ".repeat(columns)}\r\x1b[K${this.#painter.resize(columns)}`);
      this.#draw();
    }
  }

  /** Restores the terminal; a pending `next` resolves to `undefined`. */
  close(): Promise<void> {
    return this.#closed ??= this.#close();
  }

  async #close(): Promise<void> {
    clearInterval(this.#frames);
    clearTimeout(this.#escape);
    this.#end();
    this.#put(this.#painter.leave());
    await this.#queue;
    this.#terminal.close();
  }

  /** Handles the end of the input: open questions get their default answers. */
  #end(): void {
    this.#ended = true;
    for (const asking of [...this.#asking]) this.#answer(asking, asking.question.otherwise);
    this.#wake();
  }

  #typed(bytes: Uint8Array): void {
    clearTimeout(this.#escape);
    for (const key of this.#keys.read(bytes)) this.#key(key);
    if (this.#keys.waiting) {
      this.#escape = setTimeout(() => {
        for (const key of this.#keys.flush()) this.#key(key);
        this.#draw();
      }, ESCAPE_TIME);
    }
    this.#draw();
  }

  #key(key: Key): void {
    const [asking] = this.#asking;
    const interrupts = key.type === "command" && key.command === "interrupt";
    if (interrupts && !this.#input.asked) return this.#interrupt();
    if (asking !== undefined && this.#now() - this.#written > WRITING) {
      const answer = answerBy(asking.question, key);
      if (answer !== undefined) this.#answer(asking, answer);
      return;
    }
    const before = this.#input.text;
    const effect = this.#input.key(key, this.#terminal.size().columns);
    if (effect === "entered") this.#written = -Infinity;
    else if (this.#input.text !== before) this.#written = this.#now();
    if (effect !== undefined) this.#do(effect);
  }

  #do(effect: Effect): void {
    if (effect === "clear") this.#put(this.#painter.clear());
    else if (effect === "suspend") void this.#suspend();
    else this.#wake();
  }

  #interrupt(): void {
    this.#input.interrupted();
    const [asking] = this.#asking;
    if (asking !== undefined) this.#answer(asking, asking.question.otherwise);
    if (!this.#options.interrupt()) raise("SIGINT");
  }

  #answer(asking: Asking, answer: string): void {
    const at = this.#asking.indexOf(asking);
    if (at < 0) return;
    this.#asking.splice(at, 1);
    asking.settle(answer);
    this.#draw();
  }

  async #suspend(): Promise<void> {
    this.#put(this.#painter.leave());
    this.#suspended = true;
    await this.#queue;
    this.#terminal.suspend();
  }

  #changed(): void {
    this.#suspended = false;
    this.#put(this.#painter.resize(this.#terminal.size().columns));
    this.#draw();
  }

  #draw(): void {
    if (this.#lent || this.#suspended || this.#closed !== undefined) return;
    const { rows, cursor } = this.#rows();
    this.#put(this.#painter.show(rows, cursor));
  }

  /** The live rows, and the position of the cursor. */
  #rows(): { rows: string[]; cursor?: Cursor } {
    const { columns, rows: height } = this.#terminal.size();
    const most = height - 1;
    const status = (this.#status?.() ?? []).map((row) => fitRow(row, columns - 1));
    const [asking] = this.#asking;
    if (asking !== undefined) {
      const rows = [...status, ...questionRows(asking.question, columns - 1)].slice(-most);
      const column = Math.min(columns - 1, unicodeWidth(rows.at(-1) ?? ""));
      return { rows, cursor: { row: rows.length - 1, column } };
    }
    const { rows, cursor } = this.#input.rows(columns, Math.max(1, most - status.length));
    const shown = [...status, ...rows];
    const over = Math.max(0, shown.length - most);
    const all = shown.slice(over);
    return cursor === undefined
      ? { rows: all }
      : { rows: all, cursor: { ...cursor, row: status.length + cursor.row - over } };
  }

  /** Queues text to write. */
  #put(text: string): void {
    if (text === "") return;
    const bytes = new TextEncoder().encode(text);
    this.#queue = this.#queue.then(async () => {
      if (this.#failure !== undefined) return;
      try {
        await this.#options.write(bytes);
      } catch (error) {
        this.#failure = { error };
        this.#end();
      }
    });
  }

  async #flush(): Promise<void> {
    await this.#queue;
    if (this.#failure !== undefined) throw this.#failure.error;
  }
}
