import { joinBytes } from "../../base/mod.ts";
import { QuestionFilter } from "./escapes.ts";

/**
 * Most bytes that wait for one person's terminal; with more, they are dropped and the screen is
 * drawn again.
 */
const MOST_WAITING = 256 * 1024;

/** Columns and rows of a terminal. */
export interface TerminalSize {
  /** Characters in a row. */
  readonly columns: number;
  /** Rows. */
  readonly rows: number;
}

/** A person's terminal. */
export interface Viewer {
  /** Shows bytes; resolves when the terminal takes more, rejects when it has gone. */
  write(bytes: Uint8Array<ArrayBuffer>): Promise<void>;
}

/** The terminal of a session, as its viewers need it. */
export interface ViewedTerminal {
  /** Text that draws the current screen. */
  paint(): Promise<string>;
  /** Sets the size of the terminal; its own if `undefined`. */
  resize(size: TerminalSize | undefined): void;
}

/** One person's terminal, and the output that waits for it. */
class View {
  readonly viewer: Viewer;
  size: TerminalSize;
  #waiting: Uint8Array<ArrayBuffer>[] = [];
  #bytes = 0;
  /** True if output was dropped, so that the screen must be drawn again. */
  #stale = false;
  #ended = false;
  #wake = () => {};

  constructor(viewer: Viewer, size: TerminalSize) {
    this.viewer = viewer;
    this.size = size;
  }

  push(bytes: Uint8Array<ArrayBuffer>): void {
    if (this.#stale) return;
    this.#waiting.push(bytes);
    this.#bytes += bytes.length;
    if (this.#bytes > MOST_WAITING) this.drop();
    this.#wake();
  }

  /** Drops waiting output, to draw the screen again. */
  drop(): void {
    this.#waiting = [];
    this.#bytes = 0;
    this.#stale = true;
    this.#wake();
  }

  /** Ends the output. */
  end(): void {
    this.#ended = true;
    this.#wake();
  }

  /** Shows output until it ends. Rejects when the terminal has gone. */
  async run(repaint: (show: (picture: Uint8Array<ArrayBuffer>) => void) => Promise<void>) {
    for (;;) {
      if (this.#waiting.length > 0) {
        const bytes = joinBytes(this.#waiting);
        this.#waiting = [];
        this.#bytes = 0;
        await this.viewer.write(bytes);
      } else if (this.#stale) {
        await repaint((picture) => {
          this.#stale = false;
          this.push(picture);
        });
      } else if (this.#ended) return;
      else await new Promise<void>((resolve) => this.#wake = resolve);
    }
  }
}

/** A person who has joined a session. */
export interface Joined {
  /**
   * Settles when the session has ended and all output was shown, or the terminal has gone. Never
   * rejects.
   */
  readonly over: Promise<void>;
  /** Reports the size of the person's terminal. */
  resize(size: TerminalSize): void;
  /** Leaves the session. */
  leave(): void;
}

/**
 * The persons who have joined a session. Each of their terminals shows the output at its own pace:
 * none slows the program, and a slow one loses waiting output and gets the current screen later.
 */
export class Viewers {
  readonly #terminal: ViewedTerminal;
  readonly #views = new Set<View>();
  #filter = new QuestionFilter();
  #last: Promise<unknown> = Promise.resolve();
  #ended = false;

  constructor(terminal: ViewedTerminal) {
    this.#terminal = terminal;
  }

  /** Number of persons. */
  get count(): number {
    return this.#views.size;
  }

  /** Processes a chunk with `takeIn`, then shows a copy of it; no screen is drawn in between. */
  async show(bytes: Uint8Array<ArrayBuffer>, takeIn: () => Promise<boolean>): Promise<void> {
    await this.#alone(async () => {
      const visible = await takeIn();
      if (!visible || this.#views.size === 0) return;
      for (const part of this.#filter.filter(bytes.slice())) {
        for (const view of this.#views) view.push(part);
      }
    });
  }

  /** Ends the output. */
  end(): void {
    this.#ended = true;
    for (const view of this.#views) view.end();
  }

  /** Adds a person's terminal. */
  async join(viewer: Viewer, size: TerminalSize): Promise<Joined> {
    const view = new View(viewer, size);
    await this.#alone(async () => {
      if (this.#views.size === 0) this.#filter = new QuestionFilter();
      this.#views.add(view);
      this.#fit(view);
      view.push(await this.#picture());
    });
    if (this.#ended) view.end();
    const leave = () => {
      if (this.#views.delete(view)) this.#fit();
      view.end();
    };
    const repaint = (show: (picture: Uint8Array<ArrayBuffer>) => void) =>
      this.#alone(async () => show(await this.#picture()));
    return {
      over: view.run(repaint).catch(() => {}).finally(leave),
      leave,
      resize: (size) => {
        view.size = size;
        if (this.#views.has(view)) this.#fit(view);
      },
    };
  }

  /**
   * Sets a size that all terminals can show. The screen is drawn again on all but the `asking` one.
   */
  #fit(asking?: View): void {
    const sizes = [...this.#views].map(({ size }) => size);
    this.#terminal.resize(
      sizes.length === 0 ? undefined : {
        columns: Math.min(...sizes.map(({ columns }) => columns)),
        rows: Math.min(...sizes.map(({ rows }) => rows)),
      },
    );
    for (const view of this.#views) if (view !== asking) view.drop();
  }

  async #picture(): Promise<Uint8Array<ArrayBuffer>> {
    return new TextEncoder().encode(await this.#terminal.paint());
  }

  #alone(work: () => Promise<void>): Promise<void> {
    const done = this.#last.then(work);
    this.#last = done.catch(() => {});
    return done;
  }
}
