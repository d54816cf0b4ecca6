import type { Survivors } from "./commands.ts";

/**
 * Terminal sessions of all owners: programs that keep running between calls, each on its own
 * terminal. A session is visible only to the owner that started it. Times are milliseconds, sizes
 * are bytes of UTF-8.
 *
 * Failures are rejections whose message is for the model: it names the value and the way out.
 */
export interface SessionPort extends AsyncDisposable {
  /**
   * The reason why sessions cannot be started, and what to do; absent if none is known in advance.
   */
  readonly unavailable?: string | undefined;
  /**
   * Starts a session; resolves when its program runs. `read` gives the first output.
   *
   * Rejects if sessions are not available (the message names the missing part, such as python3),
   * the limit is reached, the id is taken, the folder is missing or the command can't be started.
   */
  start(owner: string, options: SessionStart): Promise<TerminalSession>;
  /** Finds a session, running or ended but still readable; `undefined` if there is none. */
  get(owner: string, sessionId: string): TerminalSession | undefined;
  /** The owner's sessions, oldest first, including ended ones that can still be read. */
  list(owner: string): readonly TerminalSession[];
  /**
   * Ends all sessions of the owner, or of everybody, with all their processes. Never rejects for a
   * session that had ended.
   */
  stopAll(owner?: string): Promise<void>;
}

/** Options of a new session. */
export interface SessionStart {
  /** A command line for the shell; the session ends with it. An interactive shell if absent. */
  readonly command?: string | undefined;
  /** The folder to start in, absolute and checked against the allowed folders. */
  readonly workingDirectory: string;
  /** The id to use, 1 to 64 of `A-Z a-z 0-9 _ . -`; a random one if absent. */
  readonly sessionId?: string | undefined;
  /**
   * Changes to the environment of commands: values to set, `null` to leave a variable out. They
   * come from the model, so the programs that start or confine the session must not see them: a
   * `PATH` or `LD_LIBRARY_PATH` there could lead out of the sandbox.
   */
  readonly env: Readonly<Record<string, string | null>>;
  /** Columns of the terminal; 120 if absent. */
  readonly columns?: number | undefined;
  /** Rows of the terminal; 40 if absent. */
  readonly rows?: number | undefined;
  /** Ends the started processes if it fires before `start` resolves; ignored later. */
  readonly signal: AbortSignal;
}

/** One session. */
export interface TerminalSession {
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
  /**
   * The command line with which a person joins the session; `undefined` if joining is not possible.
   */
  readonly attachCommand?: string | undefined;
  /** Its state as known now, without waiting. */
  readonly state: SessionState;
  /**
   * Returns the output since the last call, after a wait: until the program waits for input or
   * ends, until output has come and then paused for 150 ms, or until the time-out. With `until`,
   * only that condition, the program's end or the time-out ends the wait.
   *
   * An ended session returns the rest of its output. When the signal fires, this rejects with its
   * reason, and the next call returns the output.
   */
  read(options: SessionRead): Promise<SessionOutput>;
  /**
   * Sends input, then waits and reads as `read` does. Only output after the input counts for the
   * wait; earlier unread output comes first in the result.
   *
   * Rejects, with nothing sent, for a session that has ended (the message has its exit code), for
   * unknown key names (it lists near ones) and for a line that the terminal would cut.
   */
  write(input: SessionInput, options: SessionRead): Promise<SessionWritten>;
  /**
   * Ends all its processes: SIGHUP and SIGTERM, after 2 s SIGKILL; with `force` SIGKILL at once.
   * Unread output can still be read, but another session may take the id. It is completed even if
   * the caller stops waiting.
   */
  stop(options: { readonly force: boolean; readonly maxBytes: number }): Promise<SessionStopped>;
  /** The variables it started with, and changes by `setVariable`; not those made in its shell. */
  environment(): Readonly<Record<string, string>>;
  /**
   * Sets a variable in its shell, or removes it (`null`), so that the next commands see it. Rejects
   * unless the session is an interactive shell at its prompt. It leaves no trace in the output or in
   * the shell's history.
   */
  setVariable(name: string, value: string | null, signal: AbortSignal): Promise<void>;
}

/** The state of a session's program. */
export interface SessionState {
  /** True while its program, or its shell, runs. */
  readonly isRunning: boolean;
  /** True while a program waits for input; false where the shell is at its prompt. */
  readonly waitingForInput: boolean;
  /**
   * Input mode of the terminal: a `line` that is shown, one that is not shown (`password`), or each
   * key at once (`raw`). `null` when it has ended or is unknown.
   */
  readonly inputMode: "line" | "password" | "raw" | null;
  /** Name of the program in the foreground; `null` when it has ended or is unknown. */
  readonly foreground: string | null;
  /** True while the interactive shell waits for its next command. */
  readonly atPrompt: boolean;
  /** `low` if the system does not reveal whether a program waits, so that silence decided. */
  readonly confidence: "high" | "low";
  /** True while a person has joined, and may type. */
  readonly attached?: boolean | undefined;
  /**
   * Its exit status once it has ended, 128 + n for signal n; `null` before, and if it was killed.
   */
  readonly exitCode: number | null;
}

/** Limits of a wait and of the output that it returns. */
export interface SessionRead {
  /** Most milliseconds to wait; 0 returns the available output at once. */
  readonly timeout: number;
  /** Most bytes of output, at least 4; a character is never split. */
  readonly maxBytes: number;
  /** Condition to wait for instead of a pause of the output. The program's end always counts. */
  readonly until?: SessionUntil | undefined;
  /** Stops waiting. */
  readonly signal: AbortSignal;
}

/** Condition that a call waits for. */
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

/** Input to send. */
export interface SessionInput {
  /** Text, with key names in braces such as `{enter}` unless `raw`. */
  readonly input: string;
  /** True to send braces as they are. */
  readonly raw: boolean;
}

/** Output of a session, and its state then. */
export interface SessionOutput extends SessionState {
  /** Text without escape sequences, or the whole screen (`screen`). */
  readonly output: string;
  /** True if more output can be read without waiting. */
  readonly hasMore: boolean;
  /** Unread bytes before `output` that were dropped; absent if none. */
  readonly droppedBytes?: number | undefined;
  /** True where a program draws the screen: `output` is all of it, empty if it has not changed. */
  readonly screen?: boolean | undefined;
  /** The cursor's place on the screen, from 1; only with `screen`. */
  readonly cursor?: { readonly row: number; readonly column: number } | undefined;
}

/** Output after input. */
export interface SessionWritten extends SessionOutput {
  /** Names of the keys that were sent, in order, such as `ctrl+c`. */
  readonly keys: readonly string[];
}

/** The end of a session that was stopped. */
export interface SessionStopped {
  /** As in {@linkcode SessionState}. */
  readonly exitCode: number | null;
  /** Unread output, at most `maxBytes` of its end; `read` still gives all of it. */
  readonly finalOutput: string;
  /** True if there is more unread output, before that. */
  readonly hasMore: boolean;
  /** Processes that could not be killed. */
  readonly survivors: Survivors;
}
