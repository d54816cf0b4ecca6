/**
 * Terminal sessions as the tools CliSession, CliRead, CliWrite, CliStop and CliEnv need them: a
 * program on a terminal of its own that goes on between calls.
 *
 * This is a port: the room does not import what starts processes. `terminal/` implements it
 * structurally, and `cli/` brings the two together. Times are milliseconds, sizes bytes of UTF-8.
 *
 * What goes wrong is a rejection whose message is for the model: it names the value and the way
 * out, and becomes the tool's failed result word for word.
 *
 * @module
 */

/**
 * The sessions of all clients. Each belongs to the owner who started it: for the others it does not
 * exist, in `get`, in `list` and as an id that is taken.
 */
export interface SessionPort extends AsyncDisposable {
  /** Why sessions can't be had at all, and what to do, as far as that is known without trying. */
  readonly unavailable?: string | undefined;
  /**
   * Starts a session; resolves when its program runs. The first output is read with `read`.
   *
   * Rejects where sessions can't be had (the message names what is missing, such as python3, and how
   * to get it), where as many run as are allowed (it names the limit), and where the id is taken, the
   * folder is missing or the command can't be started.
   */
  start(owner: string, options: SessionStart): Promise<TerminalSession>;
  /** The session, also one that has ended and can still be read; `undefined` if there is none. */
  get(owner: string, sessionId: string): TerminalSession | undefined;
  /** The owner's sessions, oldest first, those that have ended and can still be read included. */
  list(owner: string): readonly TerminalSession[];
  /**
   * Ends all sessions of the owner, or everybody's, with all their processes. The owner's client has
   * gone, or the server ends. Never rejects for a session that had ended.
   */
  stopAll(owner?: string): Promise<void>;
}

/** How to start a session. */
export interface SessionStart {
  /** A line for the shell, with which the session ends; the interactive shell itself if absent. */
  readonly command?: string | undefined;
  /** The folder to start in, absolute. It was checked against the allowed folders. */
  readonly workingDirectory: string;
  /** The id to use, 1 to 64 of `A-Z a-z 0-9 _ . -`; a random one if absent. */
  readonly sessionId?: string | undefined;
  /**
   * Changes to the environment that commands get: values to set, `null` to leave a variable out.
   * Forbidden names were refused before. They are the model's, so they must not reach what starts or
   * confines the program: with a `PATH` or `LD_LIBRARY_PATH` of its own choice in the environment of
   * the keeper, a command could leave the sandbox.
   */
  readonly env: Readonly<Record<string, string | null>>;
  /** Columns of the terminal; 120 if absent. */
  readonly columns?: number | undefined;
  /** Rows of the terminal; 40 if absent. */
  readonly rows?: number | undefined;
  /** Ends what was started of it, if it fires before `start` resolves; it means nothing later. */
  readonly signal: AbortSignal;
}

/** One session. */
export interface TerminalSession {
  /** Its id. */
  readonly sessionId: string;
  /** The process id of its program, or of its shell; `null` where it is not known. */
  readonly pid: number | null;
  /** Name of the shell, such as `bash`, also where the shell runs a command. */
  readonly shell: string;
  /** The folder it started in, absolute. */
  readonly workingDirectory: string;
  /** The command it was started with; `undefined` for an interactive shell. */
  readonly command: string | undefined;
  /**
   * What a person runs in a terminal to join the session and type into it themselves; `undefined`
   * where nobody can.
   */
  readonly attachCommand?: string | undefined;
  /** What is known of it now, without waiting. */
  readonly state: SessionState;
  /**
   * Gives the output since the last call, and waits for some first: until the program waits for
   * input or ends, its output has been idle for 150 ms after some came, `until` holds, or the time is
   * over. Output that was there already does not shorten the wait for an `until`.
   *
   * Works on a session that has ended, which gives what is left. When the signal fires it rejects
   * with the signal's reason, and no output is lost: the next call gives it.
   */
  read(options: SessionRead): Promise<SessionOutput>;
  /**
   * Sends input, then waits and reads as `read` does; only what comes after the input ends the wait.
   * Output that was there before comes first.
   *
   * Rejects, with nothing sent, for a session that has ended (the message has its exit code), for key
   * names that do not exist (it lists near ones) and for a line that the terminal would cut.
   */
  write(input: SessionInput, options: SessionRead): Promise<SessionWritten>;
  /**
   * Ends everything the session started: SIGHUP and SIGTERM, after 2 s SIGKILL; with `force` SIGKILL
   * at once. Afterwards it is a session that has ended: what is left to read can still be read, but
   * another may have its id. It is done even when the caller stops waiting.
   */
  stop(options: { readonly force: boolean; readonly maxBytes: number }): Promise<SessionStopped>;
  /** The variables it started with, changed by `setVariable`; what its shell did itself is unknown. */
  environment(): Readonly<Record<string, string>>;
  /**
   * Sets a variable in its shell, or removes it (`null`), so that the next commands see it. Rejects
   * unless the session is an interactive shell that is at its prompt. Nothing of it stays in the
   * output or in the shell's history.
   */
  setVariable(name: string, value: string | null, signal: AbortSignal): Promise<void>;
}

/** What is known of a session's program. */
export interface SessionState {
  /** Whether its program, or its shell, still runs. */
  readonly isRunning: boolean;
  /** Whether a program waits for input from the terminal. */
  readonly waitingForInput: boolean;
  /**
   * How the terminal takes input: a `line` that is shown, one that is not shown (`password`), or
   * each key at once (`raw`). `null` when it has ended or it is not known.
   */
  readonly inputMode: "line" | "password" | "raw" | null;
  /** Name of the program in the foreground; `null` when it has ended or it is not known. */
  readonly foreground: string | null;
  /** Whether an interactive shell waits for its next command. */
  readonly atPrompt: boolean;
  /** `low` where the system does not tell who waits, and it was guessed from silence. */
  readonly confidence: "high" | "low";
  /** True while a person has joined, who may type. */
  readonly attached?: boolean | undefined;
  /** Its status once it has ended, 128 + n for signal n; `null` before, and when it was killed. */
  readonly exitCode: number | null;
}

/** How to wait and how much to read. */
export interface SessionRead {
  /** Most milliseconds to wait; 0 gives what is there. */
  readonly timeout: number;
  /** Most bytes of output, at least 4; a character is never split. */
  readonly maxBytes: number;
  /** What to wait for, in place of a pause of the output. The end of the program always counts. */
  readonly until?: SessionUntil | undefined;
  /** Stops waiting. */
  readonly signal: AbortSignal;
}

/** What a call may wait for. */
export type SessionUntil =
  /** The end of its program. */
  | { readonly kind: "exit" }
  /** A program that waits for input, the shell at its prompt included. */
  | { readonly kind: "input" }
  /** The interactive shell, back at its prompt. */
  | { readonly kind: "prompt" }
  /**
   * Output since the last call that matches. `matches` gets the text so far, as `output` would have
   * it, or its last 64 KiB; it takes time linear in the text.
   */
  | { readonly kind: "output"; readonly matches: (text: string) => boolean };

/** What to send. */
export interface SessionInput {
  /** Text, with key names in braces such as `{enter}` unless `raw`. */
  readonly input: string;
  /** Whether braces are sent as they are. */
  readonly raw: boolean;
}

/** What came of a session. */
export interface SessionOutput extends SessionState {
  /** Text without escape sequences, or the whole screen (`screen`). */
  readonly output: string;
  /** Whether more can be read at once. */
  readonly hasMore: boolean;
  /** Bytes that were dropped before `output`, as nobody read them in time; absent if none. */
  readonly droppedBytes?: number | undefined;
  /** True where a program draws the screen: `output` is all of it, empty if it has not changed. */
  readonly screen?: boolean | undefined;
  /** Where the cursor is on the screen, from 1; only with `screen`. */
  readonly cursor?: { readonly row: number; readonly column: number } | undefined;
}

/** What came of input. */
export interface SessionWritten extends SessionOutput {
  /** Names of the keys that were sent, in order, such as `ctrl+c`. */
  readonly keys: readonly string[];
}

/** How a session ended. */
export interface SessionStopped {
  /** As in {@linkcode SessionState}. */
  readonly exitCode: number | null;
  /** Output that was not read, at most `maxBytes` of its end; `read` still gives all of it. */
  readonly finalOutput: string;
  /** Whether there is more of it, before that. */
  readonly hasMore: boolean;
  /** Processes that could not be killed; `unknown` if some may not have been found. */
  readonly survivors: number | "unknown";
}
