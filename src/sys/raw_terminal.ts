import { fileError } from "./errors.ts";
import { onEndAtOnce } from "./signals.ts";

/** Handlers for the events of a terminal. */
export interface TerminalListener {
  /** Bytes were typed, or the terminal has answered. */
  onBytes(bytes: Uint8Array): void;
  /** The terminal was resized, or the program continues after it was suspended. */
  onChange(): void;
  /** The terminal is gone. */
  onEnd(): void;
}

/** The terminal of standard input and output, in raw mode. */
export interface RawTerminal {
  /** Its size now. */
  size(): { columns: number; rows: number };
  /** Enters raw mode: keys go to the listener without echo, and Ctrl+C sends no signal. */
  take(listener: TerminalListener): void;
  /** Restores the normal mode. Keys typed from now on are left for other readers. */
  release(): void;
  /**
   * Restores the normal mode and suspends this program, as Ctrl+Z does, until the shell continues
   * it.
   */
  suspend(): void;
  /** Restores the normal mode and closes the terminal. */
  close(): void;
}

/** Turns on marks around pasted text (bracketed paste). */
const BEGIN = "\x1b[?2004h";
/** Turns off the marks, and shows the cursor. */
const END = "\x1b[?2004l\x1b[?25h";

/**
 * Opens the terminal on standard input and output. It stays in its normal mode until `take()`; that
 * mode is restored even when a second signal ends this process. `pasteMarks`: true to get marks
 * around pasted text.
 */
export async function openRawTerminal(
  { pasteMarks = true }: { readonly pasteMarks?: boolean } = {},
): Promise<RawTerminal> {
  // Its reads can be cancelled: a pending read of `Deno.stdin` would take the next key from a later
  // reader.
  const { ReadStream } = await import("node:tty");
  let input: import("node:tty").ReadStream;
  try {
    input = new ReadStream(0);
  } catch (error) {
    throw fileError("read the terminal", "stdin", error);
  }
  return new NodeTerminal(input, pasteMarks);
}

class NodeTerminal implements RawTerminal {
  readonly #input: import("node:tty").ReadStream;
  readonly #pasteMarks: boolean;
  readonly #forget = onEndAtOnce(() => this.release());
  readonly #listeners: readonly (readonly [Deno.Signal, () => void])[];
  #listener: TerminalListener | undefined;
  #taken = false;
  #suspended = false;
  #closed = false;

  constructor(input: import("node:tty").ReadStream, pasteMarks: boolean) {
    this.#input = input;
    this.#pasteMarks = pasteMarks;
    input.pause();
    input.on("data", (bytes: Uint8Array) => {
      if (this.#taken) this.#listener?.onBytes(bytes);
    });
    const end = () => {
      if (!this.#closed) this.#listener?.onEnd();
    };
    input.on("end", end);
    input.on("error", end);
    this.#listeners = Deno.build.os === "windows"
      ? []
      : [["SIGWINCH", () => this.#changed()], ["SIGCONT", () => this.#continued()]];
    for (const [signal, listener] of this.#listeners) Deno.addSignalListener(signal, listener);
  }

  size(): { columns: number; rows: number } {
    try {
      const { columns, rows } = Deno.consoleSize();
      return { columns: columns || 80, rows: rows || 24 };
    } catch {
      return { columns: 80, rows: 24 };
    }
  }

  take(listener: TerminalListener): void {
    this.#listener = listener;
    if (this.#taken || this.#closed) return;
    this.#taken = true;
    this.#input.setRawMode(true);
    this.#input.resume();
    if (this.#pasteMarks) write(BEGIN);
  }

  release(): void {
    if (!this.#taken) return;
    this.#taken = false;
    this.#input.pause();
    write(END);
    this.#input.setRawMode(false);
  }

  suspend(): void {
    if (!this.#taken) return;
    this.release();
    this.#suspended = true;
    try {
      Deno.kill(Deno.pid, "SIGTSTP");
    } catch {
      // Without the permission to send signals, it can't be suspended.
      this.#continued();
    }
  }

  close(): void {
    if (this.#closed) return;
    this.release();
    this.#closed = true;
    this.#forget();
    for (const [signal, listener] of this.#listeners) Deno.removeSignalListener(signal, listener);
    this.#input.destroy();
  }

  #changed(): void {
    if (this.#taken) this.#listener?.onChange();
  }

  /** Sets the mode again, as a shell may have changed it meanwhile. */
  #continued(): void {
    const stopped = this.#suspended || this.#taken;
    this.#suspended = false;
    if (!stopped || this.#closed || this.#listener === undefined) return;
    this.release();
    this.take(this.#listener);
    this.#listener.onChange();
  }
}

function write(text: string): void {
  try {
    Deno.stdout.writeSync(new TextEncoder().encode(text));
  } catch {
    // The terminal is gone.
  }
}
