import type {
  SessionInput,
  SessionOutput,
  SessionRead,
  SessionState,
  SessionStopped,
  SessionWritten,
  Survivors,
  TerminalSession,
} from "../../ports/mod.ts";
import { checkLines, readKeys } from "./keys.ts";
import { Echo, matchesAnswer } from "./echo.ts";
import type { PtyEnd, PtyProcess } from "./pty_process.ts";
import { assignment, type ShellName } from "./assignment.ts";
import { type Joined, type TerminalSize, type Viewer, Viewers } from "./viewers.ts";
import { TerminalOutput } from "./terminal_output.ts";
import type { Verdict } from "./waiting.ts";
import { Watch } from "./watch.ts";

/** Milliseconds without output that end a call, once some output has come. */
const IDLE = 150;
/** Milliseconds without output before checking whether a program waits. */
const QUIET = 40;
/** Milliseconds between two checks, at first and after a long silence. */
const LOOK = { first: 45, most: 320 };
/** Milliseconds without output that count as a long silence. */
const LONG_SILENCE = 2000;
/** Milliseconds between checks at the end of a call. */
const SETTLED = 85;
/** Milliseconds of silence that a program needs to count as waiting. */
const PATIENCE = 150;
/** Most UTF-16 units of output that a pattern is matched with. */
const SEARCHED = 64 * 1024;
/** Most bytes to type at once. */
const MOST_INPUT = 1024 ** 2;
/** Milliseconds that the shell may take to return to its prompt after a variable was set. */
const SET_TIME = 5000;

/** Most bytes of a person's input that wait for the program. */
const MOST_QUEUED = 64 * 1024;

/** Properties of a new session. */
export interface SessionParts {
  readonly sessionId: string;
  readonly shell: string;
  readonly workingDirectory: string;
  readonly command: string | undefined;
  readonly environment: Readonly<Record<string, string>>;
  readonly columns: number;
  readonly rows: number;
  /** The command line with which a person joins; `undefined` if joining is not possible. */
  readonly attachCommand: string | undefined;
  /** Called when the program has ended. */
  readonly onEnd: (session: PtySession) => void;
  /** Called when the session was stopped. */
  readonly onStop: (session: PtySession) => void;
  /** The time, in milliseconds. */
  readonly now: () => number;
}

/** A program on a terminal of its own that keeps running between calls. */
export class PtySession implements TerminalSession {
  /** Its id. */
  readonly sessionId: string;
  /** The process id of its program, or of its shell; `null` if unknown. */
  readonly pid: number | null;
  /** Name of the shell, such as `bash`, also where the shell runs a command. */
  readonly shell: string;
  /** The folder it started in, absolute. */
  readonly workingDirectory: string;
  /** The command it was started with; `undefined` for an interactive shell. */
  readonly command: string | undefined;
  /** The command line with which a person joins; `undefined` if joining is not possible. */
  readonly attachCommand: string | undefined;
  /** Time of its start. */
  readonly startedAt: Date = new Date();
  /** Settles when no process of it is left, and all its output was taken in. */
  readonly ended: Promise<PtyEnd>;
  readonly #parts: SessionParts;
  readonly #pty: PtyProcess;
  readonly #watch: Watch;
  readonly #output: TerminalOutput;
  readonly #viewers: Viewers;
  /** Bytes typed by persons since the last check that the program reads them. */
  #unchecked = 0;
  readonly #environment: Map<string, string>;
  readonly #encoder = new TextEncoder();
  #end: PtyEnd | undefined;
  readonly #echo = new Echo();
  /** Bytes of output so far. */
  #taken = 0;
  /** Bytes of output up to the last that was more than the echo of input. */
  #answered = 0;
  /** Time of the last output, by `performance.now()`. */
  #lastOutput = performance.now();
  /** Time of the last input, by `performance.now()`. */
  #lastInput = performance.now();
  /** Functions that wake calls which wait for output or the end. */
  #wake: (() => void)[] = [];
  /** Number of running calls. */
  #calls = 0;
  /** Time of the last call or output, by the clock of the session's options. */
  #used: number;
  #setting: Promise<void> = Promise.resolve();

  /** Makes the session of a program that was just started. */
  constructor(pty: PtyProcess, parts: SessionParts) {
    this.sessionId = parts.sessionId;
    this.pid = pty.pid;
    this.shell = parts.shell;
    this.workingDirectory = parts.workingDirectory;
    this.command = parts.command;
    this.attachCommand = parts.attachCommand;
    this.#parts = parts;
    this.#pty = pty;
    this.#environment = new Map(Object.entries(parts.environment));
    this.#watch = new Watch({
      pid: pty.innerPid,
      shell: parts.command === undefined ? parts.shell : undefined,
    });
    this.#output = new TerminalOutput({
      columns: parts.columns,
      rows: parts.rows,
      reply: (text) => void pty.write(this.#encoder.encode(text)).catch(() => {}),
    });
    this.#viewers = new Viewers({
      paint: () => this.#output.paint(),
      resize: (size) => this.#resize(size ?? parts),
    });
    this.#used = parts.now();
    this.ended = this.#pump();
  }

  /** Its last known state, without waiting. */
  get state(): SessionState {
    return this.#stateOf(this.#watch.verdict);
  }

  /** Number of persons who have joined. */
  get attached(): number {
    return this.#viewers.count;
  }

  /**
   * Milliseconds by the clock since the last call or output; 0 during a call or while a person has
   * joined.
   */
  get idleFor(): number {
    return this.#calls > 0 || this.attached > 0 ? 0 : this.#parts.now() - this.#used;
  }

  /** Waits for output, then returns the output since the last call. */
  async read(options: SessionRead): Promise<SessionOutput> {
    return await this.#call(async () => {
      // Unread output counts as new output.
      return await this.#wait(options, this.#output.hasUnread ? -1 : this.#taken);
    });
  }

  /** Sends input, then waits and reads as `read` does. */
  async write({ input, raw }: SessionInput, options: SessionRead): Promise<SessionWritten> {
    return await this.#call(async () => {
      if (this.#end !== undefined) throw this.#hasEnded(this.#end);
      const { applicationCursor } = this.#output;
      const { text, keys } = readKeys(input, { raw, applicationCursor });
      const bytes = this.#encoder.encode(text);
      if (bytes.length > MOST_INPUT) {
        throw new RangeError(
          `Cannot send ${bytes.length} bytes at once: at most ${MOST_INPUT}; write them to a file`,
        );
      }
      const facts = await this.#facts();
      if (facts?.canonical === true) checkLines(text);
      options.signal.throwIfAborted();
      const taken = this.#taken;
      this.#echo.typed(text);
      if (bytes.length > 0) await this.#type(bytes);
      return { ...await this.#wait(options, taken, text), keys };
    });
  }

  /**
   * Lets a person join with a terminal of that size. It shows the current screen first, then the
   * output. While persons have joined, the session's terminal is no larger than theirs.
   */
  async join(viewer: Viewer, size: TerminalSize): Promise<Joined> {
    const joined = await this.#viewers.join(viewer, size);
    const { leave } = joined;
    return {
      ...joined,
      leave: () => {
        leave();
        this.#used = this.#parts.now();
      },
    };
  }

  /**
   * Passes a person's input on unchanged; it is neither kept nor shown, except by the program.
   * Resolves when the program can take more. Does nothing if the session has ended.
   */
  async typed(bytes: Uint8Array<ArrayBuffer>): Promise<void> {
    if (this.#end !== undefined) return;
    await this.#type(bytes).catch(() => {});
    this.#unchecked += bytes.length;
    while (this.#unchecked > MOST_QUEUED) {
      const facts = await this.#facts();
      if (facts === undefined || facts.queued <= MOST_QUEUED) this.#unchecked = 0;
      else await this.#pause(LOOK.most, new AbortController().signal);
    }
  }

  /** Checks the terminal, and returns the state as of now. */
  async look(): Promise<SessionState> {
    await this.#settle(new AbortController().signal);
    return this.state;
  }

  /**
   * Ends everything the session started, and returns the end of the unread output, which `read`
   * still returns.
   */
  async stop(
    { force, maxBytes }: { readonly force: boolean; readonly maxBytes: number },
  ): Promise<SessionStopped> {
    const { exitCode } = this.#end ?? await this.kill(force);
    this.#parts.onStop(this);
    const { text, hasMore } = this.#output.peekEnd(maxBytes);
    return { exitCode, finalOutput: text, hasMore, survivors: await this.survivors() };
  }

  /** Ends everything the session started; its output can still be read. */
  async kill(force: boolean): Promise<PtyEnd> {
    if (this.#end === undefined) await this.#pty.stop(force);
    return await this.ended;
  }

  /** Processes that could not be killed, once it has ended. */
  async survivors(): Promise<Survivors> {
    return (await this.ended).survivors;
  }

  /** Drops unread output. */
  close(): void {
    this.#output.close();
  }

  /** The variables it started with, changed by `setVariable`. */
  environment(): Readonly<Record<string, string>> {
    return Object.fromEntries(this.#environment);
  }

  /**
   * Sets a variable in its shell, or removes it (`null`).
   *
   * Rejects unless the session is an interactive shell that is at its prompt.
   */
  async setVariable(name: string, value: string | null, signal: AbortSignal): Promise<void> {
    // One after the other: each types at the prompt.
    const before = this.#setting;
    const setting = before.then(() => this.#call(() => this.#set(name, value, signal)));
    this.#setting = setting.catch(() => {});
    await setting;
  }

  /** True if the shell is at its prompt, as of now. */
  async atPromptNow(): Promise<boolean> {
    return (await this.look()).atPrompt;
  }

  async #call<Result>(call: () => Promise<Result>): Promise<Result> {
    this.#calls++;
    try {
      return await call();
    } finally {
      this.#calls--;
      this.#used = this.#parts.now();
    }
  }

  async #pump(): Promise<PtyEnd> {
    try {
      for await (const chunk of this.#pty.output()) {
        await this.#viewers.show(chunk, async () => {
          await this.#output.add(chunk);
          return !this.#output.isHidden;
        });
        this.#taken += chunk.length;
        if (!this.#echo.covers(chunk)) this.#answered = this.#taken;
        this.#lastOutput = performance.now();
        this.#used = this.#parts.now();
        this.#news();
      }
    } catch {
      // A broken connection counts as its end.
    }
    const end = await this.#pty.ended;
    this.#output.end();
    this.#end = end;
    this.#viewers.end();
    this.#news();
    this.#parts.onEnd(this);
    return end;
  }

  #news(): void {
    const woken = this.#wake;
    this.#wake = [];
    for (const wake of woken) wake();
  }

  /** Waits for output, the end, the signal, or the time-out. */
  async #pause(time: number, signal: AbortSignal): Promise<void> {
    if (this.#end !== undefined || signal.aborted) return;
    await new Promise<void>((resolve) => {
      const done = () => {
        clearTimeout(timer);
        signal.removeEventListener("abort", done);
        this.#wake = this.#wake.filter((wake) => wake !== done);
        resolve();
      };
      const timer = setTimeout(done, Math.max(0, time));
      signal.addEventListener("abort", done, { once: true });
      this.#wake.push(done);
    });
  }

  /**
   * Waits as the options ask, then takes the available output. Output counts for the wait if it is
   * past `from` and, after typing, more than an echo.
   */
  async #wait(options: SessionRead, from: number, typed?: string): Promise<SessionOutput> {
    const { timeout, until, signal, maxBytes } = options;
    const end = performance.now() + timeout;
    let look = 0;
    let gap = LOOK.first;
    for (;;) {
      signal.throwIfAborted();
      const now = performance.now();
      if (this.#end !== undefined) break;
      if (until?.kind === "output" && this.#has(until.matches, typed ?? "")) break;
      if (now >= end) break;
      // More time brings no more output. After typing, wait anyway, to see the effect of the input.
      if (until === undefined && typed === undefined && this.#output.fills(maxBytes)) break;
      const silence = this.#silence(now);
      if (until?.kind !== "exit" && silence >= QUIET && now >= look) {
        const verdict = await this.#look();
        if (verdict !== undefined && holds(verdict, until, silence)) break;
        gap = silence > LONG_SILENCE ? LOOK.most : LOOK.first;
        look = performance.now() + gap;
      }
      const came = until === undefined && this.#answered > from;
      if (came && silence >= IDLE) break;
      await this.#pause(Math.min(gap, came ? Math.max(1, IDLE - silence) : gap, end - now), signal);
    }
    await this.#settle(signal);
    signal.throwIfAborted();
    const taken = this.#output.take(maxBytes);
    const state = this.state;
    if (state.atPrompt && taken.screen === true) this.#output.leaveScreen();
    return { ...state, ...taken };
  }

  /**
   * True if unread output matches, beyond the echo of `typed`. On a drawn screen, an echo counts,
   * too.
   */
  #has(matches: (text: string) => boolean, typed: string): boolean {
    const echoed = this.#output.drawsScreen ? "" : typed;
    return matchesAnswer(matches, this.#output.peek(SEARCHED), echoed);
  }

  /** Updates the verdict. Without one that counts, no program counts as waiting. */
  async #settle(signal: AbortSignal): Promise<void> {
    for (let look = 0; look < 3; look++) {
      if (look > 0) await this.#pause(SETTLED, signal);
      if (this.#end !== undefined || signal.aborted) return;
      if (await this.#look() !== undefined) return;
    }
    this.#watch.verdict = { ...this.#watch.seen, waiting: false, atPrompt: false };
  }

  /** Checks which program waits; returns the verdict if that counts. */
  async #look(): Promise<Verdict | undefined> {
    const facts = await this.#facts();
    if (facts === undefined) return undefined;
    return this.#watch.look(facts, this.#taken, this.#silence(performance.now()));
  }

  /** Milliseconds since the last input or output. */
  #silence(now: number): number {
    return now - Math.max(this.#lastInput, this.#lastOutput);
  }

  async #facts() {
    return this.#end === undefined ? await this.#pty.facts() : undefined;
  }

  async #type(bytes: Uint8Array<ArrayBuffer>): Promise<void> {
    this.#watch.forget();
    this.#lastInput = performance.now();
    try {
      await this.#pty.write(bytes);
    } catch {
      // Its keeper has ended.
      throw this.#hasEnded(await this.ended);
    }
  }

  #resize({ columns, rows }: TerminalSize): void {
    this.#output.resize({ columns, rows });
    this.#pty.resize(columns, rows).catch(() => {});
  }

  #hasEnded({ exitCode }: PtyEnd): RangeError {
    const how = exitCode === null ? "it was killed" : `exit code ${exitCode}`;
    return new RangeError(`Cannot write to ${this.sessionId}: it has ended (${how})`);
  }

  async #set(name: string, value: string | null, signal: AbortSignal): Promise<void> {
    const what = value === null ? `unset ${name}` : `set ${name}`;
    const refuse = (why: string) => new RangeError(`Cannot ${what} in ${this.sessionId}: ${why}`);
    if (this.command !== undefined) {
      throw refuse("it runs a command, not an interactive shell; set it before the start");
    }
    if (!await this.atPromptNow()) {
      const { foreground } = this.#watch.verdict;
      throw refuse(
        this.#end === undefined
          ? `the shell is not at its prompt${foreground === null ? "" : `, ${foreground} runs`}`
          : "it has ended",
      );
    }
    const token = crypto.randomUUID().slice(0, 8);
    const { line, done } = assignment(shellName(this.shell), name, value, token);
    const bytes = this.#encoder.encode(`${line}\r`);
    const facts = await this.#facts();
    if (facts?.canonical === true) checkLines(line);
    signal.throwIfAborted();
    this.#output.hide();
    try {
      // Ctrl+C (3) discards what was typed but not entered.
      for (const input of [Uint8Array.of(3), bytes]) {
        await this.#type(input);
        if (!await this.#backAtPrompt()) throw refuse("the shell did not come back to its prompt");
      }
      if (!this.#output.hidden.includes(done)) {
        throw refuse("the shell refuses it; is it read-only?");
      }
    } finally {
      this.#output.unhide();
    }
    if (value === null) this.#environment.delete(name);
    else this.#environment.set(name, value);
  }

  async #backAtPrompt(): Promise<boolean> {
    const { signal } = new AbortController();
    const end = performance.now() + SET_TIME;
    while (performance.now() < end && this.#end === undefined) {
      const verdict = await this.#look();
      if (verdict?.atPrompt === true) return true;
      await this.#pause(LOOK.first, signal);
    }
    return false;
  }

  #stateOf(verdict: Verdict): SessionState {
    if (this.#end !== undefined) {
      const nothing = { inputMode: null, foreground: null, atPrompt: false } as const;
      const { exitCode } = this.#end;
      const over = { isRunning: false, waitingForInput: false, confidence: "high" } as const;
      return { ...over, ...nothing, exitCode };
    }
    const { waiting, atPrompt, inputMode, foreground, confidence } = verdict;
    const attached = this.attached > 0 ? { attached: true } : {};
    const known = { inputMode, foreground, atPrompt, confidence, ...attached };
    return { isRunning: true, waitingForInput: waiting, ...known, exitCode: null };
  }
}

/** True if a verdict ends a call. */
function holds(verdict: Verdict, until: SessionRead["until"], silence: number): boolean {
  if (until?.kind === "output" || until?.kind === "exit") return false;
  if (verdict.atPrompt) return true;
  return until?.kind !== "prompt" && verdict.waiting && silence >= PATIENCE;
}

function shellName(shell: string): ShellName {
  return shell === "bash" || shell === "zsh" || shell === "fish" ? shell : "sh";
}
