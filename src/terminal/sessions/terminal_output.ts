// deno-lint-ignore-file no-control-regex -- they are what this reads
import { headOf, OutputRing, tailOf } from "./output_ring.ts";
import { PlainText } from "./plain_text.ts";
import { type Cursor, Screen } from "./screen.ts";
import { afterWaiting, type SequenceState, WaitingBytes } from "./waiting_bytes.ts";

/** UTF-16 units of text, and bytes before that, that wait to be read, at most; the oldest go. */
const CAPACITY = 1024 ** 2;
/** Units of what came last, from which a screen is drawn that is needed in the middle. */
const REPLAY = 32 * 1024;
/** Units that are drawn at a time. */
const DRAWN = 16 * 1024;
/** Bytes that are made text of at a time. */
const DECODED = 32 * 1024;

/** The sequences with which a program leaves the alternate screen. */
const LEAVE = /\x1b\[\?[0-9;]*(?:1049|1047|47)[0-9;]*l/;

/** What was read. */
export interface TakenOutput {
  readonly output: string;
  readonly hasMore: boolean;
  readonly droppedBytes?: number;
  readonly screen?: boolean;
  readonly cursor?: Cursor;
}

/** How to make {@linkcode TerminalOutput}. */
export interface TerminalOutputOptions {
  readonly columns: number;
  readonly rows: number;
  /** Sends answers to questions of the program. */
  readonly reply: (text: string) => void;
}

/**
 * The output of a terminal, for a reader that comes now and then: plain text as long as that is
 * enough, and the whole screen while a program draws one.
 */
export class TerminalOutput {
  readonly #reply: (text: string) => void;
  #size: { readonly columns: number; readonly rows: number };
  readonly #ring = new OutputRing(CAPACITY);
  readonly #plain: PlainText;
  readonly #decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  /** What came last and is not text yet: most of a flood never is. It needs no screen. */
  readonly #waiting = new WaitingBytes(CAPACITY);
  #sequence: SequenceState = "none";
  #ended = false;
  #screen: Screen | undefined;
  /** The end of what came, without what was drawn in the alternate screen. */
  #recent = "";
  /** What drew the screen that was there before that. */
  #before = "";
  #hidden: string | undefined;
  /** The beginning of a sequence that may be the one to leave the screen. */
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

  /** Whether the program has turned on the application codes of the cursor keys. */
  get applicationCursor(): boolean {
    return this.#screen?.applicationCursor ?? this.#plain.applicationCursor;
  }

  /** Whether a program draws the screen. */
  get drawsScreen(): boolean {
    return this.#screen !== undefined;
  }

  /** Whether there is something to read. */
  get hasUnread(): boolean {
    if (!this.#ring.isEmpty || this.#waiting.length > 0) return true;
    return this.#screen === undefined
      ? this.#plain.partial !== ""
      : this.#screen.changed !== undefined;
  }

  /** Whether so much waits that `take` surely gives `maxBytes`, or it may soon be lost. */
  fills(maxBytes: number): boolean {
    // Of what waits, ends of lines and colours are not given.
    const enough = Math.min(2 * maxBytes, CAPACITY / 2);
    return this.#screen === undefined && this.#ring.length + this.#waiting.length >= enough;
  }

  /** The end of what was not read, at most `units` long. */
  peek(units: number): string {
    this.#read(Infinity);
    const text = this.#screen === undefined
      ? this.#ring.tail(units) + this.#plain.partial
      : `${this.#ring.tail(units)}${this.#screen.text}`;
    return text.slice(Math.max(0, text.length - units));
  }

  /** Takes output; resolves when it was taken in, so that a slow screen holds up its program. */
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
        // A sequence that began in the chunk before is part of the rest.
        if (rest !== undefined) await this.#openScreen(rest.startsWith("\x1b[?"));
        text = rest;
      }
    }
  }

  /** Ends the output: nothing comes any more. */
  end(): void {
    this.#ended = true;
    if (this.#screen === undefined && this.#waiting.length === 0) this.#plain.end();
  }

  /** Takes what was not read, at most `maxBytes` of UTF-8 from its beginning. */
  take(maxBytes: number): TakenOutput {
    this.#read(maxBytes);
    const dropped = this.#ring.takeDropped();
    const gap = dropped === 0 ? {} : { droppedBytes: dropped };
    const output = this.#ring.take(maxBytes);
    // Whether there is more.
    this.#read(1);
    const screen = this.#screen;
    if (screen !== undefined) {
      if (!this.#ring.isEmpty) return { output, hasMore: true, ...gap };
      const changed = screen.changed ?? "";
      screen.give();
      // What came before the screen was drawn is hidden by it, and was not read.
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
   * The end of what was not read, at most `maxBytes` of UTF-8, without taking it, and whether there
   * is more before it.
   */
  peekEnd(maxBytes: number): { readonly text: string; readonly hasMore: boolean } {
    // Most of it may stay as it is.
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

  /** The shell is back at its prompt: what follows needs no screen, until a program draws again. */
  leaveScreen(): void {
    const screen = this.#screen;
    if (screen === undefined || screen.alternate) return;
    this.#plain.begin(screen.cursorLine);
    this.#closeScreen();
  }

  /** Keeps what comes from now on out of sight. */
  hide(): void {
    this.#read(Infinity);
    this.#hidden = "";
  }

  /** What came out of sight so far, the end of it. */
  get hidden(): string {
    return this.#hidden ?? "";
  }

  /** Ends that. */
  unhide(): void {
    this.#hidden = undefined;
  }

  /** Whether what comes is out of sight. */
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

  /** Text that draws what is to be seen now on another terminal. */
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

  /** Lets go of everything that holds resources. */
  close(): void {
    this.#screen?.close();
  }

  /** Keeps output as bytes until somebody asks for it. */
  #defer(bytes: Uint8Array): void {
    const dropped = this.#waiting.push(bytes);
    if (dropped === 0) return;
    // What is text already came before it.
    this.#plain.end();
    this.#ring.drop(dropped);
    // The rest of a character whose beginning was dropped.
    this.#decoder.decode();
  }

  /** The end of the text of the last bytes that wait. */
  #lastOf(bytes: number, maxBytes: number): string {
    const text = new OutputRing(bytes);
    const { columns } = this.#size;
    const plain = new PlainText({ columns, reply: () => {}, emit: (part) => text.add(part) });
    plain.write(new TextDecoder().decode(this.#waiting.last(bytes)));
    plain.end();
    return tailOf(text.tail(bytes), maxBytes);
  }

  /** Makes text of what waits, until there are so many units of it. */
  #read(units: number): void {
    while (this.#waiting.length > 0 && this.#ring.length < units) {
      const text = this.#decoder.decode(this.#waiting.take(DECODED), { stream: true });
      this.#plain.write(text);
      this.#remember(text);
      if (this.#ended && this.#waiting.length === 0) this.#plain.end();
    }
  }

  /** `alternate`: whether that hides all that was there before. */
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
