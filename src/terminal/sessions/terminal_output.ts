// deno-lint-ignore-file no-control-regex -- this file reads control characters
import { headOf, OutputRing, tailOf } from "./output_ring.ts";
import { PlainText } from "./plain_text.ts";
import { type Cursor, Screen } from "./screen.ts";
import { afterWaiting, type SequenceState, WaitingBytes } from "./waiting_bytes.ts";

/** Most unread UTF-16 units of text, and most undecoded bytes; the oldest are dropped. */
const CAPACITY = 1024 ** 2;
/** UTF-16 units of recent output to draw on a screen that becomes necessary later. */
const REPLAY = 32 * 1024;
/** UTF-16 units to draw at a time. */
const DRAWN = 16 * 1024;
/** Bytes to decode at a time. */
const DECODED = 32 * 1024;

/** The sequences with which a program leaves the alternate screen. */
const LEAVE = /\x1b\[\?[0-9;]*(?:1049|1047|47)[0-9;]*l/;

/** Output that was read. */
export interface TakenOutput {
  readonly output: string;
  readonly hasMore: boolean;
  readonly droppedBytes?: number;
  readonly screen?: boolean;
  readonly cursor?: Cursor;
}

/** Options of {@linkcode TerminalOutput}. */
export interface TerminalOutputOptions {
  readonly columns: number;
  readonly rows: number;
  /** Sends answers to queries of the program. */
  readonly reply: (text: string) => void;
}

/**
 * The output of a terminal, for an occasional reader: plain text as long as that is enough, and the
 * whole screen while a program draws one.
 */
export class TerminalOutput {
  readonly #reply: (text: string) => void;
  #size: { readonly columns: number; readonly rows: number };
  readonly #ring = new OutputRing(CAPACITY);
  readonly #plain: PlainText;
  readonly #decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  /**
   * Recent bytes that are not decoded yet, and never are in most of a flood. They need no screen.
   */
  readonly #waiting = new WaitingBytes(CAPACITY);
  #sequence: SequenceState = "none";
  #ended = false;
  #screen: Screen | undefined;
  /** The end of the output, without what was drawn on the alternate screen. */
  #recent = "";
  /** Text that draws the screen before `#recent`. */
  #before = "";
  #hidden: string | undefined;
  /** The incomplete sequence at the end, which may leave the alternate screen. */
  #rest = "";

  constructor(options: TerminalOutputOptions) {
    this.#reply = options.reply;
    this.#size = options;
    this.#plain = new PlainText({
      columns: options.columns,
      reply: options.reply,
      emit: (text) => this.#ring.add(text),
    });
  }

  /** True if the program has turned on the application codes of the cursor keys. */
  get applicationCursor(): boolean {
    return this.#screen?.applicationCursor ?? this.#plain.applicationCursor;
  }

  /** True if a program draws the screen. */
  get drawsScreen(): boolean {
    return this.#screen !== undefined;
  }

  /** True if there is unread output. */
  get hasUnread(): boolean {
    if (!this.#ring.isEmpty || this.#waiting.length > 0) return true;
    return this.#screen === undefined
      ? this.#plain.partial !== ""
      : this.#screen.changed !== undefined;
  }

  /**
   * True if so much is unread that `take` surely returns `maxBytes`, or some may soon be dropped.
   */
  fills(maxBytes: number): boolean {
    // Twice as much, because ends of lines and colours are not returned.
    const enough = Math.min(2 * maxBytes, CAPACITY / 2);
    return this.#screen === undefined && this.#ring.length + this.#waiting.length >= enough;
  }

  /** The end of the unread text, at most `units` long. */
  peek(units: number): string {
    this.#read(Infinity);
    const text = this.#screen === undefined
      ? this.#ring.tail(units) + this.#plain.partial
      : `${this.#ring.tail(units)}${this.#screen.text}`;
    return text.slice(Math.max(0, text.length - units));
  }

  /** Takes output; resolves when it was processed, so that a slow screen slows the program. */
  async add(bytes: Uint8Array): Promise<void> {
    if (this.#screen === undefined && this.#hidden === undefined) {
      const within = this.#plain.isWithinSequence;
      const sequence = within ? undefined : afterWaiting(bytes, this.#sequence);
      this.#sequence = sequence ?? "none";
      if (sequence !== undefined) return this.#defer(bytes);
      this.#read(Infinity);
    }
    let text: string | undefined = this.#decoder.decode(bytes, { stream: true });
    if (this.#hidden !== undefined) {
      this.#hidden = (this.#hidden + text).slice(-REPLAY);
      return;
    }
    while (text !== undefined && text !== "") {
      if (this.#screen !== undefined) text = await this.#draw(this.#screen, text);
      else {
        const rest = this.#plain.write(text);
        this.#remember(rest === undefined ? text : text.slice(0, text.length - rest.length));
        // The rest includes a sequence that began in the chunk before.
        if (rest !== undefined) await this.#openScreen(rest.startsWith("\x1b[?"));
        text = rest;
      }
    }
  }

  /** Ends the output. */
  end(): void {
    this.#ended = true;
    if (this.#screen === undefined && this.#waiting.length === 0) this.#plain.end();
  }

  /** Takes unread output, at most `maxBytes` of UTF-8 from its beginning. */
  take(maxBytes: number): TakenOutput {
    this.#read(maxBytes);
    const dropped = this.#ring.takeDropped();
    const gap = dropped === 0 ? {} : { droppedBytes: dropped };
    const output = this.#ring.take(maxBytes);
    // Decodes a bit more, to know if there is more.
    this.#read(1);
    const screen = this.#screen;
    if (screen !== undefined) {
      if (!this.#ring.isEmpty) return { output, hasMore: true, ...gap };
      const changed = screen.changed ?? "";
      screen.give();
      // Unread text from before the screen was drawn is not visible on it.
      const whole = tailOf(output + changed, maxBytes);
      return { output: whole, hasMore: false, ...gap, screen: true, cursor: screen.cursor };
    }
    if (!this.#ring.isEmpty) return { output, hasMore: true, ...gap };
    const { partial } = this.#plain;
    const room = maxBytes - new TextEncoder().encode(output).length;
    const head = headOf(partial, room);
    this.#plain.give(head.length);
    return { output: output + head, hasMore: head.length < partial.length, ...gap };
  }

  /**
   * The end of the unread output, at most `maxBytes` of UTF-8, without taking it. `hasMore`: true
   * if there is more before it.
   */
  peekEnd(maxBytes: number): { readonly text: string; readonly hasMore: boolean } {
    // Most of it need not be decoded.
    if (this.#waiting.length > 4 * maxBytes) {
      return { text: this.#lastOf(4 * maxBytes, maxBytes), hasMore: true };
    }
    this.#read(Infinity);
    const screen = this.#screen?.changed ?? "";
    const text = this.#ring.tail(maxBytes) +
      (this.#screen === undefined ? this.#plain.partial : screen);
    const end = tailOf(text, maxBytes);
    return { text: end, hasMore: this.#ring.length > maxBytes || end.length < text.length };
  }

  /**
   * Closes the screen after the shell has returned to its prompt; it is opened again when a program
   * draws.
   */
  leaveScreen(): void {
    const screen = this.#screen;
    if (screen === undefined || screen.alternate) return;
    this.#plain.begin(screen.cursorLine);
    this.#closeScreen();
  }

  /** Hides output from now on. */
  hide(): void {
    this.#read(Infinity);
    this.#hidden = "";
  }

  /** The end of the output that was hidden so far. */
  get hidden(): string {
    return this.#hidden ?? "";
  }

  /** Stops hiding output. */
  unhide(): void {
    this.#hidden = undefined;
  }

  /** True while output is hidden. */
  get isHidden(): boolean {
    return this.#hidden !== undefined;
  }

  /** Changes the size. */
  resize(size: { readonly columns: number; readonly rows: number }): void {
    this.#read(Infinity);
    this.#size = size;
    this.#plain.resize(size.columns);
    this.#screen?.resize(size.columns, size.rows);
  }

  /** Text that draws the current screen on another terminal. */
  async paint(): Promise<string> {
    if (this.#screen !== undefined) return this.#screen.painted;
    this.#read(Infinity);
    const screen = await Screen.open(this.#size, () => {});
    try {
      await screen.write(this.#before + this.#recent);
      return screen.painted;
    } finally {
      screen.close();
    }
  }

  /** Frees its resources. */
  close(): void {
    this.#screen?.close();
  }

  /** Keeps output as bytes until it is read. */
  #defer(bytes: Uint8Array): void {
    const dropped = this.#waiting.push(bytes);
    if (dropped === 0) return;
    // Decoded text is older, so it is dropped first.
    this.#plain.end();
    this.#ring.drop(dropped);
    // Skips the rest of a character whose beginning was dropped.
    this.#decoder.decode();
  }

  /** The end of the text of the last undecoded bytes. */
  #lastOf(bytes: number, maxBytes: number): string {
    const text = new OutputRing(bytes);
    const { columns } = this.#size;
    const plain = new PlainText({ columns, reply: () => {}, emit: (part) => text.add(part) });
    plain.write(new TextDecoder().decode(this.#waiting.last(bytes)));
    plain.end();
    return tailOf(text.tail(bytes), maxBytes);
  }

  /** Decodes bytes until there are that many units of unread text. */
  #read(units: number): void {
    while (this.#waiting.length > 0 && this.#ring.length < units) {
      const text = this.#decoder.decode(this.#waiting.take(DECODED), { stream: true });
      this.#plain.write(text);
      this.#remember(text);
      if (this.#ended && this.#waiting.length === 0) this.#plain.end();
    }
  }

  /** `alternate`: true if it hides all that was shown before. */
  async #openScreen(alternate: boolean): Promise<void> {
    let replays = true;
    const screen = await Screen.open(this.#size, (text) => {
      if (!replays) this.#reply(text);
    });
    await screen.write(this.#recent);
    replays = false;
    if (!alternate) {
      const unread = this.#ring.tail(REPLAY) + this.#plain.partial;
      if (screen.text.endsWith(unread.trimEnd())) this.#ring.take(Infinity);
    }
    this.#screen = screen;
  }

  async #draw(screen: Screen, text: string): Promise<string | undefined> {
    const whole = this.#rest + text;
    this.#rest = "";
    const leave = LEAVE.exec(whole);
    if (leave !== null) {
      const end = leave.index + leave[0].length;
      await this.#drawParts(screen, whole.slice(0, end));
      this.#plain.applicationCursor = screen.applicationCursor;
      if (!screen.alternate) this.#closeScreen();
      return whole.slice(end);
    }
    const begun = /\x1b(?:\[(?:\?[0-9;]{0,32})?)?$/.exec(whole)?.index ?? whole.length;
    this.#rest = whole.slice(begun);
    await this.#drawParts(screen, whole.slice(0, begun));
    return undefined;
  }

  async #drawParts(screen: Screen, text: string): Promise<void> {
    for (let at = 0; at < text.length; at += DRAWN) await screen.write(text.slice(at, at + DRAWN));
  }

  #closeScreen(): void {
    this.#before = this.#screen?.painted ?? "";
    this.#screen?.close();
    this.#screen = undefined;
    this.#recent = "";
  }

  #remember(text: string): void {
    const isLong = this.#recent.length + text.length > 2 * REPLAY;
    if (isLong) this.#before = "";
    if (text.length >= REPLAY) this.#recent = text.slice(-REPLAY);
    else this.#recent = isLong ? (this.#recent + text).slice(-REPLAY) : this.#recent + text;
  }
}
