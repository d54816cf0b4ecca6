import { joinBytes } from "../../base/mod.ts";
import { QuestionFilter } from "./escapes.ts";

/** Bytes that wait for one person's terminal; when there are more, they are dropped for a new picture. */
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
  /** Shows bytes; resolves when it takes more. Rejects when it has gone. */
  write(bytes: Uint8Array<ArrayBuffer>): Promise<void>;
}

/** What a session does for those who look at it. */
export interface ViewedTerminal {
  /** Text that draws what is to be seen now. */
  paint(): Promise<string>;
  /** Gives the terminal another size; its own if there is none. */
  resize(size: TerminalSize | undefined): void;
}

/** One person's terminal, and what waits for it. */
class View {
  readonly viewer: Viewer;
  size: TerminalSize;
  #waiting: Uint8Array<ArrayBuffer>[] = [];
  #bytes = 0;
  /** Whether output was dropped, so that only a new picture helps. */
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

  /** Drops what waits, for a new picture. */
  drop(): void {
    this.#waiting = [];
    this.#bytes = 0;
    this.#stale = true;
    this.#wake();
  }

  /** Nothing comes any more. */
  end(): void {
    this.#ended = true;
    this.#wake();
  }

  /** Shows what comes until that ends. Rejects when the terminal has gone. */
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

/** A person who looks at a session and types into it. */
export interface Joined {
  /** Settles when the session has ended, all was shown, or the terminal has gone. Never rejects. */
  readonly over: Promise<void>;
  /** The terminal has another size now. */
  resize(size: TerminalSize): void;
  /** Looks no more. */
  leave(): void;
}

/**
 * Those who look at a terminal. What it shows comes to each as fast as that takes it: nobody holds up
 * the program, and who is too slow gets the picture of a later moment.
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

  /** How many there are. */
  get count(): number {
    return this.#views.size;
  }

  /** Takes in output, which is lent, and shows it, with no picture made in between. */
  async show(bytes: Uint8Array<ArrayBuffer>, takeIn: () => Promise<boolean>): Promise<void> {
    await this.#alone(async () => {
      const visible = await takeIn();
      if (!visible || this.#views.size === 0) return;
      for (const part of this.#filter.filter(bytes.slice())) {
        for (const view of this.#views) view.push(part);
      }
    });
  }

  /** Nothing comes any more. */
  end(): void {
    this.#ended = true;
    for (const view of this.#views) view.end();
  }

  /** Shows it to one more. */
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

  /** Gives the terminal a size that all can show; those who have not asked for it see it anew. */
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
