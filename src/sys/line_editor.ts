import { fileError } from "./errors.ts";
import { PastedLines } from "./_pasted_lines.ts";
import { onEndAtOnce } from "./signals.ts";

/** The options of a {@linkcode LineEditor}. */
export interface LineEditorOptions {
  /** The prompt before each line. */
  readonly prompt: string;
  /** The history, oldest line first; empty if absent. */
  readonly history?: readonly string[] | undefined;
}

/** Asks for lines on the terminal, with editing, a history and pasted text of several lines. */
export interface LineEditor {
  /** The next line; `undefined` after Ctrl+C, Ctrl+D on an empty line, and when it was closed. */
  next(): Promise<string | undefined>;
  /**
   * A line that is typed without the editor, in answer to a question; `undefined` at the end of the
   * input, and when the signal fires.
   */
  answer(signal: AbortSignal): Promise<string | undefined>;
  /** Gives a line as one of the next. */
  keep(line: string): void;
  /** Restores the terminal; a pending `next` resolves to `undefined`. */
  close(): Promise<void>;
}

/** Most lines in the history. */
const HISTORY = 1000;
/** Tell the terminal to mark pasted text, and to stop that. */
const MARK_PASTE = "\x1b[?2004h";
const NO_MARKS = "\x1b[?2004l";

/**
 * Opens a line editor on standard input and output, which must be a terminal that moves its cursor
 * (`TERM` is not `dumb`). Between two lines the terminal is in its usual mode: keys typed then are
 * kept, and Ctrl+C sends a signal.
 *
 * @throws {PermissionError} `--allow-env=TERM` is missing.
 */
export async function openLineEditor(options: LineEditorOptions): Promise<LineEditor> {
  const [{ createInterface }, { PassThrough }, { stdout }] = await Promise.all([
    import("node:readline"),
    import("node:stream"),
    import("node:process"),
  ]);
  const input = new PassThrough();
  const pasted = new PastedLines();
  let readline: import("node:readline").Interface;
  try {
    readline = createInterface({
      ...{ input, output: stdout, terminal: true, prompt: options.prompt },
      ...{ historySize: HISTORY, removeHistoryDuplicates: true },
      history: (options.history ?? []).slice(-HISTORY).reverse().map((line) => pasted.show(line)),
    });
  } catch (error) {
    throw fileError("edit lines", "stdin", error);
  }
  return new NodeLineEditor(readline, input, pasted);
}

class NodeLineEditor implements LineEditor {
  readonly #readline: import("node:readline").Interface;
  readonly #input: import("node:stream").PassThrough;
  readonly #pasted: PastedLines;
  readonly #decoder = new TextDecoder();
  readonly #buffer = new Uint8Array(64 * 1024);
  readonly #forget = onEndAtOnce(() => this.#rest());
  readonly #lines: string[] = [];
  /** A read that was begun for an earlier line. */
  #reading: Promise<number | null> | undefined;
  #wake: () => void = () => {};
  #raw = false;
  #ended = false;

  constructor(
    readline: import("node:readline").Interface,
    input: import("node:stream").PassThrough,
    pasted: PastedLines,
  ) {
    this.#readline = readline;
    this.#input = input;
    this.#pasted = pasted;
    const end = () => {
      this.#ended = true;
      this.#wake();
    };
    readline.on("line", (line: string) => {
      this.#lines.push(pasted.read(line));
      this.#wake();
    });
    readline.on("SIGINT", end);
    readline.on("close", end);
    readline.on("SIGTSTP", () => this.#suspend());
  }

  async next(): Promise<string | undefined> {
    if (this.#lines.length === 0 && !this.#ended) {
      this.#take();
      this.#readline.prompt();
      while (this.#lines.length === 0 && !this.#ended) await this.#feed();
      this.#rest();
    }
    return this.#lines.shift();
  }

  async answer(signal: AbortSignal): Promise<string | undefined> {
    this.#reading ??= Deno.stdin.read(this.#buffer);
    const stopped = new Promise<undefined>((resolve) => {
      if (signal.aborted) resolve(undefined);
      else signal.addEventListener("abort", () => resolve(undefined), { once: true });
    });
    const count = await Promise.race([this.#reading, stopped]);
    if (count === undefined) return undefined;
    this.#reading = undefined;
    if (count === null) {
      this.#ended = true;
      return undefined;
    }
    return this.#decoder.decode(this.#buffer.subarray(0, count), { stream: true });
  }

  keep(line: string): void {
    this.#lines.push(line.replace(/\n$/, ""));
  }

  close(): Promise<void> {
    this.#forget();
    this.#lines.length = 0;
    this.#ended = true;
    this.#rest();
    this.#readline.close();
    return Promise.resolve();
  }

  /** Waits for keys, or until it is woken, and passes the keys to the editor. */
  async #feed(): Promise<void> {
    const woken = new Promise<undefined>((resolve) => this.#wake = () => resolve(undefined));
    this.#reading ??= Deno.stdin.read(this.#buffer);
    const count = await Promise.race([this.#reading, woken]);
    if (count === undefined) return;
    this.#reading = undefined;
    if (count === null) {
      this.#ended = true;
      return;
    }
    const text = this.#decoder.decode(this.#buffer.subarray(0, count), { stream: true });
    for (const { text: keys, whole } of this.#pasted.typed(text)) {
      // Given key by key, the editor would process the whole line again for each.
      if (whole) this.#readline.write(keys);
      else await this.#press(keys);
    }
  }

  /** Gives the editor keys, which it reads on a later turn of the event loop. */
  async #press(keys: string): Promise<void> {
    await new Promise<void>((resolve) => this.#input.write(keys, () => resolve()));
    await new Promise((resolve) => setTimeout(resolve, 0));
  }

  #suspend(): void {
    this.#rest();
    try {
      Deno.kill(Deno.pid, "SIGTSTP");
    } catch {
      // Without the permission to send signals, the program cannot be put into the background.
    }
    this.#take();
    this.#readline.prompt(true);
  }

  /** Takes the terminal. */
  #take(): void {
    if (this.#raw) return;
    this.#raw = true;
    Deno.stdin.setRaw(true);
    Deno.stdout.writeSync(new TextEncoder().encode(MARK_PASTE));
  }

  /** Restores the terminal. */
  #rest(): void {
    if (!this.#raw) return;
    this.#raw = false;
    Deno.stdout.writeSync(new TextEncoder().encode(NO_MARKS));
    Deno.stdin.setRaw(false);
  }
}
